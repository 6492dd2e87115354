import type { ViewedTerminal, ViewTheme } from "../../contract/view.ts";
import type { TerminalEvent, TerminalInfo, TerminalRequest } from "../../host/channel/messages.ts";
import { ChannelError } from "../../host/client/failure.ts";
import { dial, type Link } from "../../host/client/link.ts";
import { channelFault } from "../channel-fault.ts";
import { ActingError } from "../failure.ts";
import type { Looker, View } from "./view.ts";

/** What is looked at on a connection of its own. */
export interface HostViewOptions {
  /** The id of the row: what the looker is told. */
  readonly id: string;
  readonly looker: Looker;
  /** How the connection comes to the terminal that it looks at. */
  readonly opening: Extract<TerminalRequest, { type: "attach" | "open" }>;
  /** What people call it, where that is not what its host says. */
  readonly name?: string | undefined;
  /** Its program has ended, and the looker was sent the last of its output. */
  exited?(terminal: TerminalInfo): void;
}

/** A viewer on the host's channel, so that the host's window is the looker's, from end to end: nothing is acknowledged here. */
export class HostView implements View {
  readonly #options: HostViewOptions;
  #link: Link | undefined;
  /** The terminal at the host; absent before it is attached to. */
  #terminalId: string | undefined;
  /** Tells how the attaching went; there while it is under way. */
  #opened: ((error?: unknown) => void) | undefined;
  /** What the host could not do, where it has said nothing since: if it ends then, that is why. */
  #complaint: string | undefined;
  /** What the looker was told of the terminal last. */
  #told: string | undefined;
  #isOver = false;

  constructor(options: HostViewOptions) {
    this.#options = options;
  }

  /** Rejects with a ChannelError where the host says no, with an `ActingError` where it cannot be reached, or with the signal's
   * reason. */
  async open(path: string, signal: AbortSignal): Promise<void> {
    let abort = () => {};
    try {
      this.#link = await dial(
        { path, signal },
        {
          event: (event) => this.#take(event),
          bytes: (bytes) => this.#show(bytes),
          end: (error) => this.#end(error),
        },
      );
      const attached = new Promise<void>((resolve, reject) => {
        this.#opened = (error) => (error === undefined ? resolve() : reject(error));
      });
      abort = () => this.#opened?.(signal.reason);
      signal.addEventListener("abort", abort, { once: true });
      // It may have been given up between the greeting and now.
      if (signal.aborted) abort();
      this.#link.send(this.#options.opening);
      await attached;
    } catch (error) {
      this.leave();
      throw error instanceof ChannelError && error.reason === "refused"
        ? error
        : channelFault(error);
    } finally {
      this.#opened = undefined;
      signal.removeEventListener("abort", abort);
    }
  }

  type(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#link === undefined || this.#isOver) return undefined;
    try {
      return this.#link.write(bytes) ? undefined : this.#link.drained();
    } catch (error) {
      if (!(error instanceof ChannelError)) throw error;
      this.#options.looker.event({ type: "error", message: error.message });
      return this.#link.drained();
    }
  }

  resize(cols: number, rows: number): void {
    this.#link?.send({ type: "resize", cols, rows });
  }

  shown(bytes: number): void {
    this.#link?.send({ type: "ack", bytes });
  }

  theme(theme: ViewTheme): void {
    this.#link?.send({ type: "theme", ...theme });
  }

  close(force: boolean): void {
    this.#link?.send({ type: "close", ...(force ? { force } : {}) });
  }

  leave(): void {
    this.#isOver = true;
    this.#link?.close();
    this.#link = undefined;
  }

  /** Ends it from this side, and says why. */
  give(why: ActingError): void {
    if (this.#isOver) return;
    this.leave();
    this.#options.looker.over(why);
  }

  #show(bytes: Uint8Array): void {
    this.#complaint = undefined;
    this.#options.looker.output(bytes);
  }

  #take(event: TerminalEvent): void {
    const { id, looker, exited } = this.#options;
    this.#complaint = undefined;
    switch (event.type) {
      case "attached":
        this.#terminalId = event.terminal.id;
        this.#tell("attached", event.terminal);
        this.#opened?.();
        break;
      case "changed":
        this.#tell("changed", event.terminal);
        if (event.terminal.exited !== undefined) exited?.(event.terminal);
        break;
      case "skipped":
        looker.event({ type: "skipped", terminalId: id, bytes: event.bytes });
        break;
      case "busy": {
        const { program } = event;
        const named = program === undefined ? {} : { program };
        looker.event({ type: "busy", terminalId: id, ...named });
        break;
      }
      case "error":
        this.#fail(event.message);
        break;
      case "closed":
        if (event.terminalId !== this.#terminalId || this.#isOver) break;
        this.leave();
        looker.event({ type: "closed", terminalId: id });
        looker.over(undefined);
        break;
    }
  }

  #fail(message: string): void {
    if (this.#opened !== undefined) {
      this.#opened(new ChannelError("refused", message));
      return;
    }
    this.#complaint = message;
    this.#options.looker.event({ type: "error", message });
  }

  /** The host says more than a looker is told: what differs in that alone is passed over. */
  #tell(type: "attached" | "changed", info: TerminalInfo): void {
    const terminal = this.#viewed(info);
    const told = JSON.stringify(terminal);
    if (told === this.#told) return;
    this.#told = told;
    this.#options.looker.event({ type, terminal });
  }

  /** What the host says of it, under the row's id. */
  #viewed({ name, title, cols, rows, exited }: TerminalInfo): ViewedTerminal {
    const { id, looker } = this.#options;
    const called = this.#options.name ?? name;
    return {
      id,
      ...(called === undefined ? {} : { name: called }),
      ...{ title, cols, rows },
      ...(exited === undefined ? {} : { exited }),
      ...(looker.readOnly ? { readOnly: true } : {}),
    };
  }

  #end(error: ChannelError): void {
    if (this.#opened !== undefined) this.#opened(error);
    else this.give(new ActingError("no_answer", this.#complaint ?? LOST));
  }
}

const LOST = "the terminal host is gone, or the way to it is";
