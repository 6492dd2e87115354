import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { isRunning } from "../../../src/host/tmux/processes.ts";
import { endTree } from "../../lib/end-tree.ts";
import { endAll, launched, place, run, script, Told, until } from "./support.ts";

afterEach(endAll);

const ECHO = 'echo "runs $$"; while read word; do echo "got $word"; done; echo over; exit 7';

describe("a tmux session", () => {
  test("whose server is killed is lost, after all that it had said", async () => {
    const made = place();
    const told = await script(await made.server(), "echo before; read never");
    await told.says("before");
    process.kill(made.pid ?? 0, "SIGKILL");
    expect(await told.exited).toEqual({ isLost: true, drained: true });
    expect(told.text).toBe("before\r\n");
    expect(told.pty.write(Buffer.from("x"))).toBe(0);
  });

  test("that somebody else ends is lost, and the others live on", async () => {
    const made = place();
    const server = await made.server();
    const [one, two] = await Promise.all([script(server, ECHO), script(server, ECHO)]);
    await Promise.all([one.says("runs"), two.says("runs")]);
    made.ask("kill-session", "-t", `=${one.session.id}`);
    expect(await one.exited).toEqual({ isLost: true, drained: true });
    two.type("still\n");
    await two.says("got still");
  });

  test("goes on without its host, and the next one has all of it once", async () => {
    const made = place();
    const first = await made.server();
    const told = await script(first, ECHO);
    await told.says("runs");
    told.type("one\n");
    await told.says("got one");
    const before = told.text;
    first.release();
    const second = await made.server();
    expect(await second.list()).toEqual([told.session.id]);
    const again = new Told(await second.adopt(told.session.id));
    await again.says("got one");
    again.type("two\n");
    await again.says("got two");
    expect(again.text.startsWith(before)).toBe(true);
    expect(again.text.match(/got/g)).toHaveLength(2);
    expect([again.session.pid, again.session.tty]).toEqual([told.pty.pid, told.pty.tty]);
    expect(told.text).toBe(before);
    again.type("\x04");
    expect(await again.exited).toEqual({ code: 7, drained: true });
    expect(again.text.endsWith("over\r\n")).toBe(true);
  });

  test("that ended while no host was there is told with its output and its code", async () => {
    const made = place();
    const first = await made.server();
    const told = await script(first, "echo begun; read go; echo done; exit 9");
    await told.says("begun");
    first.release();
    made.ask("send-keys", "-t", `=${told.session.id}:`, "Enter");
    // tmux itself may overlook its end, which the next host then tells it.
    await until(() => !isRunning(told.pty.pid));
    const again = new Told(await (await made.server()).adopt(told.session.id));
    expect(await again.exited).toEqual({ code: 9, drained: true });
    expect(again.text).toBe("begun\r\n\r\ndone\r\n");
  });

  test("whose pane is taken away has its program told of the hang-up", async () => {
    const made = place();
    const file = join(made.folder, "hung");
    const server = await made.server();
    const told = await script(
      server,
      `trap 'echo up >"${file}"; exit' HUP; echo runs; while :; do sleep 0.05; done`,
    );
    await told.says("runs");
    made.ask("kill-session", "-t", `=${told.session.id}`);
    await until(() => existsSync(file) && !isRunning(told.pty.pid));
    expect(await told.exited).toMatchObject({ isLost: true });
  });

  test("that vanished while no host was there is told as lost, with what it had said", async () => {
    const made = place();
    const first = await made.server();
    const told = await run(first, { file: "/bin/sh", args: ["-c", ECHO], cols: 91, rows: 13 });
    await told.says("runs");
    first.release();
    endTree(made.pid ?? 0);
    const second = await made.server();
    expect(await second.list()).toEqual([told.session.id]);
    const session = await second.adopt(told.session.id);
    expect([session.size, session.pid]).toEqual([{ cols: 91, rows: 13 }, told.pty.pid]);
    const again = new Told(session);
    expect(await again.exited).toEqual({ isLost: true, drained: true });
    expect(again.text).toBe(told.text);
    await again.pty.remove();
    expect(await second.list()).toEqual([]);
    await expect(second.adopt(told.session.id)).rejects.toThrow(/no tmux session/);
  });

  test("can be started where the server of others was killed", async () => {
    const made = place();
    const server = await made.server();
    const told = await script(server, ECHO);
    await told.says("runs");
    endTree(made.pid ?? 0);
    const other = await script(server, ECHO);
    await other.says("runs");
    await told.exited;
    expect(other.exit).toBeUndefined();
  });

  test("is taken away whole, and with the last one its server ends", async () => {
    const made = place();
    const server = await made.server();
    const [one, two] = await Promise.all([script(server, ECHO), script(server, "exit 0")]);
    await one.says("runs");
    await two.exited;
    const pid = made.pid ?? 0;
    await two.pty.remove();
    expect(await server.list()).toEqual([one.session.id]);
    await one.pty.remove();
    expect(await server.list()).toEqual([]);
    expect(readdirSync(join(made.folder, "logs"))).toEqual([]);
    await until(() => isGone(pid) && isGone(one.pty.pid));
    expect(one.exit).toBeUndefined();
    const next = await script(server, "echo next");
    await next.exited;
    expect(next.text).toBe("next\r\n");
  });

  test("is told of nothing once it was let go of", async () => {
    const made = place();
    const told = await script(await made.server(), ECHO);
    await told.says("runs");
    const { bytes } = told;
    told.pty.release();
    expect(told.type("word\n")).toBe(0);
    made.ask("send-keys", "-t", `=${told.session.id}:`, "C-d");
    await until(() => !isRunning(told.pty.pid));
    expect([told.bytes, told.exit]).toEqual([bytes, undefined]);
  });

  test("of a name that is taken, or none, is refused in words and leaves the other alone", async () => {
    const made = place();
    const server = await made.server();
    const told = await script(server, ECHO);
    await told.says("runs");
    const launch = launched({ file: "/bin/sh" });
    await expect(server.start(told.session.id, launch)).rejects.toThrow(/is a session .* already/);
    for (const id of ["", "-t", "a b", "a;", "#{pid}", "../x", "a:b", "a.b", "é", "a\n", "=x"]) {
      await expect(server.start(id, launch)).rejects.toThrow(/the id of a tmux session must be/);
      await expect(server.adopt(id)).rejects.toThrow(/the id of a tmux session must be/);
    }
    await expect(server.start("x", { ...launch, file: "no-such" })).rejects.toThrow(
      /got "no-such"/,
    );
    await expect(server.start("x", { ...launch, cwd: "/no" })).rejects.toThrow(/cwd must be/);
    told.type("there\n");
    await told.says("got there");
    expect(await server.list()).toEqual([told.session.id]);
  });
});

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
