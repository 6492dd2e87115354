import { ACKNOWLEDGE_BYTES, MAX_BACKLOG, SLOW_LINK_ACKNOWLEDGE_BYTES } from "../channel/limits.ts";
import type { TerminalEvent, TerminalInfo, TerminalRequest } from "../channel/messages.ts";
import { Acknowledgements } from "./acknowledgements.ts";
import { ChannelError } from "./failure.ts";
import { type DialOptions, dial, type Link } from "./link.ts";
import { Output } from "./output.ts";

/** How a terminal is looked at, and who is told what. */
export interface ViewerOptions {
  /** Acknowledges in small steps, so that the host has little output on its way: for a link on which 256 KiB take long.
   * Default false. */
  readonly slowLink?: boolean;
  /** Gives up the attaching. */
  readonly signal?: AbortSignal;
  /** Takes output as it comes, in place of a loop over the viewer. `consumed` says that the bytes have been shown;
   * without it no more will come after a while. */
  output?(bytes: Uint8Array, consumed: () => void): void;
  /** Its title, name or size changed, or its program ended. */
  changed?(terminal: TerminalInfo): void;
  /** Its program has ended, now or before the viewer came, and all of its output has been consumed. Once. */
  exited?(terminal: TerminalInfo): void;
  /** The viewer fell behind, so that this many bytes were not sent; what follows shows the screen anew. */
  skipped?(bytes: number): void;
  /** The host could not do what was asked. */
  error?(message: string): void;
  /** The host is of another build than what is installed. */
  outdated?(running: number | undefined): void;
  /** The terminal was closed. Last. */
  closed?(): void;
  /** The connection ended before that. Last. */
  end?(error: ChannelError): void;
}

/** What became of closing a terminal: a job in it, of that name where it is known, may have been in the way. */
export type Closing =
  | { readonly closed: true }
  | { readonly closed: false; readonly program?: string };

type Opening = Extract<TerminalRequest, { type: "attach" | "open" }>;

interface Closer {
  resolve(closing: Closing): void;
  reject(error: ChannelError): void;
}

/** A connection of its own that looks at one terminal: loop over it for its output. It stays attached when its program
 * has ended, until the terminal is closed or `leave` is called. */
export class Viewer implements AsyncIterable<Uint8Array> {
  readonly #options: ViewerOptions;
  readonly #output: Output;
  readonly #acknowledgements: Acknowledgements;
  readonly #closers: Closer[] = [];
  #link: Link | undefined;
  #terminal: TerminalInfo | undefined;
  /** Tells how the attaching went; there while it is under way. */
  #opened: ((error: unknown) => void) | undefined;
  /** Whether all output has come, and whether that was told. */
  #isWhole = false;
  #isExitTold = false;
  /** Why nothing is sent or told any more. */
  #over: ChannelError | undefined;

