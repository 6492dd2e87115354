import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { InOrder } from "../../../../src/acting/in-order.ts";
import { openTmuxView } from "../../../../src/acting/views/tmux/open.ts";
import { CountingClock, onEnd, PrivateTmux, temporaryFolder } from "../../../inventory/support.ts";
import { FakeClock } from "../../../lib/fake-clock.ts";
import { session, table, until } from "../../support.ts";
import { agree, open, rowOf, shownBy, Watcher } from "./support.ts";

const type = (watcher: Watcher) => watcher.events.map((event) => event.type);

describe("who looks at a pane whose program ends", () => {
  test("is told that it is closed, where tmux takes it away", async () => {
    const tmux = session("exec cat");
    tmux.run("new-session", "-d", "exec cat");
    const watcher = await Watcher.at(rowOf(tmux, "%1"));
    watcher.type("\x04");
    await watcher.until(() => watcher.end !== "open");
    expect(watcher.end).toBeUndefined();
    expect(type(watcher)).toEqual(["attached", "closed"]);
  });

  test.each([
    ["exit 7", { code: 7 }],
    ["kill -TERM $$", { error: "killed by SIGTERM" }],
  ])("%s: sees its last output and is told how, where tmux keeps it", async (command, exited) => {
    const tmux = session("exec cat");
    tmux.run("set-option", "-g", "remain-on-exit", "on");
    tmux.run("new-window", "-d", `echo begun; read -r line; echo bye; ${command}`);
    const watcher = await Watcher.at(rowOf(tmux, "%1"));
    await watcher.until(() => watcher.screen[0] === "begun");
    watcher.type("\r");
    // tmux 3.3a overlooks now and then that a child has ended, and hears of it with the end of another.
    const nudge = setInterval(() => tmux.run("run-shell", "true"), 50);
    onEnd(() => clearInterval(nudge));
    await watcher.until(() => JSON.stringify(watcher.told?.exited) === JSON.stringify(exited));
    await watcher.until(() => watcher.screen.includes("bye"));
    expect(watcher.end).toBe("open");
    const later = await Watcher.at(rowOf(tmux, "%1"));
    expect(later.told?.exited).toEqual(exited);
    expect(later.errors).toEqual([]);
  });

  test("is not shown another one that is started in its place", async () => {
    const tmux = session("exec cat");
    const watcher = await Watcher.at(rowOf(tmux));
    tmux.run("respawn-pane", "-k", "-t", "%0", "echo secret; exec cat");
    await watcher.until(() => watcher.end !== "open");
    expect(watcher.end).toMatchObject({ reason: "changed" });
    expect(watcher.screen.join()).not.toContain("secret");
    const again = await Watcher.at(rowOf(tmux));
    await again.until(() => again.screen[0] === "secret");
  });

  test("is told that it is closed where its server is killed", async () => {
    const tmux = session("exec cat");
    const watcher = await Watcher.at(rowOf(tmux));
    process.kill(tmux.pid, "SIGKILL");
    await watcher.until(() => watcher.end !== "open");
    expect(watcher.end).toBeUndefined();
  });
});

test("a pane that is gone cannot be looked at", async () => {
  const tmux = session("exec cat");
  const row = rowOf(tmux);
  const opened = (id: string) => open({ ...row, id }, new Watcher(), new AbortController().signal);
  await expect(opened(row.id.replace(/0$/, "99"))).rejects.toMatchObject({ reason: "gone" });
  await expect(opened("tmux:nonsense")).rejects.toMatchObject({ reason: "gone" });
  tmux.run("kill-server");
  await expect(opened(row.id)).rejects.toMatchObject({ reason: "gone" });
});

test("who gives up before a pane is shown is told nothing", async () => {
  const tmux = session("exec cat");
  const gaveUp = new AbortController();
  const watcher = new Watcher();
  const opening = open(rowOf(tmux), watcher, gaveUp.signal);
  gaveUp.abort(new Error("gone away"));
  await expect(opening).rejects.toThrow("gone away");
  expect(watcher.events).toEqual([]);
});

test("a server that does not answer is not one that is gone: that is said, and looking goes on when it answers", async () => {
  const tmux = session("exec cat");
  const row = rowOf(tmux);
  const watcher = await Watcher.at(row);
  process.kill(tmux.pid, "SIGSTOP");
  onEnd(() => process.kill(tmux.pid, "SIGCONT"));
  await watcher.until(() => watcher.errors.length > 0);
  expect(watcher.errors).toEqual([expect.stringContaining("suspended")]);
  expect(watcher.end).toBe("open");
  await expect(open(row, new Watcher(), new AbortController().signal)).rejects.toMatchObject({
    reason: "no_answer",
  });
  process.kill(tmux.pid, "SIGCONT");
  watcher.type("again\r");
  await watcher.until(() => watcher.screen.includes("again"));
  await agree(watcher, tmux);
});

