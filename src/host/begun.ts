import type { Launch } from "./pty/launch.ts";
import type { PtyEvents } from "./pty/pty.ts";
import type { Screen } from "./screen/screen.ts";
import { screenFrom } from "./screen-from.ts";
import type { Outliving, TerminalEvents, TerminalParts, TerminalPty } from "./terminal-options.ts";
import { Unfed } from "./unfed.ts";

/** A program that somebody else keeps, and that outlives this process. */
export interface Begun {
  readonly size: { readonly cols: number; readonly rows: number };
  readonly pid: number;
  readonly tty: string;
  /** Where the output that is still kept begins, in bytes since the program did. */
  readonly start: number;
  /** Gives all output that is kept, from `start` on, then what follows, then the end; nothing before it has answered. To be
   * called once. */
  connect(events: PtyEvents & Partial<TerminalEvents>): TerminalPty & Outliving;
  /** The screen of it. `model` is fed with all output. `temporary` makes another one. */
  screen(model: Screen, temporary: (cols: number, rows: number) => Screen): Screen;
}

/** Begins a program that somebody else keeps. */
export type Begin = (launch: Launch & { readonly historyBytes: number }) => Promise<Begun>;

/** What the screen of a terminal over a begun program begins with. */
export interface ScreenBeginning {
  /** Fed before all output. */
  readonly primer: Uint8Array;
  /** Offset of the first output that it is fed. */
  readonly from: number;
}

/** What a terminal over a begun program is made of. */
export function partsOver(
  begun: Begun,
  parts: TerminalParts,
  { primer, from }: ScreenBeginning,
): TerminalParts {
  const temporary = (cols: number, rows: number) =>
    parts.openScreen({
      cols,
      rows,
      answer() {},
      replay: () => new Uint8Array(0),
      used() {},
    });
  const unfed = new Unfed({ start: begun.start, from, primed: primer.length });
  return {
    ...parts,
    spawn: (_options, events) =>
      begun.connect({
        data: (bytes) => events.data(bytes),
        exit: (exit) => events.exit(exit),
        missed(bytes) {
          unfed.missed(bytes);
          events.missed(bytes);
        },
      }),
    openScreen(options) {
      const model = parts.openScreen(options);
      model.feed(primer, true);
      return begun.screen(screenFrom(unfed, model), temporary);
    },
  };
}