  private constructor(options: ViewerOptions) {
    this.#options = options;
    const step = options.slowLink === true ? SLOW_LINK_ACKNOWLEDGE_BYTES : ACKNOWLEDGE_BYTES;
    this.#acknowledgements = new Acknowledgements(step, (bytes) =>
      this.#send({ type: "ack", bytes }),
    );
    this.#output = new Output((bytes) => this.#consumed(bytes));
  }

  /** Connects and attaches. Rejects with a ChannelError; `refused` where there is no such terminal, or none could be
   * opened. */
  static async open(
    dialing: DialOptions,
    opening: Opening,
    options: ViewerOptions,
  ): Promise<Viewer> {
    const viewer = new Viewer(options);
    const { signal } = options;
    viewer.#link = await dial(signal === undefined ? dialing : { ...dialing, signal }, {
      event: (event) => viewer.#take(event),
      bytes: (bytes) => viewer.#show(bytes),
      end: (error) => viewer.#end(error),
    });
    await viewer.#attach(opening);
    return viewer;
  }

  #attach(opening: Opening): Promise<void> {
    const { signal } = this.#options;
    return new Promise((resolve, reject) => {
      const abort = () => this.#opened?.(signal?.reason);
      this.#opened = (error) => {
        this.#opened = undefined;
        signal?.removeEventListener("abort", abort);
        if (error === undefined) return resolve();
        this.leave();
        reject(error);
      };
      signal?.addEventListener("abort", abort, { once: true });
      // Both may have come between the greeting and now.
      if (signal?.aborted === true) abort();
      else if (this.#over !== undefined) this.#opened(this.#over);
      else this.#send(opening);
    });
  }

  /** The terminal as it was last told of. */
  get terminal(): TerminalInfo {
    if (this.#terminal !== undefined) return this.#terminal;
    throw new ChannelError("closed", "the viewer was attached to no terminal");
  }

  /** Types bytes. Answers whether the host takes them as fast as they come; where it does not, wait for `drained` before
   * more. Throws a ChannelError where too much waits already. Nobody gets what is typed after the end. */
  write(bytes: Uint8Array): boolean {
    return this.#over !== undefined || this.#link === undefined || this.#link.write(bytes);
  }

  async drained(): Promise<void> {
    await this.#link?.drained();
  }

  resize(cols: number, rows: number): void {
    this.#send({ type: "resize", cols, rows });
  }

  /** Closes the terminal, unless a job runs in it and `force` is not set. */
  close({ force = false }: { readonly force?: boolean } = {}): Promise<Closing> {
    if (this.#over !== undefined) return Promise.reject(this.#over);
    return new Promise((resolve, reject) => {
      this.#closers.push({ resolve, reject });
      this.#send(force ? { type: "close", force } : { type: "close" });
    });
  }

  /** Ends the connection; the terminal lives on. */
  leave(): void {
    this.#finish(new ChannelError("closed", "the viewer has left"));
    this.#output.end();
  }

  /** Its output, piece by piece, until the terminal is closed or the viewer leaves. Throws a ChannelError where the
   * connection ended. Without anything where `output` takes it. */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    return this.#output;
  }

  #send(request: TerminalRequest): void {
    if (this.#over === undefined) this.#link?.send(request);
  }

  #show(bytes: Uint8Array): void {
    this.#acknowledgements.received(bytes.length);
    // A host that sends on without acknowledgements is none.
    if (this.#acknowledgements.held > MAX_BACKLOG) {
      const most = `${MAX_BACKLOG} bytes that nobody has acknowledged`;
      this.#end(new ChannelError("protocol", `a host must send at most ${most}`));
    } else if (this.#options.output === undefined) this.#output.push(bytes);
    else this.#give(bytes);
  }

  #give(bytes: Uint8Array): void {
    let isConsumed = false;
    this.#options.output?.(bytes, () => {
      if (isConsumed) return;
      isConsumed = true;
      this.#consumed(bytes.length);
    });
  }

  #consumed(bytes: number): void {
    this.#acknowledgements.consumed(bytes);
    this.#tellExit();
  }

  #tellExit(): void {
    const isDue = this.#isWhole && this.#acknowledgements.held === 0 && this.#over === undefined;
    if (!isDue || this.#isExitTold) return;
    this.#isExitTold = true;
    this.#options.exited?.(this.terminal);
  }

  #take(event: TerminalEvent): void {
    switch (event.type) {
      case "attached":
        this.#terminal = event.terminal;
        this.#opened?.(undefined);
        break;
      case "changed":
        this.#terminal = event.terminal;
        this.#options.changed?.(event.terminal);
        // It is told after the last output.
        this.#isWhole ||= event.terminal.exited !== undefined;
        this.#tellExit();
        break;
      case "skipped":
        this.#options.skipped?.(event.bytes);
        break;
      case "outdated":
        this.#options.outdated?.(event.running);
        break;
      case "busy":
        this.#busy(event.program);
        break;
      case "error":
        this.#fail(event.message);
        break;
      case "closed":
        if (event.terminalId === this.#terminal?.id) this.#closed();
        break;
    }
  }

  #busy(program: string | undefined): void {
    const closing = { closed: false, ...(program === undefined ? {} : { program }) } as const;
    for (const { resolve } of this.#closers.splice(0)) resolve(closing);
  }

  #fail(message: string): void {
    const error = new ChannelError("refused", message);
    if (this.#opened !== undefined) {
      this.#opened(error);
      return;
    }
    const closers = this.#closers.splice(0);
    for (const { reject } of closers) reject(error);
    if (closers.length === 0) this.#options.error?.(message);
  }

  #closed(): void {
    for (const { resolve } of this.#closers.splice(0)) resolve({ closed: true });
    this.#finish(new ChannelError("closed", "the terminal was closed"));
    this.#output.end();
    this.#options.closed?.();
  }

  #end(error: ChannelError): void {
    if (this.#over !== undefined) return;
    this.#finish(error);
    // One that never was attached is nobody's yet: who opens it is told.
    if (this.#terminal === undefined) {
      this.#opened?.(error);
      return;
    }
    this.#output.end(error);
    this.#options.end?.(error);
  }

  #finish(error: ChannelError): void {
    if (this.#over !== undefined) return;
    this.#over = error;
    this.#link?.close();
    for (const { reject } of this.#closers.splice(0)) reject(error);
  }
}
