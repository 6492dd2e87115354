import type { Cancel } from "../../time/clock.ts";
import type { Host } from "../host.ts";
import type { TerminalInfo } from "./messages.ts";

/** How long changes are collected before a list is sent again, in milliseconds: titles may change in a storm. */
const COLLECT_MS = 50;

/** How many sessions one connection may list. */
const MAX_SESSIONS = 256;

/** The sessions that a connection has listed: it is told when the terminals of one are others than it was told. */
export class SessionLists {
  readonly #host: Host;
  readonly #tell: (terminals: TerminalInfo[]) => void;
  /** What was told last of each. */
  readonly #told = new Map<string, string>();
  readonly #unlisten: () => void;
  #due: Cancel | undefined;

  constructor(host: Host, tell: (terminals: TerminalInfo[]) => void) {
    this.#host = host;
    this.#tell = tell;
    this.#unlisten = host.terminals.changed.on(() => {
      if (this.#told.size > 0) this.#due ??= host.clock.schedule(COLLECT_MS, () => this.#look());
    });
  }

  /** The list itself is the answer to whoever asked. */
  add(sessionId: string): void {
    if (this.#told.size < MAX_SESSIONS) this.#told.set(sessionId, this.#stateOf(sessionId));
  }

  end(): void {
    this.#unlisten();
    this.#due?.();
  }

  #look(): void {
    this.#due = undefined;
    for (const [sessionId, before] of this.#told) {
      const now = this.#stateOf(sessionId);
      if (now === before) continue;
      this.#told.set(sessionId, now);
      this.#tell(this.#host.infos(sessionId));
    }
  }

  #stateOf(sessionId: string): string {
    return JSON.stringify(this.#host.infos(sessionId));
  }
}
