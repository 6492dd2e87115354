import { createHash } from "node:crypto";
import type { Cancel } from "../../time/clock.ts";
import { HostError } from "../failure.ts";
import type { Host } from "../host.ts";
import type { TerminalInfo } from "./messages.ts";

/** How long changes are collected before a list is sent again, in milliseconds: titles may change in a storm. */
const COLLECT_MS = 50;

/** How many sessions one connection may list. */
const MAX_SESSIONS = 256;

/** What lists need of the host. */
type ListedHost = Pick<Host, "clock" | "infos" | "terminals">;

export interface ListsWire {
  tell(terminals: TerminalInfo[]): void;
  /** Whether more can be told now: what a connection does not take is not heaped up for it. */
  mayTell(): boolean;
}

/** The sessions that a connection has listed: it is told when the terminals of one are others than it was told. */
export class SessionLists {
  readonly #host: ListedHost;
  readonly #wire: ListsWire;
  /** A digest of what was told last of each: every connection has its own. */
  readonly #told = new Map<string, string>();
  /** Those in which something may differ. */
  readonly #open = new Set<string>();
  readonly #unlisten: () => void;
  #due: Cancel | undefined;
  #ended = false;

  constructor(host: ListedHost, wire: ListsWire) {
    this.#host = host;
    this.#wire = wire;
    this.#unlisten = host.terminals.changed.on(({ options: { sessionId } }) => {
      if (!this.#told.has(sessionId)) return;
      this.#open.add(sessionId);
      this.#later();
    });
  }

  /** Answers the list, which is told by whoever asks, and follows it from here on. Throws where that is too much. */
  add(sessionId: string): TerminalInfo[] {
    if (this.#told.size >= MAX_SESSIONS && !this.#told.has(sessionId)) {
      throw new HostError(
        "invalid",
        `a connection may list ${MAX_SESSIONS} sessions, and has; list others on another one`,
      );
    }
    const terminals = this.#host.infos(sessionId);
    this.#told.set(sessionId, digestOf(terminals));
    return terminals;
  }

  end(): void {
    this.#ended = true;
    this.#unlisten();
    this.#due?.();
  }

  #later(): void {
    // Whoever was told may have ended it.
    if (this.#ended) return;
    this.#due ??= this.#host.clock.schedule(COLLECT_MS, () => this.#look());
  }

  #look(): void {
    this.#due = undefined;
    for (const sessionId of this.#open) {
      if (!this.#wire.mayTell()) {
        this.#later();
        return;
      }
      this.#open.delete(sessionId);
      const terminals = this.#host.infos(sessionId);
      const digest = digestOf(terminals);
      if (digest === this.#told.get(sessionId)) continue;
      this.#told.set(sessionId, digest);
      this.#wire.tell(terminals);
    }
  }
}

const digestOf = (terminals: TerminalInfo[]) =>
  createHash("sha256").update(JSON.stringify(terminals)).digest("base64");
