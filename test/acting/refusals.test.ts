import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Acting } from "../../src/acting/acting.ts";
import type { ActingTerminal } from "../../src/acting/terminal.ts";
import type { ProcessTable } from "../../src/processes/types.ts";
import { PrivateTmux, temporaryFolder } from "../inventory/support.ts";
import { acting, Recorder, seenIn, session, table, until } from "./support.ts";

/** Everything that does something to a terminal. */
const ACTS: readonly (readonly [string, (terminal: ActingTerminal) => Promise<unknown>])[] = [
  ["typed", (terminal) => terminal.send({ keys: ["x", "Enter"] })],
  ["submitted", (terminal) => terminal.send({ keys: ["x"], submit: true })],
  ["captured", (terminal) => terminal.capture({})],
  ["signalled", (terminal) => terminal.signal("SIGKILL")],
  ["closed", (terminal) => terminal.close({ force: true })],
];

const refusal = (reason: string, code: string) => expect.objectContaining({ reason, code });

async function outcomes(terminal: ActingTerminal): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const [, act] of ACTS) found.push(await act(terminal).catch((error: unknown) => error));
  return found;
}

const all = (what: unknown) => ACTS.map(() => what);

describe("nothing is done with a pane", () => {
  test("that was respawned: it runs another process than was seen", async () => {
    const pane = await Recorder.begun();
    const { terminal } = pane;
    pane.tmux.run("respawn-pane", "-k", "-t", "%0", "echo anew; exec cat");
    await until(() => (pane.tmux.run("capture-pane", "-p").includes("anew") ? true : undefined));
    const now = pane.tmux.run("display-message", "-p", "#{pane_pid}");
    expect(await outcomes(terminal)).toEqual(all(refusal("changed", "not_found")));
    expect(pane.tmux.run("display-message", "-p", "#{pane_pid} #{pane_dead}")).toBe(`${now} 0`);
    expect(pane.tmux.run("capture-pane", "-p").trim()).toBe("anew");
  });

  test("that is closed, or whose server has ended", async () => {
    const pane = await Recorder.begun();
    const { terminal } = pane;
    pane.tmux.run("new-window", "exec cat");
    pane.tmux.run("kill-pane", "-t", "%0");
    expect(await outcomes(terminal)).toEqual(all(refusal("gone", "not_found")));
    const other = acting.on(seenIn(pane.tmux, "%1"));
    pane.tmux.end();
    expect(await outcomes(other)).toEqual(all(refusal("gone", "not_found")));
  });

  test("whose number another server on the same socket has", async () => {
    const first = await Recorder.begun();
    const { terminal } = first;
    const { socket } = first.tmux;
    first.tmux.end();
    rmSync(socket, { force: true });
    const second = new Recorder("", new PrivateTmux(socket));
    await second.begins();
    expect(await outcomes(terminal)).toEqual(all(refusal("gone", "not_found")));
    expect(second.typed).toBe("");
    expect(second.tmux.panes()).toEqual(["%0"]);
  });

  test("that was dead when it was seen and runs again", async () => {
    const tmux = session("exec cat");
    tmux.run("set-option", "-g", "remain-on-exit", "on");
    tmux.run("respawn-pane", "-k", "-t", "%0", "true");
    await tmux.ended(1);
    const terminal = acting.on(seenIn(tmux));
    expect(await terminal.send({ keys: ["x"] }).catch((error: unknown) => error)).toEqual(
      refusal("ended", "not_found"),
    );
    tmux.run("respawn-pane", "-t", "%0", "exec cat");
    await expect(terminal.close({})).rejects.toMatchObject({ reason: "changed" });
    expect(tmux.panes()).toEqual(["%0"]);
  });
});

