import type { RecordedOutput } from "./plain/recorded.ts";
import type { Ring } from "./ring.ts";
import type { Signal } from "./signal.ts";
import type { Scanner } from "./vt/scanner.ts";
import { SharedTexts } from "./waits/shared-texts.ts";
import type { OutputSource } from "./waits/source.ts";

/** What is written down of a terminal. */
export interface Recording {
  readonly ring: Ring;
  readonly scanner: Scanner;
  cols(): number;
}

/** A terminal's output as readers of text see it. */
export function recordedOutput({ ring, scanner, cols }: Recording): RecordedOutput {
  return {
    ring,
    scanner,
    get cols() {
      return cols();
    },
  };
}

interface Standing {
  readonly state: string;
  readonly output: Signal;
}

/** A terminal's output as waits see it. */
export function outputSource(recorded: RecordedOutput, terminal: Standing): OutputSource {
  return {
    get end() {
      return recorded.ring.end;
    },
    get isEnded() {
      return terminal.state === "exited";
    },
    get isClosed() {
      return terminal.state === "closed";
    },
    onOutput: (listener) => terminal.output.on(listener),
    texts: new SharedTexts(recorded),
  };
}
