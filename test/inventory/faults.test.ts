import { mkdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PrivateTmux, type Subscriber, subscribe, temporaryFolder } from "./support.ts";

const IDLE = "exec cat";

const source = (subscriber: Subscriber, tmux: PrivateTmux) =>
  subscriber.sources.find(({ name }) => name === tmux.socket);

const rowsOf = (subscriber: Subscriber, tmux: PrivateTmux) =>
  subscriber.rows.filter(({ id }) => id.includes(`@${tmux.pid}.`));

/** Two servers with two panes each, one of which has a fault made to it. */
async function twoServers() {
  const folder = temporaryFolder();
  const [faulty, well] = [new PrivateTmux(join(folder, "a")), new PrivateTmux(join(folder, "b"))];
  for (const tmux of [faulty, well]) {
    tmux.run("new-session", "-d", "-s", "one", IDLE);
    tmux.run("split-window", "-d", "-t", "one", IDLE);
  }
  const subscriber = await subscribe([folder]);
  // A name is the last thing that becomes known of a pane.
  await subscriber.until(({ rows }) =>
    rows.every(({ command, name }) => command[0] === "cat" && name !== undefined),
  );
  expect(subscriber.rows).toHaveLength(4);
  return { folder, faulty, well, subscriber };
}

/** The other server still tells its changes. */
async function expectUnaffected(subscriber: Subscriber, well: PrivateTmux): Promise<void> {
  const before = rowsOf(subscriber, well).length;
  well.run("split-window", "-d", "-t", "one", IDLE);
  await subscriber.until(() => rowsOf(subscriber, well).length === before + 1);
  expect(source(subscriber, well)).toMatchObject({ status: "ok" });
}

