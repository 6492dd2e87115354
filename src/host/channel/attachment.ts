import type { Host } from "../host.ts";
import type { Terminal } from "../terminal.ts";
import { Changes } from "./changes.ts";
import type { TerminalEvent } from "./messages.ts";
import { TypedInput } from "./typed-input.ts";
import { SOCKET_BYTES, Viewer } from "./viewer.ts";
import type { OutputWindow } from "./window.ts";

/** What a connection offers to what it looks at. */
export interface AttachmentWire {
  /** Bytes that wait in it. */
  readonly buffered: number;
  send(event: TerminalEvent): void;
  output(bytes: Uint8Array): void;
  /** Ends the connection. */
  end(): void;
  /** The terminal is gone, and all of its output was sent. */
  closed(): void;
}

export interface AttachmentOptions {
  readonly host: Pick<Host, "clock" | "info" | "turns">;
  readonly terminal: Terminal;
  readonly wire: AttachmentWire;
  readonly window: OutputWindow;
  readonly isReadOnly: boolean;
  /** Resolves when the connection's look before this one paints no more. */
  readonly painted: Promise<void>;
}

/** A connection's look at one terminal: its output, and what else is told of it. */
export class Attachment {
  readonly viewer: Viewer;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  readonly #changes: Changes;
  readonly #typed: TypedInput;
  readonly #unlisten: () => void;
  #resolve = () => {};

  /** Tells the terminal first. */
  constructor({ host, terminal, wire, window, isReadOnly, painted }: AttachmentOptions) {
    const { turns, clock } = host;
    const first = host.info(terminal);
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    wire.send({ type: "attached", terminal: first });
    this.#changes = new Changes({
      clock,
      first,
      read: () => host.info(terminal),
      isClosed: () => terminal.state === "closed",
      tell: (info) => wire.send({ type: "changed", terminal: info }),
      tellClosed: () => wire.closed(),
      mayTell: () => wire.buffered < SOCKET_BYTES,
      isUpToDate: () => this.viewer.isUpToDate,
      window,
    });
    this.#typed = new TypedInput(clock, (bytes) => this.viewer.type(bytes));
    const fail = (message: string) => wire.send({ type: "error", message });
    const viewerWire = {
      get buffered() {
        return wire.buffered;
      },
      output: (bytes: Uint8Array) => wire.output(bytes),
      passed: (from: number, to: number) => this.#passed(from, to),
      skipped: (bytes: number) =>
        wire.send({ type: "skipped", terminalId: terminal.options.id, bytes }),
      refused: fail,
      caughtUp: () => this.#changes.caughtUp(),
      giveUp: (why: string) => {
        fail(why);
        wire.end();
      },
    };
    const options = { terminal, wire: viewerWire, window, turns, clock, isReadOnly, painted };
    this.viewer = new Viewer(options);
    this.#unlisten = terminal.changed.on(() => this.#changes.look());
    // Its program may have ended before anybody came: that is told when the screen has been.
    if (first.exited !== undefined) this.#changes.look();
  }

  get terminal(): Terminal {
    return this.viewer.terminal;
  }

  /** Types what the viewer typed. */
  type(bytes: Uint8Array): void {
    this.#typed.take(bytes);
  }

  end(): void {
    this.#typed.flush();
    this.#unlisten();
    this.#changes.end();
    this.viewer.end();
    this.#resolve();
  }

  #passed(from: number, to: number): void {
    for (const question of this.terminal.questions.between(from, to)) this.#typed.asked(question);
  }
}
