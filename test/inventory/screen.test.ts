import { readdirSync, readFileSync, rmSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { ScreenSource } from "../../src/inventory/screen.ts";
import { createProcessTable } from "../../src/processes/index.ts";
import { systemClock } from "../../src/time/clock.ts";
import { Listener, tableOfTest, temporaryFolder, until } from "./managers.ts";
import { nameOf, PrivateScreen } from "./private-screen.ts";
import { subscribe } from "./support.ts";
import { startServer } from "./unit/tmux/support.ts";

/** Of the rows of that server: what the tests look at. Other servers of this host are none of theirs. */
function rowsOf(listener: Listener, screen: PrivateScreen, key = screen.key) {
  return listener.rows.filter(({ id }) => id.startsWith(`screen:${key}/`));
}

const listening = () =>
  new Listener(new ScreenSource({ clock: systemClock, table: tableOfTest() }));

describe("a session of screen", () => {
  test("has each of its windows as a terminal, with its process, its device and the name of the session", async () => {
    const screen = await PrivateScreen.start("work");
    screen.window(["sleep", "1000"]);
    const listener = listening();
    await listener.sees(() => rowsOf(listener, screen).length === 2);
    const rows = rowsOf(listener, screen);
    expect(rows.map(({ id, name, state }) => ({ id, name, state }))).toEqual([
      { id: `screen:${screen.key}/0`, name: "work", state: "running" },
      { id: `screen:${screen.key}/1`, name: "work", state: "running" },
    ]);
    const argv = ({ rootPid }: (typeof rows)[number]) =>
      readFileSync(`/proc/${rootPid}/cmdline`, "utf8").split("\0", 1)[0];
    await until(() => rows.map(argv).join() === "cat,sleep");
    expect(rows.map(({ tty }) => /^\/dev\/pts\/\d+$/.test(tty ?? ""))).toEqual([true, true]);
  });

  test("loses a window that is closed, and is gone once its server has ended", async () => {
    const screen = await PrivateScreen.start("short");
    const { key } = screen;
    screen.window();
    const listener = listening();
    await listener.sees(() => rowsOf(listener, screen).length === 2);
    screen.run("-S", String(screen.pid), "-p", "1", "-X", "kill");
    await listener.sees(() => rowsOf(listener, screen).length === 1);
    expect(rowsOf(listener, screen)[0]?.id).toBe(`screen:${key}/0`);
    screen.end();
    // It may be seen without a window first.
    const place = () => listener.readings.filter(({ name }) => name === `${screen.pid}.short`);
    await listener.sees(() => place().at(-1)?.finding.kind === "gone");
    expect(rowsOf(listener, screen, key)).toEqual([]);
  });

  test("is gone with its server, for which reason its windows are", async () => {
    const [screen, other] = [
      await PrivateScreen.start("killed"),
      await PrivateScreen.start("kept"),
    ];
    screen.window();
    const { key } = screen;
    const table = createProcessTable({ clock: systemClock });
    onTestFinished(() => table.close());
    const source = new ScreenSource({ clock: systemClock, table });
    const subscriber = await subscribe([], { table, sources: [source] });
    const rows = () => subscriber.rows.filter(({ id }) => id.startsWith(`screen:${key}/`));
    await subscriber.until(() => rows().length === 2);
    const before = rows().map(({ id }) => id);
    const places = () => subscriber.sources.map(({ name }) => name);
    expect(places()).toContain(`${screen.pid}.killed`);
    process.kill(screen.pid, "SIGKILL");
    await subscriber.until(() => rows().length === 0);
    const removals = subscriber.frames.flatMap(({ frame }) =>
      frame.data.terminals.filter((element) => "removed" in element),
    );
    const own = removals.filter(({ id }) => before.includes(id));
    expect(own.map(({ id }) => id).sort()).toEqual(before.sort());
    for (const removal of own) expect(removal).toMatchObject({ reason: "source_gone" });
    expect(places()).not.toContain(`${screen.pid}.killed`);
    expect(places()).toContain(`${other.pid}.kept`);
  });

  test("is told from another one of the same name", async () => {
    const [one, other] = [await PrivateScreen.start("twin"), await PrivateScreen.start("twin")];
    const listener = listening();
    await listener.sees(
      () => rowsOf(listener, one).length === 1 && rowsOf(listener, other).length === 1,
    );
    expect(rowsOf(listener, one)[0]).toMatchObject({ name: "twin" });
    expect(rowsOf(listener, other)[0]).toMatchObject({ name: "twin" });
  });

  test("is called what it is renamed to, as soon as it is, and its windows stay who they are", async () => {
    const screen = await PrivateScreen.start("before");
    const listener = listening();
    await listener.sees(() => rowsOf(listener, screen)[0]?.name === "before");
    const [row] = rowsOf(listener, screen);
    screen.run("-S", String(screen.pid), "-X", "sessionname", "after wards");
    await listener.until(() => rowsOf(listener, screen)[0]?.name === "after wards");
    expect(rowsOf(listener, screen)[0]?.id).toBe(row?.id);
  });

  test("that two panes of tmux show is one terminal, and none of the panes'", async () => {
    const screen = await PrivateScreen.start("shown");
    const tmux = await startServer();
    const attach = `SCREENDIR=${screen.folder} exec screen -x ${screen.pid}`;
    for (const _ of ["one", "two"]) await tmux.command("split-window", "-d", attach);
    const panes = await tmux.command("list-panes", "-F", "#{pane_pid} #{pane_tty}");
    const [, first = "", second = ""] = panes.split("\n");
    await until(() =>
      [first, second].every((pane) => nameOf(pane.split(" ")[0] ?? "") === "screen"),
    );
    const listener = listening();
    await listener.sees(() => rowsOf(listener, screen).length === 1);
    const ttys = new Set(listener.rows.map(({ tty }) => tty));
    expect([first, second].filter((pane) => ttys.has(pane.split(" ")[1]))).toEqual([]);
  });

  test("keeps its windows and their names where its socket was deleted", async () => {
    const screen = await PrivateScreen.start("lost");
    rmSync(screen.socket);
    const listener = listening();
    await listener.sees(() => rowsOf(listener, screen).length === 1);
    expect(rowsOf(listener, screen)[0]).toMatchObject({ name: "lost" });
  });
});

describe("a window of screen", () => {
  test("stays the same where it runs something without its variables", async () => {
    const screen = await PrivateScreen.start("exec", [
      "sh",
      "-c",
      "read line; exec env -i sleep 1000",
    ]);
    const listener = listening();
    await listener.sees(() => rowsOf(listener, screen).length === 1);
    const [row] = rowsOf(listener, screen);
    screen.run("-S", String(screen.pid), "-p", "0", "-X", "stuff", "go\r");
    await until(() => /sleep/.test(readFileSync(`/proc/${row?.rootPid}/cmdline`, "utf8")));
    const { length } = listener.readings;
    await listener.sees(() => listener.readings.length > length + 1);
    expect(rowsOf(listener, screen)).toEqual([row]);
  });

  test("is named by its process where it never had them, or its number is another window's", async () => {
    const screen = await PrivateScreen.start("odd", ["env", "-i", "sleep", "1000"]);
    await until(() => screen.programs().join() === "sleep");
    screen.window();
    const clean = new RegExp(`^screen:${screen.key}/\\d+\\.\\d+$`);
    const seenLate = listening();
    await seenLate.sees(() => rowsOf(seenLate, screen).length === 2);
    expect(rowsOf(seenLate, screen)[0]?.id).toMatch(clean);
    expect(rowsOf(seenLate, screen)[0]?.name).toBe("odd");
    expect(rowsOf(seenLate, screen)[1]?.id).toBe(`screen:${screen.key}/1`);
    screen.run("-S", String(screen.pid), "-p", "1", "-X", "number", "7");
    screen.window();
    await seenLate.sees(() => rowsOf(seenLate, screen).length === 3);
    // Which of them has which number by now is not to be seen, so no name says so.
    expect(rowsOf(seenLate, screen).map(({ name }) => name)).toEqual(["odd", "odd", "odd"]);
    expect(rowsOf(seenLate, screen)[1]?.id).toBe(`screen:${screen.key}/1`);
    expect(rowsOf(seenLate, screen)[2]?.id).toMatch(clean);
  });

  test("in which another session was started is one, and that session's are its own", async () => {
    const outer = await PrivateScreen.start("outer");
    const inner = temporaryFolder();
    outer.window(["sh", "-c", `SCREENDIR=${inner} screen -c /dev/null -dmS inner cat; exec cat`]);
    await until(() => readdirSync(inner).length === 1);
    const pid = Number.parseInt(readdirSync(inner)[0] ?? "", 10);
    onTestFinished(() => void process.kill(pid, "SIGTERM"));
    const listener = listening();
    const ofInner = () => listener.rows.filter(({ id }) => id.startsWith(`screen:${pid}.`));
    await listener.sees(() => rowsOf(listener, outer).length === 2 && ofInner().length === 1);
    expect(ofInner()[0]).toMatchObject({ name: "inner" });
  });
});
