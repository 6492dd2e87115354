import type { Host } from "../host.ts";
import type { Terminal } from "../terminal.ts";
import { Changes } from "./changes.ts";
import type { TerminalEvent } from "./messages.ts";
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
  /** The terminal is gone. */
  closed(): void;
}

export interface AttachmentOptions {
  readonly host: Host;
  readonly terminal: Terminal;
  readonly wire: AttachmentWire;
  readonly window: OutputWindow;
  readonly isReadOnly: boolean;
}

/** A connection's look at one terminal: its output, and what else is told of it. */
export class Attachment {
  readonly viewer: Viewer;
  readonly #changes: Changes;
  readonly #unlisten: () => void;

  /** Tells the terminal first. */
  constructor({ host, terminal, wire, window, isReadOnly }: AttachmentOptions) {
    const { turns, clock } = host;
    const first = host.info(terminal);
    wire.send({ type: "attached", terminal: first });
    this.#changes = new Changes({
      clock,
      first,
      read: () => host.info(terminal),
      tell: (info) => wire.send({ type: "changed", terminal: info }),
      mayTell: () => wire.buffered < SOCKET_BYTES,
      isUpToDate: () => this.viewer.isUpToDate,
    });
    const fail = (message: string) => wire.send({ type: "error", message });
    const viewerWire = {
      get buffered() {
        return wire.buffered;
      },
      output: (bytes: Uint8Array) => wire.output(bytes),
      skipped: (bytes: number) =>
        wire.send({ type: "skipped", terminalId: terminal.options.id, bytes }),
      refused: fail,
      caughtUp: () => this.#changes.caughtUp(),
      giveUp: (why: string) => {
        fail(why);
        wire.end();
      },
    };
    this.viewer = new Viewer({ terminal, wire: viewerWire, window, turns, clock, isReadOnly });
    this.#unlisten = terminal.changed.on(() => {
      if (terminal.state === "closed") wire.closed();
      else this.#changes.look();
    });
  }

  get terminal(): Terminal {
    return this.viewer.terminal;
  }

  end(): void {
    this.#unlisten();
    this.#changes.end();
    this.viewer.end();
  }
}
