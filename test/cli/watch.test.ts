import { execFileSync } from "node:child_process";
import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { TopicFrame } from "../../src/contract/envelope.ts";
import { TerminalInfo, TerminalsFrame } from "../../src/contract/terminals.ts";
import { isValid } from "../../src/contract/validation.ts";
import { COMMAND, Place, type Program } from "./support.ts";

/** A watch with a command says that it has its first snapshot. */
const listens = (program: Program) =>
  program.until(() => (/: runs \S+ when /.test(program.stderr) ? true : undefined));

describe("frames", () => {
  test("each frame is one line, as the publisher sent it, until a signal ends it", async () => {
    const place = new Place();
    place.session();
    const { ready } = await place.serve();
    const watch = place.start(["watch", "--json"]);
    await watch.line(/"snapshot":true/);
    place.tmux("split-window", "-d", "exec cat");
    await watch.line(/\/1"/);
    // A real listing of every source is followed by a bookmark.
    await watch.line(/"terminals":\[\]/);
    watch.signal("SIGTERM");
    const { code, stdout, stderr } = await watch.ended;
    expect([code, stderr]).toEqual([0, ""]);
    const frames: TopicFrame[] = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ topic }) => topic === "terminals");
    for (const frame of frames) expect(isValid(TerminalsFrame, frame)).toBe(true);
    const [snapshot, ...changes] = frames;
    expect(snapshot).toMatchObject({ snapshot: true, instance: ready.instance });
    let { seq } = snapshot as TopicFrame;
    for (const change of changes) {
      expect(change.prev_seq).toBe(seq);
      seq = change.seq;
    }
  });
});

test("a fault that nobody caught is told without a stack and ends it with 1", async () => {
  const place = new Place();
  place.session();
  await place.serve();
  const fault = 'process.once("SIGUSR2", () => { throw new Error("out of the blue"); });';
  const watch = place.start(["watch"], {
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}` },
  });
  await watch.line(/listed/);
  watch.signal("SIGUSR2");
  const { code, stderr } = await watch.ended;
  expect([code, stderr]).toEqual([1, "termtopic: out of the blue\n"]);
});

describe("lines for people", () => {
  test("where the output is no terminal, each change is a line without escape codes", async () => {
    const place = new Place();
    place.session();
    await place.serve();
    const watch = place.start(["watch"], { env: { TERM: "xterm" } });
    expect(await watch.line(/listed/)).toMatch(
      /^\d\d:\d\d:\d\d {2}listed {3}tmux:\S+ {2}work:0.0 {2}running {2}cat$/,
    );
    place.tmux("split-window", "-d", "exec sleep 1000");
    expect(await watch.line(/opened/)).toMatch(/\/1 .*\brunning\b/);
    // A pane is stated as soon as it is there: its name, and what its shell gives way to, may follow.
    await watch.line(/\/1 .*(?: {2}|command=)sleep 1000\b/);
    place.tmux("rename-session", "play");
    expect(await watch.line(/changed .*name=play:0.1/)).toContain("/1");
    place.tmux("kill-pane", "-t", "play:0.1");
    expect(await watch.line(/gone/)).toMatch(/play:0.1 {2}closed$/);
    expect(watch.stdout).not.toContain("\x1b");
  });

  test("it says when the publisher is gone, finds the next one, and says that", async () => {
    const place = new Place();
    place.session();
    const first = await place.serve();
    const watch = place.start(["watch"]);
    await watch.line(/listed/);
    first.program.signal("SIGHUP");
    await watch.until(() => (/no connection/.test(watch.stderr) ? true : undefined));
    await first.program.ended;
    await place.serve();
    await watch.until(() => (/up to date\n/.test(watch.stderr) ? true : undefined));
    place.tmux("split-window", "-d", "exec cat");
    await watch.line(/opened .*\/1 /);
    expect(watch.stdout.match(/(?:listed|gone) +tmux/g)).toEqual(["listed   tmux"]);
  });

  test("without a publisher it says how to start one", async () => {
    const { code, stdout, stderr } = await new Place().run(["watch"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("termtopic serve");
  });

  test("a token that is refused ends it", async () => {
    const place = new Place();
    const { ready } = await place.serve();
    const { code, stderr } = await place.run(["watch", "--url", `${ready.endpoint}#token=wrong`]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("--token-file")]);
  });
});

