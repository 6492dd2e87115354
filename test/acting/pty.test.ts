import { expect, test } from "vitest";
import { Acting } from "../../src/acting/acting.ts";
import { connectHost } from "../../src/host/client/connect-host.ts";
import { serveHost } from "../host/channel/served-host.ts";
import { table } from "./support.ts";

/** A host, and what acts on its terminals. */
async function served() {
  const { path } = await serveHost();
  const acting = new Acting({ table, channel: async () => path });
  const connection = await connectHost({ path });
  const open = async (exec: string[]) => {
    const { id } = await connection
      .session("any")
      .open({ cwd: "/", env: null, exec, cols: 60, rows: 10 });
    return acting.on({ id: `pty:${id}`, state: "running" });
  };
  return { acting, connection, open };
}

test("a terminal of the host is acted on by its row's id, whichever session has it", async () => {
  const { connection, open } = await served();
  const terminal = await open(["cat"]);
  await terminal.send({ keys: ["hello", "Enter"] });
  const wait = { until: "match", pattern: "hello\nhello", timeoutMs: 10_000 } as const;
  expect(await terminal.read({ wait, peek: true })).toMatchObject({
    text: "hello\nhello\n",
    waited: "match",
    from: 0,
  });
  await terminal.send({ keys: ["more"], submit: true });
  await terminal.read({ wait: { ...wait, pattern: "more\nmore" } });
  expect((await terminal.capture({})).text).toBe("hello\nhello\nmore\nmore");
  expect((await terminal.resize(70, 20)).terminal).toMatchObject({ cols: 70, rows: 20 });
  expect((await terminal.rename("x")).terminal).toMatchObject({ name: "x", sessionId: "any" });
  await terminal.signal("SIGINT");
  const ended = await terminal.read({ wait: { until: "exit", timeoutMs: 10_000 } });
  expect(ended.waited).toBe("exit");
  await expect(terminal.send({ keys: ["x"] })).rejects.toMatchObject({ reason: "ended" });
  await terminal.close({});
  await expect(terminal.capture({})).rejects.toMatchObject({ reason: "gone", code: "not_found" });
  expect(await connection.session("any").list()).toEqual([]);
});

test("a terminal of the host is not closed while a job is in front of its shell, unless that is forced", async () => {
  const { open } = await served();
  const terminal = await open(["sh", "-i"]);
  // It is in front before it says anything.
  await terminal.send({ keys: ["tail -n +1 -f /etc/passwd", "Enter"] });
  await terminal.read({ wait: { until: "match", pattern: "^root:", timeoutMs: 10_000 } });
  await expect(terminal.close({})).rejects.toMatchObject({ reason: "busy", program: "tail" });
  await terminal.close({ force: true });
  await expect(terminal.close({})).rejects.toMatchObject({ reason: "gone" });
});

test("what the host refuses or cannot be asked is told apart", async () => {
  const { acting, open } = await served();
  const terminal = await open(["cat"]);
  await expect(terminal.send({ keys: ["\x1b"] })).rejects.toMatchObject({ reason: "invalid" });
  await expect(terminal.rename("x".repeat(2_000))).rejects.toMatchObject({
    reason: "refused",
    code: "internal_error",
  });
  const nobody = acting.on({ id: "pty:nobody", state: "running" });
  await expect(nobody.read({})).rejects.toMatchObject({ reason: "gone" });
  const unreachable = new Acting({ table, channel: async () => "/nowhere/channel.sock" });
  await expect(unreachable.on({ id: "pty:x", state: "running" }).read({})).rejects.toMatchObject({
    reason: "no_answer",
  });
  const none = new Acting({ table, channel: async () => undefined });
  await expect(none.on({ id: "pty:x", state: "running" }).read({})).rejects.toMatchObject({
    reason: "gone",
  });
});
