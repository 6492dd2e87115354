import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isDeaf, sandboxCommandLine } from "../../../src/host/sandbox/command-line.ts";
import { programIn } from "../../../src/host/sandbox/program.ts";
import { sandboxTools } from "../../../src/host/sandbox/tools.ts";
import { endTree } from "../../lib/end-tree.ts";
import { isAlive, until } from "../process/support.ts";
import { type Confined, confined } from "./confined.ts";

const match = (pattern: string) => ({
  return_when: { kind: "match", pattern },
  wait_ceiling_ms: 60_000,
});

const LOOP = "while :; do sleep 0.05; done";

/** A session whose command has said `ready`. */
async function ready(sandbox: Confined, command: string): Promise<string> {
  const { success } = await sandbox.start(command, {}, match("ready"));
  expect(success.start.outcome).toEqual({ condition_met: {} });
  return success.start.session.session_id;
}

const type = (sandbox: Confined, session_id: string, write: object) =>
  sandbox.client.operate({ action: "write", session_id, write });

const press = (sandbox: Confined, session_id: string, key: string) =>
  type(sandbox, session_id, { kind: "controls", controls: [key.charCodeAt(0)] });

/** A shell that a person types into, at its prompt. */
async function shell(sandbox: Confined): Promise<string> {
  const { success } = await sandbox.client.operate(
    sandbox.served.start("", {
      command: null,
      arguments: ["--norc", "--noprofile", "-i"],
      sandbox_profile: JSON.stringify({ write: [], network: false }),
      ...match("bash-"),
    }),
  );
  return success.start.session.session_id;
}

/** Types a line, and waits for what it is to say. */
async function line(sandbox: Confined, session_id: string, text: string, says: string) {
  await type(sandbox, session_id, { kind: "text", text: `${text}\r` });
  await until(async () => (await sandbox.text(session_id)).includes(says) || undefined);
}

test("Ctrl-C interrupts the program alone, which may take it as it likes", async () => {
  const sandbox = await confined();
  const deaf = await ready(sandbox, `trap 'echo caught; exit 7' INT; echo ready; ${LOOP}`);
  await press(sandbox, deaf, "C");
  expect(await sandbox.wait(deaf, { kind: "exit" })).toEqual({ exited: 7 });
  expect(await sandbox.text(deaf)).toContain("caught");
  const usual = await ready(sandbox, "echo ready; exec sleep 600");
  await press(sandbox, usual, "C");
  expect(await sandbox.wait(usual, { kind: "exit" })).toEqual({ signal: "SIGINT" });
});

test.each([
  ["interrupt", "INT"],
  ["quit", "QUIT"],
  ["terminate", "TERM"],
  ["hangup", "HUP"],
])(
  "the signal %s reaches the program, which has time to put its things in order",
  async (signal, name) => {
    const sandbox = await confined();
    const session_id = await ready(
      sandbox,
      `trap 'sleep 0.2; echo in order; exit 5' ${name}; echo ready; ${LOOP}`,
    );
    await sandbox.client.operate({ action: "signal", session_id, signal });
    expect(await sandbox.wait(session_id, { kind: "exit" })).toEqual({ exited: 5 });
    expect(await sandbox.text(session_id)).toContain("in order");
  },
);

test("a signal that is sent right after the start reaches the program", async () => {
  const sandbox = await confined();
  const { success } = await sandbox.start("exec sleep 600");
  const { session_id } = success.start.session;
  await sandbox.client.operate({ action: "signal", session_id, signal: "terminate" });
  expect(await sandbox.wait(session_id, { kind: "exit" })).toEqual({ signal: "SIGTERM" });
});

test("a hangup that is sent to the job in front spares what keeps the sandbox", async () => {
  const sandbox = await confined();
  const id = await ready(sandbox, `trap 'echo in order; exit 5' HUP; echo ready; ${LOOP}`);
  const terminal = sandbox.served.host.terminals.get(id);
  if (terminal === undefined) throw new Error("no terminal");
  sandbox.served.host.signal(terminal, "SIGHUP");
  expect(await sandbox.wait(id, { kind: "exit" })).toEqual({ exited: 5 });
});