describe("a viewer that closes a pane", () => {
  test("is told what runs in it, and ends it where it insists", async () => {
    const tmux = session("exec cat");
    tmux.run("new-session", "-d", "exec bash --norc --noprofile");
    const watcher = await Watcher.at(rowOf(tmux, "%1"));
    watcher.type("sleep 1000\r");
    await watcher.until(() => watcher.screen.some((row) => row.endsWith("sleep 1000")));
    await until(() =>
      tmux.run("display-message", "-p", "-t", "%1", "#{pane_current_command}") === "sleep"
        ? true
        : undefined,
    );
    watcher.view?.close(false);
    await watcher.until(() => type(watcher).includes("busy"));
    expect(watcher.events.find((event) => event.type === "busy")).toMatchObject({
      terminalId: watcher.told?.id,
      program: "sleep",
    });
    watcher.view?.close(true);
    await watcher.until(() => watcher.end !== "open");
    expect(watcher.end).toBeUndefined();
    expect(tmux.panes()).toEqual(["%0"]);
  });
});

describe("after the last looker left", () => {
  const descriptors = () => readdirSync("/proc/self/fd").length;
  const children = () => readdirSync("/proc").filter((name) => isOurChild(name)).length;

  test("there is no timer, no descriptor and no process", async () => {
    const clock = new CountingClock();
    const opens = openTmuxView({ table, order: new InOrder(), clock });
    const tmux = session("while :; do seq 1 100; done");
    const before = { descriptors: descriptors(), children: children() };
    const watchers = await Promise.all([1, 2, 3].map(() => Watcher.at(rowOf(tmux), {}, opens)));
    await Promise.all(watchers.map((watcher) => watcher.until(() => watcher.received > 2_000)));
    expect(clock.waiting).toBeLessThanOrEqual(1);
    for (const watcher of watchers) watcher.view?.leave();
    expect(clock.waiting).toBe(0);
    await until(() => (children() <= before.children ? true : undefined));
    await until(() => (descriptors() <= before.descriptors ? true : undefined));
    const received = watchers.map((watcher) => watcher.received);
    await Watcher.at(rowOf(tmux));
    expect(watchers.map((watcher) => watcher.received)).toEqual(received);
  });
});

function isOurChild(name: string): boolean {
  if (!/^\d+$/.test(name)) return false;
  return table.read(Number(name))?.parent === process.pid;
}

describe("who shows nothing of what it is sent", () => {
  test("is sent no more than the window, and then what is true by then", async () => {
    const tmux = new PrivateTmux(join(temporaryFolder(), "s"));
    tmux.run("new-session", "-d", "-x", "200", "-y", "60", "exec bash --norc --noprofile");
    const slow = await Watcher.at(rowOf(tmux), { acknowledges: false });
    const other = await Watcher.at(rowOf(tmux));
    other.type(
      "while :; do echo $((n += 1)) $RANDOM$RANDOM$RANDOM$RANDOM$RANDOM$RANDOM$RANDOM; done\r",
    );
    await other.until(() => other.received > 400_000);
    expect(slow.received).toBeLessThanOrEqual(256 * 1024);
    other.type("\x03");
    other.type("clear; echo done\r");
    await other.until(() => other.screen.includes("done"));
    slow.acknowledges = true;
    slow.acknowledge(slow.onWay);
    await slow.until(() => slow.screen.includes("done"));
    await agree(slow, tmux);
    await agree(other, tmux);
  });

  test("is given up after half a minute in which its window was full, and costs nothing from then on", async () => {
    const clock = new FakeClock();
    const opens = openTmuxView({ table, order: new InOrder(), clock });
    const tmux = new PrivateTmux(join(temporaryFolder(), "s"));
    const command = "printf %0300000d; exec cat";
    tmux.run("new-session", "-d", "-x", "900", "-y", "600", command);
    await until(() => (shownBy(tmux)[332]?.length === 900 ? true : undefined));
    const slow = await Watcher.at(rowOf(tmux), { acknowledges: false }, opens);
    expect(slow.received).toBe(256 * 1024);
    await clock.advance(29_999);
    expect(slow.end).toBe("open");
    await clock.advance(1);
    expect(slow.end).toMatchObject({ reason: "no_answer" });
    expect(clock.pending).toBe(0);
  });
});
