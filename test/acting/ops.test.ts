import { expect, test } from "vitest";
import { Acting } from "../../src/acting/acting.ts";
import type { TerminalCall } from "../../src/acting/ops/call.ts";
import { PublishedTerminalOps } from "../../src/acting/ops/terminal-ops.ts";
import type { TerminalInfo } from "../../src/contract/terminals.ts";
import { Recorder, seenIn, table } from "./support.ts";

const INSTANCE = "3f9c1a7b5e2d48069c1a7b5e2d480691";
const acting = new Acting({ table, channel: async () => undefined });
const nobodyLeft = new AbortController().signal;

const OLD: TerminalInfo = {
  instance: INSTANCE,
  id: "tty:old",
  state: "running",
  command: ["bash"],
};

/** Ops on the terminals of these rows. */
function opsOn(...rows: readonly Pick<TerminalInfo, "id">[]) {
  const stated = rows.map((row) => ({ instance: INSTANCE, state: "running", command: [], ...row }));
  const ops = new PublishedTerminalOps({
    acting,
    find: async (id) => stated.find((row) => row.id === id),
    gone: (id) =>
      id === "tty:old" ? { row: OLD, at: 1_790_000_000_000, reason: "closed" } : undefined,
  });
  let asked = 0;
  return (call: Record<string, unknown>) => {
    asked += 1;
    const request = { ...call, request_id: String(asked) };
    return ops.carryOut({ op: call["op"], request } as TerminalCall, nobodyLeft);
  };
}

test("a terminal of another program is refused with the way to it", async () => {
  const id = "hyoui:work/mine";
  const ask = opsOn({ id });
  const asked = [
    { op: "terminal.send", id, keys: ["x"] },
    { op: "terminal.read", id },
    { op: "terminal.capture", id },
    { op: "terminal.resize", id, cols: 80, rows: 24 },
    { op: "terminal.signal", id, signal: "SIGINT" },
    { op: "terminal.close", id },
    { op: "terminal.rename", id, name: "x" },
  ];
  for (const call of asked) {
    await expect(ask(call)).rejects.toMatchObject({
      code: "capability_unavailable",
      reason: "unsupported",
      message: expect.stringContaining("hyoui attach mine"),
    });
  }
});

test("a row of the host that does not run is gone", async () => {
  const ask = opsOn({ id: "pty:a" });
  await expect(ask({ op: "terminal.capture", id: "pty:a" })).rejects.toMatchObject({
    code: "not_found",
    reason: "gone",
  });
});

test("a pane that was respawned since the publisher saw it is left alone", async () => {
  const pane = await Recorder.begun();
  const seen = seenIn(pane.tmux);
  const ask = opsOn(seen);
  await ask({ op: "terminal.send", id: seen.id, keys: ["x"] });
  expect(await pane.has(1)).toBe("x");
  pane.tmux.run("respawn-pane", "-k", "-t", "%0", "exec cat");
  await expect(ask({ op: "terminal.send", id: seen.id, keys: ["y"] })).rejects.toMatchObject({
    code: "not_found",
    reason: "changed",
  });
  expect(pane.tmux.run("capture-pane", "-p").trim()).toBe("");
});

test("a request with a key is done once, in whatever envelope it comes again; its failure is remembered too", async () => {
  const pane = await Recorder.begun();
  const seen = seenIn(pane.tmux);
  const ask = opsOn(seen);
  const send = { op: "terminal.send", id: seen.id, keys: ["x"], key: "k" };
  await Promise.all([ask(send), ask({ ...send, to_instance: INSTANCE })]);
  await ask({ ...send, keys: ["y"], key: "another" });
  expect(await pane.has(2)).toBe("xy");
  pane.tmux.run("copy-mode", "-t", "%0");
  const blocked = { ...send, key: "blocked" };
  await expect(ask(blocked)).rejects.toMatchObject({ reason: "input_blocked" });
  pane.tmux.run("send-keys", "-X", "-t", "%0", "cancel");
  await expect(ask(blocked)).rejects.toMatchObject({ reason: "input_blocked" });
  await ask({ ...blocked, key: "anew" });
  expect(await pane.has(3)).toBe("xyx");
});

test("what became of a terminal is told of one that is gone, and of no other", async () => {
  const ask = opsOn({ id: "tty:here" });
  const asked = (id: string) => ask({ op: "terminal.gone", id });
  expect(await asked("tty:old")).toEqual({
    terminal: OLD,
    removed_at: 1_790_000_000_000,
    reason: "closed",
  });
  await expect(asked("tty:here")).rejects.toMatchObject({ code: "not_found", reason: "gone" });
  await expect(asked("tty:never")).rejects.toMatchObject({ code: "not_found", reason: "gone" });
});
