import { describe, expect, test } from "vitest";
import type { PrivateTmux } from "../../../inventory/support.ts";
import { session, until } from "../../support.ts";
import { agree, rowOf, shownBy, Watcher } from "./support.ts";

/** A shell that shows no prompt. Lines that are typed into it are commands. */
function quietShell(limit = 2_000): PrivateTmux {
  const tmux = session("exec cat");
  tmux.run("set-option", "-g", "history-limit", String(limit));
  tmux.run("new-window", "-d", 'stty -echo; echo ready; while read -r line; do eval "$line"; done');
  return tmux;
}

async function watched(tmux: PrivateTmux): Promise<Watcher> {
  await until(() => (shownBy(tmux, "%1")[0] === "ready" ? true : undefined));
  return Watcher.at(rowOf(tmux, "%1"));
}

/** The numbers that were printed, in the order of the rows that show them. */
const numbers = (rows: readonly string[]) => rows.filter((row) => /^\d+$/.test(row)).map(Number);

const all = (watcher: Watcher) => numbers([...watcher.history, ...watcher.screen]);

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe("lines that leave the screen of a pane", () => {
  test("are above the screen of who looks at it, each once and in order", async () => {
    const tmux = quietShell();
    const watcher = await watched(tmux);
    let last = 0;
    for (const count of [1, 5, 17, 23, 24, 25, 60, 61, 130, 2, 400]) {
      watcher.type(`seq ${last + 1} ${last + count}\r`);
      last += count;
      await watcher.until(() => numbers(watcher.screen).at(-1) === last);
      expect(all(watcher)).toEqual(upTo(last));
    }
    expect(watcher.history[0]).toBe("ready");
    expect(watcher.events.filter(({ type }) => type === "skipped")).toEqual([]);
  });

  test("are there once also when the history of the pane is full and loses its oldest", async () => {
    const tmux = quietShell(100);
    const watcher = await watched(tmux);
    let last = 0;
    for (let round = 0; round < 40; round += 1) {
      const count = 1 + ((round * 7) % 31);
      watcher.type(`seq ${last + 1} ${last + count}\r`);
      last += count;
      await watcher.until(() => numbers(watcher.screen).at(-1) === last);
      expect(all(watcher)).toEqual(upTo(last));
    }
  });

  test("and were too many are told as skipped; what is shown is in order, each once", async () => {
    const tmux = quietShell(500);
    const watcher = await watched(tmux);
    watcher.type("seq 1 10\r");
    await watcher.until(() => numbers(watcher.screen).at(-1) === 10);
    watcher.type("seq 11 200000; seq 200001 200020\r");
    await watcher.until(() => numbers(watcher.screen).at(-1) === 200_020);
    const shown = all(watcher);
    expect(shown).toEqual([...new Set(shown)].sort((a, b) => a - b));
    expect(shown.slice(0, 10)).toEqual(upTo(10));
    const skipped = watcher.events.flatMap((event) => (event.type === "skipped" ? [event] : []));
    expect(skipped.length).toBeGreaterThan(0);
    for (const { bytes } of skipped) expect(bytes).toBeGreaterThan(0);
  });

  test("come with the first screen, the last of them", async () => {
    const tmux = quietShell();
    tmux.run("send-keys", "-t", "%1", "seq 1 1000", "Enter");
    await until(() => (shownBy(tmux, "%1").includes("1000") ? true : undefined));
    const watcher = await Watcher.at(rowOf(tmux, "%1"));
    await watcher.until(() => watcher.screen.includes("1000"));
    const shown = all(watcher);
    expect(shown).toEqual(upTo(1_000).slice(-shown.length));
    expect(watcher.history).toHaveLength(300);
    watcher.type("seq 1001 1100\r");
    await watcher.until(() => watcher.screen.includes("1100"));
    expect(all(watcher)).toEqual(upTo(1_100).slice(1_000 - shown.length));
  });

  test("are gone where the pane's history was taken away", async () => {
    const tmux = quietShell();
    const watcher = await watched(tmux);
    watcher.type("seq 1 100\r");
    await watcher.until(() => watcher.screen.includes("100"));
    tmux.run("clear-history", "-t", "%1");
    await watcher.until(() => watcher.history.length === 0);
    watcher.type("seq 101 150\r");
    await watcher.until(() => watcher.screen.includes("150"));
    expect(all(watcher)).toEqual(upTo(150).slice(100 - 23));
  });

  test("stay there while a program has the screen to itself", async () => {
    const tmux = quietShell();
    const watcher = await watched(tmux);
    watcher.type(
      "seq 1 60; printf '\\033[?1049h\\033[Hother'; read -r line; printf '\\033[?1049l'\r",
    );
    await watcher.until(() => watcher.screen[0]?.startsWith("other") === true);
    expect(watcher.terminal.buffer.active.type).toBe("alternate");
    watcher.type("\rseq 61 90\r");
    await watcher.until(() => watcher.screen.includes("90"));
    expect(watcher.terminal.buffer.active.type).toBe("normal");
    expect(all(watcher)).toEqual(upTo(90));
  });

  test("come before a screen that a program has to itself, for who begins to look then", async () => {
    const tmux = quietShell();
    tmux.run(
      "send-keys",
      "-t",
      "%1",
      "seq 1 60; printf '\\033[?1049h\\033[Hother'; read -r line; printf '\\033[?1049l'",
      "Enter",
    );
    await until(() => (shownBy(tmux, "%1")[0]?.startsWith("other") ? true : undefined));
    const watcher = await Watcher.at(rowOf(tmux, "%1"));
    await watcher.until(() => watcher.terminal.buffer.active.type === "alternate");
    watcher.type("\rseq 61 90\r");
    await watcher.until(() => watcher.screen.includes("90"));
    expect(all(watcher)).toEqual(upTo(90));
  });
});

describe("a pane that is resized while it is looked at", () => {
  test("is told in its new size, and shown in it", async () => {
    const tmux = quietShell();
    const watcher = await watched(tmux);
    watcher.type(`seq 1 40; echo ${"wide ".repeat(20)}\r`);
    await watcher.until(() => watcher.screen.includes("40"));
    for (const [cols, rows] of [
      [40, 30],
      [120, 10],
      [80, 24],
    ] as const) {
      tmux.run("resize-window", "-t", "%1", "-x", String(cols), "-y", String(rows));
      await watcher.until(() => watcher.told?.cols === cols && watcher.told.rows === rows);
      await watcher.until(() => watcher.screen.some((row) => row.includes("wide")));
      const lines = tmux.run("capture-pane", "-p", "-t", "%1", "-S", "-", "-E", "-1").split("\n");
      await watcher.until(() => watcher.history.length === lines.length);
      expect(watcher.history).toEqual(lines.map((line) => line.trimEnd()));
    }
  });

  test("is never given a size by who looks at it", async () => {
    const tmux = session("exec cat");
    const watcher = await Watcher.at(rowOf(tmux));
    expect(watcher.told?.fixedSize).toBe(true);
    watcher.view?.resize(100, 40);
    expect(watcher.errors).toEqual([expect.stringContaining("its own clients make it")]);
    expect(tmux.run("display-message", "-p", "#{pane_width}x#{pane_height}")).toBe("80x24");
    await agree(watcher, tmux);
  });
});
