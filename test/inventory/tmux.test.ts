import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { onEnd, PrivateTmux, subscribe, temporaryFolder } from "./support.ts";

/** Everything about a server that its user could notice a change of. */
function userState(tmux: PrivateTmux): Record<string, string> {
  const sessions = tmux.run("list-sessions", "-F", "#{session_name}").split("\n");
  const each = (name: string, command: (session: string) => string[]) =>
    Object.fromEntries(sessions.map((s) => [`${name} ${s}`, tmux.run(...command(`=${s}:`))]));
  return {
    clients: tmux.run("list-clients", "-F", "#{client_name}"),
    options: tmux.run("show-options", "-s"),
    global: tmux.run("show-options", "-g"),
    globalWindow: tmux.run("show-options", "-gw"),
    hooks: tmux.run("show-hooks", "-g"),
    environment: tmux.run("show-environment", "-g"),
    windows: tmux.run(
      "list-windows",
      "-a",
      "-F",
      "#{session_id} #{window_id} #{window_width}x#{window_height} #{window_layout} #{session_attached}",
    ),
    ...each("session options", (session) => ["show-options", "-t", session]),
    ...each("session hooks", (session) => ["show-hooks", "-t", session]),
    ...each("session environment", (session) => ["show-environment", "-t", session]),
  };
}

/** A pane's program that does nothing until it is ended. */
const IDLE = "exec cat";

/** Somebody who looks at the server's first session, in a terminal of their own. */
function attachClient(tmux: PrivateTmux): void {
  const attach = `exec tmux -S '${tmux.socket}' attach-session`;
  // Its input stays open and empty; with the server the client ends, and with that the rest.
  const client = spawn("script", ["-qec", attach, "/dev/null"], {
    stdio: ["pipe", "ignore", "ignore"],
    env: { ...process.env, TERM: "xterm-256color", TMUX: "" },
  });
  onEnd(() => client.kill());
}

const ODD_NAMES = [
  "tab\there",
  "new\nline",
  `single' double" back\`tick`,
  "emoji 🦀 e\u0301",
  "a|b,c;d#e%f$g",
];

