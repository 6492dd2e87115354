import { execFileSync } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import type { ObservedTerminal } from "../../../../src/inventory/terminal.ts";
import { TmuxServer } from "../../../../src/inventory/tmux/server.ts";
import { createProcessTable } from "../../../../src/processes/index.ts";
import type { Reading } from "../../../../src/sources/source.ts";
import { FakeClock } from "../../../lib/fake-clock.ts";
import { processInfo } from "../../../lib/fake-table.ts";
import { startServer } from "./support.ts";

/** A server that is asked when the test says so. */
async function asked() {
  const { socket, pid } = await startServer();
  const clock = new FakeClock();
  const table = createProcessTable({ clock });
  onTestFinished(() => table.close());
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
  return { pid, clock, server, finding: () => readings.at(-1)?.finding };
}

/** Does something while this process can open no more files. */
async function withoutDescriptors(work: () => Promise<void>): Promise<void> {
  const limit = (soft: string) =>
    execFileSync("prlimit", ["--pid", `${process.pid}`, `--nofile=${soft}:`]);
  const before = /Max open files\s+(\d+)/.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  const taken: number[] = [];
  limit("256");
  try {
    for (;;) taken.push(openSync("/dev/null", "r"));
  } catch {
    await work();
  } finally {
    for (const descriptor of taken) closeSync(descriptor);
    limit(before ?? "1024");
  }
}

test("a pane that names itself does not make a failing server look well", async () => {
  const { pid, clock, server, finding } = await asked();
  await server.fresh();
  expect(finding()?.kind).toBe("rows");
  await clock.advance(100);
  process.kill(pid, "SIGSTOP");
  onTestFinished(() => void process.kill(pid, "SIGCONT"));
  await server.fresh();
  expect(finding()?.kind).toBe("failing");
  expect(server.propose({ number: 99, process: processInfo(12_345, { parent: pid }) })).toBe(false);
  expect(finding()?.kind).toBe("failing");
});

test("a server that could not be asked for want of descriptors answers within 2 s of its end", async () => {
  const { clock, server, finding } = await asked();
  await server.fresh();
  const rows = finding();
  await clock.advance(100);
  await withoutDescriptors(async () => {
    for (let second = 0; second < 8; second += 1) {
      await server.fresh();
      expect(finding()).toMatchObject({ kind: "failing", fault: { code: "no_descriptors" } });
      await clock.advance(1_000);
    }
  });
  await server.fresh();
  expect(finding()).toEqual(rows);
});
