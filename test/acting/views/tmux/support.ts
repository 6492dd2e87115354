import { Unicode11Addon } from "@xterm/addon-unicode11";
import xterm from "@xterm/headless";
import { expect, vi } from "vitest";
import type { ActingError } from "../../../../src/acting/failure.ts";
import { InOrder } from "../../../../src/acting/in-order.ts";
import { openTmuxView } from "../../../../src/acting/views/tmux/open.ts";
import type { Looker, View } from "../../../../src/acting/views/view.ts";
import type { TerminalInfo } from "../../../../src/contract/terminals.ts";
import type { ViewEvent, ViewedTerminal } from "../../../../src/contract/view.ts";
import type { PrivateTmux } from "../../../inventory/support.ts";
import { onEnd } from "../../../inventory/support.ts";
import { seenIn, table } from "../../support.ts";

export const open = openTmuxView({ table, order: new InOrder() });

/** A pane as a publisher states it. */
export function rowOf(tmux: PrivateTmux, target = "%0"): TerminalInfo {
  return { instance: "3f9c1a7b5e2d48069c1a7b5e2d480691", command: [], ...seenIn(tmux, target) };
}

export interface WatcherOptions {
  readonly readOnly?: boolean;
  /** Whether it acknowledges what it has shown. Default true. */
  readonly acknowledges?: boolean;
  /** Whether its terminal knows the widths of newer characters. Default true. */
  readonly isNew?: boolean;
}

/** Somebody who looks at a pane in a terminal of their own. */
export class Watcher implements Looker {
  readonly readOnly: boolean;
  readonly events: ViewEvent[] = [];
  readonly terminal: xterm.Terminal;
  /** Of output, in bytes. */
  received = 0;
  /** What was received and not acknowledged. */
  onWay = 0;
  acknowledges: boolean;
  /** `"open"` until it is over. */
  end: "open" | ActingError | undefined = "open";
  view: View | undefined;
  #waiting: { holds: () => boolean; resolve: () => void }[] = [];

  constructor({ readOnly = false, acknowledges = true, isNew = true }: WatcherOptions = {}) {
    this.readOnly = readOnly;
    this.acknowledges = acknowledges;
    this.terminal = new xterm.Terminal({ allowProposedApi: true, scrollback: 5_000 });
    if (isNew) {
      this.terminal.loadAddon(new Unicode11Addon());
      this.terminal.unicode.activeVersion = "11";
    }
    onEnd(() => {
      this.view?.leave();
      this.terminal.dispose();
    });
  }

  /** Looks at a pane. */
  static async at(row: TerminalInfo, options?: WatcherOptions, opens = open): Promise<Watcher> {
    const watcher = new Watcher(options);
    watcher.view = await opens(row, watcher, new AbortController().signal);
    return watcher;
  }

  event(event: ViewEvent): void {
    this.events.push(event);
    if (event.type === "attached" || event.type === "changed") {
      this.terminal.resize(event.terminal.cols, event.terminal.rows);
    }
    this.#look();
  }

  output(bytes: Uint8Array): void {
    this.received += bytes.length;
    this.onWay += bytes.length;
    this.terminal.write(bytes, () => {
      if (this.acknowledges) this.acknowledge(bytes.length);
      this.#look();
    });
  }

  over(why: ActingError | undefined): void {
    this.end = why;
    this.#look();
  }

  acknowledge(bytes: number): void {
    this.onWay -= bytes;
    this.view?.shown(bytes);
  }

  type(text: string): void {
    void this.view?.type(Buffer.from(text));
  }

  /** The terminal as it was told last. */
  get told(): ViewedTerminal | undefined {
    const told = this.events.findLast(({ type }) => type === "attached" || type === "changed");
    return told !== undefined && "terminal" in told ? told.terminal : undefined;
  }

  get errors(): string[] {
    return this.events.flatMap((event) => (event.type === "error" ? [event.message] : []));
  }

  /** The rows of its screen, without blanks at their ends. */
  get screen(): string[] {
    const { buffer, rows } = this.terminal;
    return this.#lines(buffer.active.baseY, buffer.active.baseY + rows);
  }

  /** The lines above its screen. */
  get history(): string[] {
    return this.#lines(0, this.terminal.buffer.normal.baseY);
  }

  get cursor(): { x: number; y: number } {
    const { cursorX: x, cursorY: y } = this.terminal.buffer.active;
    return { x, y };
  }

  /** Resolves as soon as it holds; it is asked whenever something was shown or told. */
  until(holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ holds, resolve }));
  }

  #lines(from: number, to: number): string[] {
    const { active } = this.terminal.buffer;
    return Array.from(
      { length: to - from },
      (_, index) =>
        active
          .getLine(from + index)
          ?.translateToString(true)
          .trimEnd() ?? "",
    );
  }

  #look(): void {
    this.#waiting = this.#waiting.filter(({ holds, resolve }) => {
      if (!holds()) return true;
      resolve();
      return false;
    });
  }
}