describe("a tmux server with a fault", () => {
  test("that is stopped keeps its rows, is failing, and is well again once it is continued", async () => {
    const { faulty, well, subscriber } = await twoServers();
    const before = rowsOf(subscriber, faulty);
    process.kill(faulty.pid, "SIGSTOP");
    await subscriber.until((s) => source(s, faulty)?.status === "failing");
    expect(source(subscriber, faulty)?.error?.code).toBe("stopped");
    expect(rowsOf(subscriber, faulty)).toEqual(before);
    await expectUnaffected(subscriber, well);
    expect(rowsOf(subscriber, faulty)).toEqual(before);
    process.kill(faulty.pid, "SIGCONT");
    await subscriber.until((s) => source(s, faulty)?.status === "ok");
    faulty.run("split-window", "-d", "-t", "one", IDLE);
    await subscriber.until(() => rowsOf(subscriber, faulty).length === 3);
  });

  test("that was stopped before anybody looked is listed by what its panes say of themselves", async () => {
    const folder = temporaryFolder();
    const tmux = new PrivateTmux(join(folder, "a"));
    tmux.run("new-session", "-d", "-s", "one", IDLE);
    tmux.run("split-window", "-d", "-t", "one", IDLE);
    process.kill(tmux.pid, "SIGSTOP");
    const subscriber = await subscribe([folder]);
    await subscriber.until(({ rows }) => rows.length === 2);
    expect(source(subscriber, tmux)).toMatchObject({ status: "failing" });
    expect(subscriber.rows.map(({ command }) => command)).toEqual([["cat"], ["cat"]]);
    const ids = subscriber.rows.map(({ id }) => id).sort();
    process.kill(tmux.pid, "SIGCONT");
    await subscriber.until((s) => source(s, tmux)?.status === "ok");
    expect(subscriber.rows.map(({ id }) => id).sort()).toEqual(ids);
  });

  test("whose socket is deleted is failing, its panes come and go by their processes, and SIGUSR1 heals it", async () => {
    const { faulty, well, subscriber } = await twoServers();
    const [first] = rowsOf(subscriber, faulty);
    unlinkSync(faulty.socket);
    await subscriber.until((s) => source(s, faulty)?.status === "failing");
    expect(source(subscriber, faulty)?.error?.code).toBe("socket_deleted");
    expect(rowsOf(subscriber, faulty)).toHaveLength(2);
    await expectUnaffected(subscriber, well);
    process.kill(first?.pid as number, "SIGTERM");
    await subscriber.until(() => rowsOf(subscriber, faulty).length === 1);
    process.kill(faulty.pid, "SIGUSR1");
    await subscriber.until((s) => source(s, faulty)?.status === "ok");
    expect(rowsOf(subscriber, faulty)).toHaveLength(1);
  });

  test("that makes its socket again is the one that is asked, and not who had the path meanwhile", async () => {
    const folder = temporaryFolder();
    const older = new PrivateTmux(join(folder, "s"));
    older.run("new-session", "-d", "-s", "one", IDLE);
    unlinkSync(older.socket);
    const younger = new PrivateTmux(older.socket);
    younger.run("new-session", "-d", "-s", "one", IDLE);
    younger.run("split-window", "-d", "-t", "one", IDLE);
    const subscriber = await subscribe([folder]);
    await subscriber.until(({ rows }) => rows.length === 3);
    process.kill(older.pid, "SIGUSR1");
    const failing = ({ sources }: Subscriber) =>
      sources.filter(({ status }) => status === "failing").map(({ name }) => name);
    await subscriber.until(
      (s) => failing(s).length === 1 && rowsOf(s, older)[0]?.name !== undefined,
    );
    // Each source is called by the path, the one that was found later with its pid.
    expect(subscriber.sources.map(({ status }) => status).sort()).toEqual(["failing", "ok"]);
    expect(rowsOf(subscriber, younger)).toHaveLength(2);
    expect(rowsOf(subscriber, older)).toHaveLength(1);
  });

  test("that ends takes its rows with it, and a new one on its socket brings its own", async () => {
    const { faulty, well, subscriber } = await twoServers();
    const old = rowsOf(subscriber, faulty).map(({ id }) => id);
    const ended = faulty.pid;
    process.kill(ended, "SIGKILL");
    await subscriber.until(({ rows }) => rows.length === 2);
    const removals = subscriber.frames.flatMap(({ frame }) =>
      frame.data.terminals.filter((element) => "removed" in element),
    );
    expect(removals.map(({ id }) => id).sort()).toEqual(old.sort());
    for (const removal of removals) expect(removal).toMatchObject({ reason: "source_gone" });
    const again = new PrivateTmux(faulty.socket);
    again.run("new-session", "-d", "-s", "one", IDLE);
    await subscriber.until(({ rows }) => rows.length === 3);
    expect(rowsOf(subscriber, again)).toHaveLength(1);
    expect(source(subscriber, again)).toMatchObject({ status: "ok" });
    await expectUnaffected(subscriber, well);
  });

  test("that has no session is empty and well", async () => {
    const { faulty, well, subscriber } = await twoServers();
    faulty.run("set-option", "-s", "exit-empty", "off");
    faulty.run("kill-session", "-t", "one");
    await subscriber.until(({ rows }) => rows.length === 2);
    expect(source(subscriber, faulty)).toMatchObject({ status: "ok" });
    faulty.run("new-session", "-d", "-s", "again", IDLE);
    await subscriber.until(() => rowsOf(subscriber, faulty).length === 1);
    await expectUnaffected(subscriber, well);
  });
});

describe("no tmux at all", () => {
  test("is a source that is absent, with no row and no error", async () => {
    const path = process.env["PATH"];
    process.env["PATH"] = temporaryFolder();
    try {
      const subscriber = await subscribe([temporaryFolder()]);
      expect(subscriber.rows).toEqual([]);
      expect(subscriber.sources).toMatchObject([{ scheme: "tmux", status: "absent" }]);
      expect(subscriber.sources[0]).not.toHaveProperty("error");
    } finally {
      process.env["PATH"] = path;
    }
  });

  test("becomes well as soon as a server starts, in a folder that did not exist", async () => {
    const folder = join(temporaryFolder(), "not", "yet");
    const subscriber = await subscribe([folder]);
    expect(subscriber.sources).toMatchObject([{ scheme: "tmux", status: "absent" }]);
    mkdirSync(folder, { recursive: true });
    const tmux = new PrivateTmux(join(folder, "s"));
    tmux.run("new-session", "-d", "-s", "one", IDLE);
    await subscriber.until(({ rows }) => rows.length === 1);
    expect(subscriber.sources).toMatchObject([{ name: tmux.socket, status: "ok" }]);
  });
});
