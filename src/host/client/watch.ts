import type { TerminalEvent, TerminalInfo } from "../channel/messages.ts";
import { ChannelError } from "./failure.ts";
import { type DialOptions, dial, type Link } from "./link.ts";

/** Who is told of a session's terminals. */
export interface WatchOptions {
  /** One was opened, closed, renamed, or its program ended: here are all that are there now. */
  terminals?(terminals: readonly TerminalInfo[]): void;
  /** The connection ended, and not by `close`. Last. */
  end?(error: ChannelError): void;
}

/** A connection of its own that follows the terminals of one session: a host that speaks the original dialect alone does
 * not say whose terminals it states, and a session without any would be nobody's. */
export class SessionWatch {
  readonly #options: WatchOptions;
  #link: Link | undefined;
  #terminals: readonly TerminalInfo[] = [];
  /** Tells how the listing went; there while it is under way. */
  #listed: ((error?: ChannelError) => void) | undefined;
  #isListed = false;
  #over: ChannelError | undefined;

  private constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Connects and lists. Rejects with a ChannelError. */
  static async open(
    dialing: DialOptions,
    sessionId: string,
    options: WatchOptions,
  ): Promise<SessionWatch> {
    const watch = new SessionWatch(options);
    const link = await dial(dialing, {
      event: (event) => watch.#take(event),
      bytes() {},
      end: (error) => watch.#end(error),
    });
    watch.#link = link;
    await new Promise<void>((resolve, reject) => {
      watch.#listed = (error) => {
        watch.#listed = undefined;
        if (error === undefined) return resolve();
        link.close();
        reject(error);
      };
      if (watch.#over === undefined) link.send({ type: "list", sessionId });
      else watch.#listed(watch.#over);
    });
    return watch;
  }

  /** Those that are there now. */
  get terminals(): readonly TerminalInfo[] {
    return this.#terminals;
  }

  close(): void {
    this.#link?.close();
  }

  #take(event: TerminalEvent): void {
    if (event.type === "error") this.#listed?.(new ChannelError("refused", event.message));
    if (event.type !== "list" && event.type !== "terminals") return;
    this.#terminals = event.terminals;
    if (this.#isListed) this.#options.terminals?.(event.terminals);
    if (event.type !== "list") return;
    this.#isListed = true;
    this.#listed?.();
  }

  #end(error: ChannelError): void {
    this.#over = error;
    this.#listed?.(error);
    if (this.#isListed) this.#options.end?.(error);
  }
}
