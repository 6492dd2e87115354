import type { TerminalInfo } from "../../host/channel/messages.ts";
import type { Viewer, ViewerOptions } from "../../host/client/viewer.ts";
import type { Cancel, Clock } from "../../time/clock.ts";
import type { OwnTerminal } from "./own-terminal.ts";
import { Typing } from "./typing.ts";

/** How long a sequence may take to go on that a terminal has begun to send, in milliseconds. Escape pressed as a key is
 * held back as long, which nobody notices. */
const SEQUENCE_MS = 20;

/** Why a terminal is not looked at any more.
 *
 * - `detached`: somebody wanted that.
 * - `suspended`: for a while only.
 * - `exited`: its program has ended, and all output was shown.
 * - `closed`: it was taken away. */
export type LookEnd = "detached" | "suspended" | "exited" | "closed";

export interface LookOptions {
  readonly own: OwnTerminal;
  readonly clock: Clock;
  /** Whether only the keys to leave by are heeded. */
  readonly readOnly: boolean;
  readonly detachKeys: readonly string[];
  /** Whether the person's terminal is far away. */
  readonly slowLink: boolean;
  /** Whether the terminal is to have the size of the one that shows it. */
  readonly resizes: boolean;
}

/** How a look at a terminal went. */
export interface Looked {
  readonly end: LookEnd;
  readonly terminal: TerminalInfo;
  /** What the host could not do meanwhile. */
  readonly problems: readonly string[];
}

/** Shows a terminal on the person's own one and types into it what is typed there, until one of both has an end. Rejects
 * where the connection ends before; the person's terminal is as it was then too. */
export function look(
  view: (options: ViewerOptions) => Promise<Viewer>,
  options: LookOptions,
): Promise<Looked> {
  return new Look(options).run(view);
}

class Look {
  readonly #options: LookOptions;
  readonly #typing: Typing;
  readonly #problems: string[] = [];
  #viewer: Viewer | undefined;
  #end: LookEnd | undefined;
  #unfinished: Cancel | undefined;

  constructor(options: LookOptions) {
    this.#options = options;
    this.#typing = new Typing(options.detachKeys, (part) => options.own.answers(part));
  }

  async run(view: (options: ViewerOptions) => Promise<Viewer>): Promise<Looked> {
    const { own, slowLink } = this.#options;
    const viewer = await view({
      slowLink,
      exited: () => this.#finish("exited"),
      error: (message) => this.#problems.push(message),
    });
    this.#viewer = viewer;
    // A program that had ended before without output is told of before there is a viewer to leave.
    if (this.#end !== undefined) viewer.leave();
    try {
      this.#enter();
      for await (const bytes of viewer) {
        if (this.#end !== undefined) break;
        await own.write(bytes);
      }
    } finally {
      this.#unfinished?.();
      viewer.leave();
      await own.settled();
      own.leave();
    }
    return {
      end: this.#end ?? "closed",
      terminal: viewer.terminal,
      problems: this.#problems,
    };
  }

  #enter(): void {
    const { own } = this.#options;
    own.enter({
      typed: (bytes) => this.#typed(bytes),
      resized: () => this.#resize(),
      suspended: () => this.#finish("suspended"),
      ended: () => this.#finish("detached"),
    });
    this.#resize();
  }

  #finish(end: LookEnd): void {
    this.#end ??= end;
    this.#viewer?.leave();
  }

  #resize(): void {
    const { own, readOnly, resizes } = this.#options;
    const { size } = own;
    if (size === undefined || readOnly || !resizes) return;
    this.#viewer?.resize(size.cols, size.rows);
  }

  #typed(bytes: Uint8Array): void {
    this.#unfinished?.();
    this.#unfinished = undefined;
    const taken = this.#typing.take(bytes);
    this.#send(taken.bytes);
    if (taken.isDetached) this.#finish("detached");
    else if (this.#typing.isUnfinished) {
      this.#unfinished = this.#options.clock.schedule(SEQUENCE_MS, () => {
        this.#send(this.#typing.flush());
      });
    }
  }

  #send(bytes: Uint8Array): void {
    const { own, readOnly } = this.#options;
    const viewer = this.#viewer;
    if (viewer === undefined || readOnly || bytes.length === 0) return;
    if (viewer.write(bytes)) return;
    own.reads(false);
    void viewer.drained().then(() => own.reads(true));
  }
}
