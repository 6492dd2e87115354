import type { TerminalInfo as TerminalRow } from "../../contract/terminals.ts";
import type { ViewedTerminal } from "../../contract/view.ts";
import type { TerminalEvent, TerminalInfo } from "../../host/channel/messages.ts";
import { ChannelError } from "../../host/client/failure.ts";
import { dial, type Link } from "../../host/client/link.ts";
import { channelFault } from "../channel-fault.ts";
import { ActingError } from "../failure.ts";
import { hostIdIn } from "../pty-id.ts";
import type { Looker, OpenView, View } from "./view.ts";

/** Looks at terminals of the host: a viewer of its own on the channel for each, so that the host's window is the looker's,
 * from end to end. `channel` tells the host's socket, `undefined` where none runs. */
export function openPtyView(channel: () => Promise<string | undefined>): OpenView {
  return async (row, looker, signal) => {
    const id = hostIdIn(row.id);
    const path = await channel();
    if (id === undefined || path === undefined) throw gone(row);
    const view = new PtyView(row, looker);
    await view.open(path, id, signal);
    return view;
  };
}

class PtyView implements View {
  readonly #row: TerminalRow;
  readonly #looker: Looker;
  #link: Link | undefined;
  /** Tells how the attaching went; there while it is under way. */
  #opened: ((error?: unknown) => void) | undefined;
  #isOver = false;

  constructor(row: TerminalRow, looker: Looker) {
    this.#row = row;
    this.#looker = looker;
  }

  async open(path: string, terminalId: string, signal: AbortSignal): Promise<void> {
    const { readOnly } = this.#looker;
    let abort = () => {};
    try {
      this.#link = await dial(
        { path, signal },
        {
          event: (event) => this.#take(event),
          bytes: (bytes) => this.#looker.output(bytes),
          end: (error) => this.#end(error),
        },
      );
      const attached = new Promise<void>((resolve, reject) => {
        this.#opened = (error) => (error === undefined ? resolve() : reject(error));
      });
      abort = () => this.#opened?.(signal.reason);
      signal.addEventListener("abort", abort, { once: true });
      this.#link.send({ type: "attach", terminalId, ...(readOnly ? { readOnly } : {}) });
      await attached;
    } catch (error) {
      this.leave();
      if (!(error instanceof ChannelError)) throw error;
      throw error.reason === "refused" ? gone(this.#row) : channelFault(error);
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
      this.#looker.event({ type: "error", message: error.message });
      return this.#link.drained();
    }
  }

  resize(cols: number, rows: number): void {
    this.#link?.send({ type: "resize", cols, rows });
  }

  shown(bytes: number): void {
    this.#link?.send({ type: "ack", bytes });
  }

  theme(theme: Parameters<View["theme"]>[0]): void {
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

  #take(event: TerminalEvent): void {
    const { id } = this.#row;
    const looker = this.#looker;
    switch (event.type) {
      case "attached":
        looker.event({ type: "attached", terminal: this.#told(event.terminal) });
        this.#opened?.();
        break;
      case "changed":
        looker.event({ type: "changed", terminal: this.#told(event.terminal) });
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
        if (this.#opened !== undefined) this.#opened(new ChannelError("refused", event.message));
        else looker.event({ type: "error", message: event.message });
        break;
      case "closed":
        if (event.terminalId !== hostIdIn(id) || this.#isOver) break;
        this.leave();
        looker.event({ type: "closed", terminalId: id });
        looker.over(undefined);
        break;
    }
  }

  /** The host's own facts, under the row's id. */
  #told(terminal: TerminalInfo): ViewedTerminal {
    const { readOnly } = this.#looker;
    return { ...terminal, id: this.#row.id, ...(readOnly ? { readOnly } : {}) };
  }

  #end(error: ChannelError): void {
    if (this.#opened !== undefined) {
      this.#opened(error);
      return;
    }
    if (this.#isOver) return;
    this.#isOver = true;
    this.#looker.over(
      new ActingError("no_answer", "the terminal host is gone, or the way to it is"),
    );
  }
}

const gone = ({ id }: TerminalRow) => new ActingError("gone", `the host has no terminal ${id}`);
