import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { SocketPlace } from "../../../src/inventory/socket-place.ts";
import { FakeClock } from "../../lib/fake-clock.ts";
import { FakeTable, processInfo } from "../../lib/fake-table.ts";
import { temporaryFolder } from "./support.ts";

const never = new AbortController().signal;

/** A program that says which it is. */
function program(folder: string, name: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\necho '${folder}/${name}'\n`, { mode: 0o755 });
}

/** A manager that is this very process, with two folders where its program may be. */
async function place() {
  const folder = temporaryFolder();
  const socket = join(folder, "socket");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => void server.close());
  const [beside, onPath] = [join(folder, "beside"), join(folder, "path")];
  const table = new FakeTable();
  const manager = { process: table.set(processInfo(process.pid)), windows: [] };
  const asked = new SocketPlace({
    clock: new FakeClock(),
    table,
    path: `${onPath}:/usr/bin:/bin`,
    manager,
    exe: join(beside, "manager"),
    name: socket,
    socket,
    question: {
      manager: "manager",
      programs: ["no-such-new", "no-such-old"],
      args: [],
      variables: {},
      terminals: (stdout) => [{ id: stdout.toString().trim(), state: "running" }],
    },
  });
  const answer = async () => {
    const finding = await asked.ask(never);
    return finding.kind === "rows" ? finding.items[0]?.id : finding.kind;
  };
  return { beside, onPath, answer };
}

describe("a manager is asked with", () => {
  test("the newest program that is beside its own or else on the path", async () => {
    const { beside, onPath, answer } = await place();
    expect(await answer()).toBe("absent");
    program(onPath, "no-such-old");
    expect(await answer()).toBe(join(onPath, "no-such-old"));
    program(beside, "no-such-old");
    expect(await answer()).toBe(join(beside, "no-such-old"));
    program(onPath, "no-such-new");
    expect(await answer()).toBe(join(onPath, "no-such-new"));
    program(beside, "no-such-new");
    expect(await answer()).toBe(join(beside, "no-such-new"));
  });
});
