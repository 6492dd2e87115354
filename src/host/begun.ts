import type { Launch } from "./pty/launch.ts";
import type { PtyEvents } from "./pty/pty.ts";
import type { Screen } from "./screen/screen.ts";
import { screenFrom } from "./screen-from.ts";
import type { Outliving, TerminalEvents, TerminalParts, TerminalPty } from "./terminal-options.ts";

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

/** What a terminal over a begun program is made of. `primer`: what its screen is fed before all output. */
export function partsOver(begun: Begun, parts: TerminalParts, primer: Uint8Array): TerminalParts {
  const temporary = (cols: number, rows: number) =>
    parts.openScreen({
      cols,
      rows,
      answer() {},
      replay: () => new Uint8Array(0),
      used() {},
    });
  const unfed = { bytes: begun.start - primer.length };
  return {
    ...parts,
    spawn: (_options, events) =>
      begun.connect({
        data: (bytes) => events.data(bytes),
        exit: (exit) => events.exit(exit),
        missed(bytes) {
          unfed.bytes += bytes;
          events.missed(bytes);
        },
      }),
    openScreen(options) {
      const screen = begun.screen(screenFrom(unfed, parts.openScreen(options)), temporary);
      screen.feed(primer, true);
      return screen;
    },
  };
}
