import type { InstanceId, TerminalId } from "../contract/identifiers.ts";
import { isValid } from "../contract/validation.ts";
import {
  VIEW_ACK_BYTES,
  ViewEvent,
  type ViewedTerminal,
  type ViewRequest,
  type ViewTheme,
} from "../contract/view.ts";
import { subprotocols, viewAddress } from "./address.ts";
import { ViewError } from "./view-failure.ts";
import { type ViewSocket, type ViewSocketEvents, webViewSocket } from "./view-socket.ts";

/** Who is told what of a terminal that is looked at. Nothing is told before `viewTerminal` has returned. */
export interface ViewEvents {
  /** Takes output as it comes. `shown` says that it has been shown; without it no more will come after a while. */
  output(bytes: Uint8Array, shown: () => void): void;
  /** The view is there; output that shows the terminal as it is follows. */
  attached?(terminal: ViewedTerminal): void;
  /** Its title, name or size changed, or its program ended: after its last output. */
  changed?(terminal: ViewedTerminal): void;
  /** The viewer fell behind and was not sent so many bytes; what follows shows the screen anew. */
  skipped?(bytes: number): void;
  /** It was not closed: a job runs in it, of that name where it is known. */
  busy?(program: string | undefined): void;
  /** Something was not done. For people. */
  error?(message: string): void;
  /** The terminal was closed. Last. */
  closed?(): void;
  /** The view could not be had, or ended before that. Last. */
  end?(error: ViewError): void;
}

export interface ViewOptions extends ViewEvents {
  /** The publisher's endpoint: an `http` or `https` URL that ends in `/`. */
  readonly endpoint: string;
  /** The terminal, by the id of its row. */
  readonly id: TerminalId;
  /** The instance of its row. Absent: the publisher's own. */
  readonly instance?: InstanceId;
  /** The publisher's token. Absent where the page has its cookie. */
  readonly token?: string;
  /** Types nothing, and has no say in the size. Default false. */
  readonly readOnly?: boolean;
  /** After how many shown bytes it is acknowledged. Less on a slow link makes what a key does show sooner. Default
   * VIEW_ACK_BYTES. */
  readonly ackBytes?: number;
  /** Makes the socket. Default: over the global `WebSocket`. */
  readonly open?: (address: string, protocols: string[], events: ViewSocketEvents) => ViewSocket;
}

/** A terminal that is looked at over a WebSocket of its own. */
export interface TerminalViewer {
  /** As it was last told of. Absent before `attached`. */
  readonly terminal: ViewedTerminal | undefined;
  /** How much of what was typed has not left yet, in bytes: who types a lot waits while it is much. */
  readonly waiting: number;
  /** Types bytes. Before `attached` and after the end nothing is typed. */
  write(bytes: Uint8Array): void;
  resize(cols: number, rows: number): void;
  theme(theme: ViewTheme): void;
  /** Ends the terminal; without `force` not while a job runs in it, which is told as `busy`. */
  close(options?: { readonly force?: boolean }): void;
  /** Looks no more. Nothing is told any more. */
  leave(): void;
}

/** Looks at a listed terminal. A view that ends is not made again: whoever looks decides that, and begins with an empty
 * screen. Throws a `TypeError` where `endpoint` is none. */
export function viewTerminal(options: ViewOptions): TerminalViewer {
  return new Viewer(options);
}

/** How much of what is typed goes in one message, in bytes: a publisher takes none of over 1 MiB. */
const INPUT_BYTES = 64 * 1024;

class Viewer implements TerminalViewer {
  readonly #options: ViewOptions;
  readonly #socket: ViewSocket;
  readonly #ackBytes: number;
  #terminal: ViewedTerminal | undefined;
  #shown = 0;
  /** What the publisher said last that it could not do: where it ends the view then, that is why. */
  #complaint: string | undefined;
  #isOver = false;

  constructor(options: ViewOptions) {
    this.#options = options;
    const { endpoint, token, open = webViewSocket } = options;
    this.#ackBytes = options.ackBytes ?? VIEW_ACK_BYTES;
    this.#socket = open(viewAddress(endpoint, options), subprotocols(token), {
      text: (text) => this.#take(text),
      bytes: (bytes) => this.#show(bytes),
      end: (end) => {
        if (this.#isOver) return;
        this.#isOver = true;
        const error = ViewError.of(end, this.#complaint);
        if (error === undefined) this.#options.closed?.();
        else this.#options.end?.(error);
      },
    });
  }

  get terminal(): ViewedTerminal | undefined {
    return this.#terminal;
  }

  get waiting(): number {
    return this.#socket.waiting;
  }

  write(bytes: Uint8Array): void {
    if (this.#terminal === undefined || this.#isOver) return;
    for (let at = 0; at < bytes.length; at += INPUT_BYTES) {
      this.#socket.send(bytes.subarray(at, at + INPUT_BYTES));
    }
  }

  resize(cols: number, rows: number): void {
    this.#ask({ type: "resize", cols, rows });
  }

  theme(theme: ViewTheme): void {
    this.#ask({ type: "theme", ...theme });
  }

  close({ force = false }: { readonly force?: boolean } = {}): void {
    this.#ask({ type: "close", ...(force ? { force } : {}) });
  }

  leave(): void {
    this.#isOver = true;
    this.#socket.close();
  }

  #ask(request: ViewRequest): void {
    if (this.#terminal !== undefined && !this.#isOver) this.#socket.send(JSON.stringify(request));
  }

  #show(bytes: Uint8Array): void {
    if (this.#isOver) return;
    let isShown = false;
    this.#options.output(bytes, () => {
      if (isShown) return;
      isShown = true;
      this.#acknowledge(bytes.length);
    });
  }

  #acknowledge(bytes: number): void {
    this.#shown += bytes;
    if (this.#shown < this.#ackBytes) return;
    this.#ask({ type: "ack", bytes: this.#shown });
    this.#shown = 0;
  }

  #take(text: string): void {
    if (this.#isOver) return;
    const event = eventIn(text);
    // A newer publisher may say more than is known here.
    if (event === undefined) return;
    const options = this.#options;
    switch (event.type) {
      case "attached":
        this.#terminal = event.terminal;
        options.attached?.(event.terminal);
        break;
      case "changed":
        this.#terminal = event.terminal;
        options.changed?.(event.terminal);
        break;
      case "skipped":
        options.skipped?.(event.bytes);
        break;
      case "busy":
        options.busy?.(event.program);
        break;
      case "error":
        this.#complaint = event.message;
        if (this.#terminal !== undefined) options.error?.(event.message);
        break;
      case "closed":
        break;
    }
  }
}

function eventIn(text: string): ViewEvent | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isValid(ViewEvent, value) ? value : undefined;
  } catch {
    return undefined;
  }
}