/** What a terminal shows, cell by cell, with its cursor. */
function cellsOf({ buffer, rows, cols }: xterm.Terminal): unknown {
  const { active } = buffer;
  const lines = Array.from({ length: rows }, (_, index) => {
    const line = active.getLine(active.baseY + index);
    const cells = Array.from({ length: cols }, (_, column) => {
      const cell = line?.getCell(column);
      const text = cell?.getChars() || " ";
      const style = [
        ...[cell?.getFgColorMode(), cell?.getFgColor(), cell?.getBgColorMode(), cell?.getBgColor()],
        ...[cell?.isBold(), cell?.isDim(), cell?.isItalic(), cell?.isUnderline(), cell?.isBlink()],
        ...[cell?.isInverse(), cell?.isInvisible(), cell?.isStrikethrough()],
      ];
      const isUnseen = text === " " && cell?.isInverse() === 0 && cell.isUnderline() === 0;
      // The colour of a blank's text, and its weight, are not seen.
      const seen = isUnseen ? [style[2], style[3], cell.isStrikethrough()] : style;
      return cell?.getWidth() === 0 ? "" : `${text} ${seen.join(" ")}`;
    });
    return cells.join("|").replace(/(?:\| {2}0 -1 0)+$/, "");
  });
  return { lines, cursor: { x: active.cursorX, y: active.cursorY } };
}

/** What a terminal shows that is given all that tmux captures, in a row for each line. */
async function shownWhole(cols: number, lines: readonly string[]): Promise<xterm.Terminal> {
  const rows = Math.max(1, lines.length);
  const terminal = new xterm.Terminal({ allowProposedApi: true, cols, rows });
  terminal.loadAddon(new Unicode11Addon());
  terminal.unicode.activeVersion = "11";
  await new Promise<void>((resolve) =>
    terminal.write(`\x1b)0\x1b[?7l${lines.join("\r\n")}`, resolve),
  );
  return terminal;
}

/** What tmux says of a pane, and the lines that it captures of it, whole. */
function captured(tmux: PrivateTmux, target: string, format: string, ...range: string[]) {
  const said = tmux.run(
    ...["display-message", "-p", "-t", target, format, ";"],
    ...["capture-pane", "-p", "-e", "-N", "-t", target, ...range, ";"],
    // Keeps blanks at the end from being cut.
    ...["display-message", "-p", "end"],
  );
  const [first = "", ...lines] = said.split("\n").slice(0, -1);
  return { numbers: first.split(" ").map(Number), lines };
}

async function cellsIn(tmux: PrivateTmux, target = "%0"): Promise<unknown> {
  const format = "#{pane_width} #{cursor_x} #{cursor_y}";
  const { numbers, lines } = captured(tmux, target, format);
  const [cols = 0, x = 0, y = 0] = numbers;
  return Object.assign({}, cellsOf(await shownWhole(cols, lines)), { cursor: { x, y } });
}

/** Resolves once a watcher's terminal shows what tmux shows of the pane, in every cell. */
export async function agree(watcher: Watcher, tmux: PrivateTmux): Promise<void> {
  const look = async () => expect(cellsOf(watcher.terminal)).toEqual(await cellsIn(tmux));
  await vi.waitFor(look, { timeout: 10_000, interval: 20 });
}

/** Resolves once the lines above a watcher's main screen are those of the pane's history. */
export async function agreeAbove(watcher: Watcher, tmux: PrivateTmux): Promise<void> {
  const look = async () => {
    const format = "#{pane_width} #{history_size}";
    const { numbers, lines } = captured(tmux, "%0", format, "-S", "-", "-E", "-1");
    const [cols = 0, size = 0] = numbers;
    // Of no history tmux captures the first row of the screen.
    const whole = await shownWhole(cols, size === 0 ? [] : lines);
    expect(textsOf(watcher.terminal, watcher.terminal.buffer.normal.baseY)).toEqual(
      textsOf(whole, size),
    );
  };
  await vi.waitFor(look, { timeout: 10_000, interval: 20 });
}

const textsOf = ({ buffer }: xterm.Terminal, count: number): string[] =>
  Array.from(
    { length: count },
    (_, index) => buffer.normal.getLine(index)?.translateToString(true).trimEnd() ?? "",
  );

/** What tmux shows of a pane, as text. */
export function shownBy(tmux: PrivateTmux, target = "%0"): string[] {
  const height = Number(tmux.run("display-message", "-p", "-t", target, "#{pane_height}"));
  const lines = tmux.run("capture-pane", "-p", "-t", target).split("\n");
  return Array.from({ length: height }, (_, index) => (lines[index] ?? "").trimEnd());
}