describe("nothing is typed into a pane", () => {
  test.each([
    ["that is in copy mode", ["copy-mode", "-t", "%0"], "copy mode"],
    ["that shows a clock", ["clock-mode", "-t", "%0"], "another mode of tmux"],
    ["whose input is off", ["select-pane", "-d", "-t", "%0"], "select-pane -d"],
    ["that types for others too", ["set-option", "-w", "synchronize-panes", "on"], "synchronize"],
  ])("%s", async (_, command, says) => {
    const pane = await Recorder.begun();
    pane.tmux.run(...command);
    for (const submit of [false, true]) {
      const sent = pane.terminal.send({ keys: ["q", "Enter"], submit });
      await expect(sent).rejects.toEqual(refusal("input_blocked", "rate_limited"));
      await expect(sent).rejects.toThrow(says);
    }
    expect((await pane.terminal.capture({})).text).toBe("ready");
    expect(pane.typed).toBe("");
  });

  test("whose server is suspended, not even when that goes on", async () => {
    const pane = await Recorder.begun();
    const { terminal } = pane;
    process.kill(pane.tmux.pid, "SIGSTOP");
    await until(() => (table.read(pane.tmux.pid)?.state === "T" ? true : undefined));
    await expect(terminal.send({ keys: ["x"] })).rejects.toMatchObject({ reason: "no_answer" });
    process.kill(pane.tmux.pid, "SIGCONT");
    await terminal.send({ keys: ["y"] });
    expect(await pane.has(1)).toBe("y");
  });

  test("whose server took too long, not even when it has time again", async () => {
    const pane = await Recorder.begun();
    // As it is where the server stops right after it was looked at.
    const runs: ProcessTable = Object.create(table, {
      read: { value: (pid: number) => ({ ...table.read(pid), state: "S" }) },
    });
    const hasty = new Acting({ table: runs, channel: async () => undefined, answerMs: 1_000 });
    const terminal = hasty.on(pane.seen);
    process.kill(pane.tmux.pid, "SIGSTOP");
    for (const submit of [false, true]) {
      const sent = terminal.send({ keys: ["x"], submit });
      await expect(sent).rejects.toThrow("does not do later");
    }
    process.kill(pane.tmux.pid, "SIGCONT");
    // Who is not hasty gives the server the time that it needs now.
    await pane.terminal.send({ keys: ["y"] });
    expect(await pane.has(1)).toBe("y");
    expect(pane.tmux.run("list-buffers")).toBe("");
  });

  test("whose server lost its socket, which is said with what brings it back", async () => {
    const pane = await Recorder.begun();
    const { terminal } = pane;
    rmSync(pane.tmux.socket);
    await expect(terminal.send({ keys: ["x"] })).rejects.toThrow("SIGUSR1");
    process.kill(pane.tmux.pid, "SIGUSR1");
    await until(() => (existsSync(pane.tmux.socket) ? true : undefined));
    await terminal.send({ keys: ["z"] });
    expect(await pane.has(1)).toBe("z");
  });
});

test("acting on a pane leaves its server as it was: no client, option, size or buffer", async () => {
  const pane = await Recorder.begun();
  const { tmux, terminal } = pane;
  tmux.run("set-buffer", "mine");
  const state = () => [
    tmux.run("list-clients"),
    tmux.run("show-options", "-g"),
    tmux.run("show-options", "-w"),
    tmux.run("show-hooks", "-g"),
    tmux.run("list-buffers"),
    tmux.run(
      "list-panes",
      "-a",
      "-F",
      "#{pane_id} #{pane_width} #{pane_height} #{session_attached}",
    ),
  ];
  const before = state();
  await terminal.send({ keys: ["a", "Up"] });
  await terminal.send({ keys: ["b"], submit: true });
  await terminal.read({});
  await terminal.capture({ scrollback: 10, escapes: true });
  await terminal.signal("SIGCONT");
  expect(state()).toEqual(before);
});

test("an id that no pane can have is of no terminal, and reaches no file", async () => {
  const folder = temporaryFolder();
  const ids = [
    "tmux:x",
    "tmux:..%2Fx@1.1/0",
    "tmux:%zz@1.1/0",
    `tmux:${encodeURIComponent(join(folder, "nobody"))}@2147483647.1/0`,
    "tmux:a%00b@1.1/0",
  ];
  for (const id of ids) {
    const terminal = acting.on({ id, state: "running", pid: 1 });
    await expect(terminal.send({ keys: ["x"] })).rejects.toMatchObject({ reason: "gone" });
  }
});