describe("panes of private servers", () => {
  test("every pane is one valid row, however odd its names and paths, and nothing of the servers changes", async () => {
    const folder = temporaryFolder();
    const tmux = new PrivateTmux(join(folder, "first"));
    tmux.run("new-session", "-d", "-s", "one", "-x", "200", "-y", "50", IDLE);
    tmux.run("new-session", "-d", "-s", "two", IDLE);
    tmux.run("new-session", "-d", "-s", "three", IDLE);
    tmux.run("new-session", "-d", "-s", "🦀 'quoted' \"e\u0301", IDLE);
    tmux.run("new-session", "-d", "-t", "one", "-s", "grouped");
    tmux.run("link-window", "-s", "one:0", "-t", "two:9");
    for (const name of ODD_NAMES) {
      const cwd = join(folder, name);
      mkdirSync(cwd);
      tmux.run("new-window", "-d", "-t", "three:", "-n", name, "-c", cwd, IDLE);
    }
    const invalid = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe, 0x41])]);
    mkdirSync(invalid);
    const quoted = `sh -c 'cd "$(printf "${folder}/\\377\\376A")" && exec cat'`;
    tmux.run("new-window", "-d", "-t", "three:", quoted);
    tmux.run("set-option", "-g", "remain-on-exit", "on");
    tmux.run("new-window", "-d", "-t", "one:", "exit 3");
    // A pane that ends only now that it is to be kept no longer would be gone.
    await tmux.ended(1);
    tmux.run("set-option", "-gu", "remain-on-exit");
    const other = PrivateTmux.named(folder, "second");
    other.run("new-session", "-d", "-s", "x", "printf '\\033]2;a\\ttitle\\033\\\\'; exec cat");

    const before = [userState(tmux), userState(other)];
    let readings = 0;
    const subscriber = await subscribe([folder, dirname(other.socket)], {
      onReading: () => {
        readings += 1;
      },
    });
    await subscriber.until(({ rows }) => rows.some(({ state }) => state === "dead"));
    // A terminal of nobody's that opens and closes makes every server be asked again.
    const asked = readings;
    execFileSync("script", ["-qc", "true", "/dev/null"], { stdio: "ignore" });
    while (readings < asked + 2) await new Promise((turn) => setImmediate(turn));
    const during = [userState(tmux), userState(other)];

    const ids = subscriber.rows.map(({ id }) => id);
    const expected = [
      ...tmux.panes().map((pane) => `first ${pane}`),
      ...other.panes().map((pane) => `second ${pane}`),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(expected.length);
    const names = subscriber.rows.map(({ name }) => name);
    expect(names).toContain("🦀 'quoted' \"e\u0301:0.0");
    const directories = subscriber.rows.map(({ cwd }) => cwd);
    for (const name of ODD_NAMES) expect(directories).toContain(join(folder, name));
    expect(directories).toContain(`${folder}/\ufffd\ufffdA`);
    const dead = subscriber.rows.filter(({ state }) => state === "dead");
    expect(dead).toHaveLength(1);
    expect(dead[0]).toMatchObject({ exit_code: 3 });
    expect(dead[0]).not.toHaveProperty("pid");
    expect(subscriber.rows.filter(({ name }) => name?.startsWith("one:0."))).toHaveLength(1);

    subscriber.end();
    expect(during).toEqual(before);
    expect([userState(tmux), userState(other)]).toEqual(before);
  });

  test("200 panes are 200 rows, each with its process", async () => {
    const folder = temporaryFolder();
    const tmux = new PrivateTmux(join(folder, "many"));
    tmux.run("new-session", "-d", "-s", "many", "-x", "80", "-y", "24", IDLE);
    const more = Array.from({ length: 199 }, () => ["new-window", "-d", "-t", "many:", IDLE, ";"]);
    tmux.run(...more.flat().slice(0, -1));
    const subscriber = await subscribe([tmux.socket]);
    await subscriber.until(({ rows }) => rows.every(({ command }) => command[0] === "cat"));
    expect(subscriber.rows).toHaveLength(200);
    expect(new Set(subscriber.rows.map(({ pid }) => pid)).size).toBe(200);
  });

  test("a row says what the pane is", async () => {
    const folder = temporaryFolder();
    const tmux = new PrivateTmux(join(folder, "s"));
    tmux.run("new-session", "-d", "-s", "work", "-x", "100", "-y", "40", "-c", folder, IDLE);
    const subscriber = await subscribe([tmux.socket]);
    await subscriber.until(
      ({ rows }) => rows[0]?.command[0] === "cat" && rows[0].name !== undefined,
    );
    const [server, start, pid, tty] = tmux
      .run("display-message", "-p", "#{pid} #{start_time} #{pane_pid} #{pane_tty}")
      .split(" ");
    const socket = encodeURIComponent(tmux.socket);
    expect(subscriber.rows[0]).toMatchObject({
      id: `tmux:${socket}@${server}.${start}/0`,
      state: "running",
      command: ["cat"],
      cwd: folder,
      pid: Number(pid),
      tty,
      name: "work:0.0",
      cols: 100,
      rows: 40,
      viewers: 0,
      bell: false,
    });
    expect(subscriber.rows[0]?.start_tick).toMatch(/^\d+$/);
    expect(subscriber.rows[0]).not.toHaveProperty("root_pid");
    const activity = subscriber.rows[0]?.activity_at as number;
    expect(activity % 60_000).toBe(0);
  });

  test("a pane's shell is what its row is about, until a harness runs in it", async () => {
    const folder = temporaryFolder();
    const tmux = new PrivateTmux(join(folder, "s"));
    tmux.run("new-session", "-d", "-s", "work", "-c", folder, "sh");
    const subscriber = await subscribe([tmux.socket]);
    await subscriber.until(({ rows }) => rows[0]?.command[0] === "sh");
    const shell = subscriber.rows[0]?.pid;
    // A stand-in for the harness: its name is what tells it.
    tmux.run("send-keys", 'ln -s "$(command -v cat)" claude && ./claude', "Enter");
    await subscriber.until(({ rows }) => rows[0]?.command[0] === "claude");
    expect(subscriber.rows[0]).toMatchObject({ root_pid: shell });
    expect(subscriber.rows[0]?.pid).not.toBe(shell);
    tmux.run("send-keys", "C-d");
    await subscriber.until(({ rows }) => rows[0]?.pid === shell);
    expect(subscriber.rows[0]).not.toHaveProperty("root_pid");
  });

  test("a detached split of an unattached session is a row, and its end a removal that says why", async () => {
    const tmux = new PrivateTmux(join(temporaryFolder(), "s"));
    tmux.run("new-session", "-d", "-s", "one", IDLE);
    const subscriber = await subscribe([tmux.socket]);
    const pane = tmux.run("split-window", "-d", "-t", "one", "-P", "-F", "#{pane_id}", IDLE);
    await subscriber.until((s) => s.row(pane)?.command[0] === "cat");
    const id = subscriber.row(pane)?.id;
    tmux.run("kill-pane", "-t", pane);
    await subscriber.until((s) => s.row(pane) === undefined);
    const elements = subscriber.frames.flatMap(({ frame }) => frame.data.terminals);
    expect(elements.find((element) => "removed" in element && element.id === id)).toMatchObject({
      reason: "closed",
    });
  });

  test("a pane that dies is never stated dead without how it ended", async () => {
    const tmux = new PrivateTmux(join(temporaryFolder(), "s"));
    tmux.run("new-session", "-d", "-s", "one", IDLE);
    tmux.run("set-option", "-g", "remain-on-exit", "on");
    const subscriber = await subscribe([tmux.socket]);
    const ends = ["exit 7", "kill -KILL $$"].map((end) =>
      tmux.run("split-window", "-d", "-t", "one", "-P", "-F", "#{pane_id}", `exec sh -c '${end}'`),
    );
    await tmux.ended(2);
    await subscriber.until((s) => ends.every((pane) => s.row(pane)?.state === "dead"));
    expect(subscriber.row(ends[0] as string)).toMatchObject({ exit_code: 7 });
    expect(subscriber.row(ends[1] as string)).toMatchObject({ exit_signal: "SIGKILL" });
    const stated = subscriber.frames.flatMap(({ frame }) => frame.data.terminals);
    for (const row of stated) {
      if (!("state" in row) || row.state !== "dead") continue;
      expect([row.exit_code, row.exit_signal]).not.toEqual([undefined, undefined]);
    }
  });

  test("a popup, which inherits its pane's variables, is no row and changes none", async () => {
    const tmux = new PrivateTmux(join(temporaryFolder(), "s"));
    tmux.run("new-session", "-d", "-s", "one", IDLE);
    attachClient(tmux);
    const subscriber = await subscribe([tmux.socket]);
    await subscriber.until(
      (s) => (s.row("%0")?.viewers ?? 0) > 0 && s.row("%0")?.command[0] === "cat",
    );
    const before = subscriber.row("%0");
    // It stays until its program ends, and the command that opens it stays with it.
    const open = `${tmux.socket}.popup`;
    const program = `: > '${open}'; exec cat`;
    const popup = spawn("tmux", ["-S", tmux.socket, "display-popup", "-E", program], {
      stdio: "ignore",
    });
    onEnd(() => popup.kill());
    while (!existsSync(open)) await new Promise((turn) => setImmediate(turn));
    const pane = tmux.run("split-window", "-d", "-t", "one", "-P", "-F", "#{pane_id}", IDLE);
    await subscriber.until((s) => s.row(pane)?.name !== undefined);
    expect(subscriber.rows).toHaveLength(2);
    expect(subscriber.row("%0")).toMatchObject({ pid: before?.pid, id: before?.id });
  });

  test("a bell, a title, a new size and a new directory arrive as changes of their row", async () => {
    const folder = temporaryFolder();
    const tmux = new PrivateTmux(join(folder, "s"));
    tmux.run("new-session", "-d", "-s", "one", "-x", "80", "-y", "24", "sh");
    tmux.run("new-window", "-d", "-t", "one:", IDLE);
    const subscriber = await subscribe([tmux.socket]);
    await subscriber.until((s) => s.row("%0")?.command[0] === "sh");
    tmux.run("send-keys", "-t", "%0", `cd '${folder}'`, "Enter");
    await subscriber.until((s) => s.row("%0")?.cwd === folder);
    tmux.run("resize-window", "-t", "one:0", "-x", "90", "-y", "30");
    tmux.run("select-pane", "-t", "%0", "-T", "my title");
    tmux.run("run-shell", "-t", "%1", "printf '\\a' > #{pane_tty}");
    // Nothing announces these; a terminal that opens makes its server be asked.
    tmux.run("new-window", "-d", "-t", "one:", IDLE);
    await subscriber.until((s) => s.row("%0")?.title === "my title" && s.row("%0")?.cols === 90);
    await subscriber.until((s) => s.row("%1")?.bell === true);
    expect(subscriber.row("%0")).toMatchObject({ cols: 90, rows: 30, bell: false });
  });
});