test("a shell in a sandbox has job control, and what is told of it is of its program", async () => {
  const sandbox = await confined();
  const id = await shell(sandbox);
  const { host } = sandbox.served;
  const terminal = host.terminals.get(id);
  if (terminal === undefined) throw new Error("no terminal");
  const inFront = (program: string | undefined) =>
    until(() => host.foreground(terminal) === program || undefined);
  await inFront(undefined);
  await line(sandbox, id, "cd /usr && echo in''side", "inside");
  expect(host.info(terminal).cwd).toBe("/usr");
  await type(sandbox, id, { kind: "text", text: "sleep 600\r" });
  await inFront("sleep");
  await press(sandbox, id, "Z");
  await until(async () => (await sandbox.text(id)).includes("Stopped") || undefined);
  await inFront(undefined);
  await type(sandbox, id, { kind: "text", text: "fg\r" });
  await inFront("sleep");
  await press(sandbox, id, "C");
  await inFront(undefined);
  await line(sandbox, id, "echo status $?", "status 130");
  await line(sandbox, id, "tty", "/dev/");
  await type(sandbox, id, { kind: "text", text: "exit 4\r" });
  expect(await sandbox.wait(id, { kind: "exit" })).toEqual({ exited: 4 });
});

test.each([
  [[], true],
  [["/usr/bin/bwrap", "--unshare-user", "--unshare-pid"], true],
  [["/usr/bin/env", "--default-signal", "/bin/sh"], true],
  [["/bin/sh", "-c", "x"], false],
  [["/bin/bash"], false],
])("the process of %j drops signals: %j", (argv, isDropping) => {
  expect(isDeaf(argv)).toBe(isDropping);
});

test("how the program ended is told, and who asks is told what was asked for", async () => {
  const sandbox = await confined();
  expect((await sandbox.run("exit 3")).outcome).toEqual({ exited: 3 });
  expect((await sandbox.run("kill -KILL $$")).outcome).toEqual({ signal: "SIGKILL" });
  expect((await sandbox.run("exit 255")).outcome).toEqual({ exited: 255 });
  const [terminal] = sandbox.served.host.terminals.all;
  expect(terminal?.options.command).toEqual(["/bin/bash", "--norc", "-c", "exit 3"]);
  const session_id = terminal?.options.id;
  const { inspect } = (
    await sandbox.client.operate({ action: "inspect", session_id, max_events: 1 })
  ).success;
  expect(inspect).toMatchObject({ shell: "/bin/bash", command: "exit 3" });
  const { list } = (await sandbox.client.operate({ action: "list" })).success;
  expect(list.sessions).toHaveLength(3);
});

test.each(["graceful", "force"])(
  "a close that is %s leaves nothing of a sandbox",
  async (close_policy) => {
    const sandbox = await confined();
    const session_id = await ready(
      sandbox,
      `trap 'echo hung up > ended; exit' HUP; setsid sleep 600 & echo ready; ${LOOP}`,
    );
    const terminal = sandbox.served.host.terminals.get(session_id);
    const keeper = terminal?.pid ?? 0;
    const program = programIn(keeper) ?? 0;
    expect([isAlive(keeper), isAlive(program)]).toEqual([true, true]);
    await sandbox.client.operate({ action: "close", session_id, close_policy });
    expect([isAlive(keeper), isAlive(program)]).toEqual([false, false]);
    if (close_policy === "force") return;
    expect(existsSync(join(sandbox.served.workspace, "ended"))).toBe(true);
  },
);

test("what a program leaves behind ends with it", async () => {
  const sandbox = await confined();
  const { outcome } = await sandbox.run("(trap '' HUP; sleep 0.3; touch late) & exit 0");
  expect(outcome).toEqual({ exited: 0 });
  // One that would be there by now, had the first run on.
  await sandbox.run("sleep 0.6");
  expect(existsSync(join(sandbox.served.workspace, "late"))).toBe(false);
});

test("a sandbox ends with whoever started it", async () => {
  const command = sandboxCommandLine({
    tools: await sandboxTools(process.env["PATH"]),
    mounts: [],
    grants: [],
    network: false,
    cwd: "/",
  });
  const start = `const child = require("node:child_process").spawn(process.argv[1], process.argv.slice(2)); child.stdout.once("data", () => console.log(child.pid));`;
  const program = ["/bin/sh", "-c", "trap '' HUP TERM; echo ready; sleep 600; true"];
  const host = spawn(process.execPath, ["-e", start, ...command, ...program]);
  onTestFinished(() => endTree(host.pid ?? 0));
  const [said] = await once(host.stdout, "data");
  const keeper = Number(String(said));
  const confinedTo = programIn(keeper) ?? 0;
  onTestFinished(() => endTree(keeper));
  expect(readFileSync(`/proc/${confinedTo}/cmdline`, "utf8")).toContain("echo ready");
  host.kill("SIGKILL");
  await until(() => (isAlive(confinedTo) || isAlive(keeper) ? undefined : true));
});
