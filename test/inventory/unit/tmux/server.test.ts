import { expect, onTestFinished, test } from "vitest";
import type { ObservedTerminal } from "../../../../src/inventory/terminal.ts";
import { TmuxServer } from "../../../../src/inventory/tmux/server.ts";
import { createProcessTable } from "../../../../src/processes/index.ts";
import type { Reading } from "../../../../src/sources/source.ts";
import { FakeClock } from "../../../lib/fake-clock.ts";
import { processInfo } from "../../../lib/fake-table.ts";
import { startServer } from "./support.ts";

test("a pane that names itself does not make a failing server look well", async () => {
  const { socket, pid } = await startServer();
  const clock = new FakeClock();
  const table = createProcessTable({ clock });
  const found = table.read(pid);
  if (found === undefined) throw new Error(`Expected a server that runs, got none as ${pid}`);
  const readings: Reading<ObservedTerminal>[] = [];
  const server = new TmuxServer({
    place: { socket, process: found, reachable: true },
    name: socket,
    socketName: "server",
    clock,
    table,
    onReading: (reading) => readings.push(reading),
    onChanged: () => {},
    onAnsweredBy: () => {},
  });
  onTestFinished(() => server.stop());
  await server.fresh();
  expect(readings.at(-1)?.finding.kind).toBe("rows");
  await clock.advance(100);
  process.kill(pid, "SIGSTOP");
  onTestFinished(() => void process.kill(pid, "SIGCONT"));
  await server.fresh();
  expect(readings.at(-1)?.finding.kind).toBe("failing");
  expect(server.propose({ number: 99, process: processInfo(12_345, { parent: pid }) })).toBe(false);
  expect(readings.at(-1)?.finding.kind).toBe("failing");
});