describe("the live table", () => {
  test("it is drawn anew with each change, and the terminal is given back", async () => {
    const place = new Place();
    place.session();
    await place.serve();
    const shown = place.onTerminal(`stty cols 100 rows 6; exec ${COMMAND} watch`);
    await shown.until(() => /work:0\.0/.exec(shown.stdout) ?? undefined);
    expect(shown.stdout.startsWith("\x1b[?1049h\x1b[?25l")).toBe(true);
    for (const _ of [1, 2, 3, 4, 5]) place.tmux("new-window", "-d", "exec cat");
    await shown.until(() => /and \d+ more/.exec(shown.stdout) ?? undefined);
    shown.child.stdin?.write("\x03");
    const { code, stdout } = await shown.ended;
    expect(code).toBe(0);
    expect(stdout.endsWith("\x1b[?25h\x1b[?1049l")).toBe(true);
  });
});

describe("a command when a row enters a state", () => {
  test("it runs once for each that does, with the row on its input, and not for those that are in it", async () => {
    const place = new Place();
    place.session();
    place.tmux("split-window", "-d", "exit 1");
    await place.ended(1);
    await place.serve();
    const watch = place.start(["watch", "--on", "dead", "--", "cat"]);
    await listens(watch);
    const pane = place.tmux("split-window", "-d", "-P", "-F", "#{pane_id}", "exec cat").trim();
    place.tmux("respawn-pane", "-k", "-t", pane, "exit 3");
    await watch.line(/\/2","state":"dead"/);
    place.tmux("rename-session", "other");
    place.tmux("split-window", "-d", "exit 4");
    await watch.line(/\/3","state":"dead"/);
    watch.signal("SIGTERM");
    const { code, stdout, stderr } = await watch.ended;
    expect([code, stderr]).toEqual([0, "termtopic: runs cat when a terminal becomes dead\n"]);
    const rows = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    for (const row of rows) expect(isValid(TerminalInfo, row)).toBe(true);
    expect(rows.map(({ id }) => id.replace(/.*\//, ""))).toEqual(["2", "3"]);
  });

  test("its failures are told and end nothing", async () => {
    const place = new Place();
    place.session();
    await place.serve();
    const fails = place.start([
      "watch",
      "--json",
      "--on",
      "dead",
      "--",
      "sh",
      "-c",
      "echo said; exit 7",
    ]);
    const missing = place.start(["watch", "--json", "--on", "dead", "--", "no-such-program"]);
    for (const watch of [fails, missing]) await listens(watch);
    for (const round of [1, 2]) {
      place.tmux("split-window", "-d", `exit ${round}`);
      const times = (watch: Program, pattern: RegExp) =>
        watch.until(() => ([...watch.stderr.matchAll(pattern)].length >= round ? true : undefined));
      await times(fails, /sh for tmux:\S+: ended with 7\n/g);
      await times(missing, /no-such-program for tmux:\S+: cannot be run: there is no such file/g);
    }
    // The frames are alone on the output.
    expect(fails.stderr).toContain("said\n");
    for (const line of fails.lines) expect(() => JSON.parse(line)).not.toThrow();
  });

  test("it gets our environment, and what it does with its input is its own affair", async () => {
    const place = new Place();
    place.session();
    await place.serve();
    const script = join(place.folder, "script");
    writeFileSync(script, 'exec <&-; echo "$MARK"');
    const watch = place.start(["watch", "--on", "running", "--", "sh", script], {
      env: { MARK: "kept" },
    });
    await listens(watch);
    place.tmux("split-window", "-d", "exec cat");
    expect(await watch.line(/./)).toBe("kept");
    expect(watch.stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  test("four at most run at once, and the others when their turn comes", async () => {
    const place = new Place();
    place.session();
    await place.serve();
    const gate = join(place.folder, "gate");
    execFileSync("mkfifo", [gate]);
    // Opened for both, so that neither side waits for the other.
    const held = openSync(gate, "r+");
    onTestFinished(() => closeSync(held));
    const script = `echo begins; read line < ${gate}; echo ends`;
    const watch = place.start(["watch", "--on", "dead", "--", "sh", "-c", script]);
    await listens(watch);
    for (const _ of [1, 2, 3, 4, 5, 6]) place.tmux("new-window", "-d", "exit 0");
    const said = (word: string, times: number) =>
      watch.until(() =>
        watch.lines.filter((line) => line === word).length >= times ? 1 : undefined,
      );
    await said("begins", 4);
    writeSync(held, "\n".repeat(6));
    await said("ends", 6);
    let running = 0;
    let most = 0;
    for (const line of watch.lines) {
      running += line === "begins" ? 1 : -1;
      most = Math.max(most, running);
    }
    expect([running, most]).toEqual([0, 4]);
  });
});
