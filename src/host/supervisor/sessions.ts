import type { Cancel } from "../../time/clock.ts";
import type { Host } from "../host.ts";
import type { OpenMonitors } from "../monitors/monitors.ts";
import { Signal } from "../signal.ts";
import type { Terminal } from "../terminal.ts";
import { OperationError } from "./errors.ts";
import { MAX_TOMBSTONES, TOMBSTONE_MS } from "./limits.ts";
import {
  type KnownSession,
  type Launched,
  type SavedSession,
  Session,
  type SessionParts,
} from "./session.ts";

/** The session of the channel dialect that supervised terminals are in. */
export const CHANNEL_SESSION = "supervisor";

interface Tombstone {
  readonly known: KnownSession;
  readonly forget: Cancel;
}

/** The supervised sessions of a host, and for a while what is known of those that were closed. */
export class Sessions {
  /** One is there that was not. */
  readonly added = new Signal<Session>();
  readonly #parts: SessionParts;
  readonly #open = new Map<string, Session>();
  /** The latest last. Whoever closed a session may still want to know how it ended. */
  readonly #closed = new Map<string, Tombstone>();

  constructor({ clock, terminals }: Host, openMonitors: OpenMonitors) {
    this.#parts = { clock, openMonitors };
    // Channel clients may close them as well.
    terminals.changed.on((terminal) => {
      if (terminal.state === "closed") this.#bury(terminal.options.id);
    });
  }

  get all(): readonly Session[] {
    return [...this.#open.values()];
  }

  /** `saved`: where it was, for one that an earlier host has begun. Throws where there cannot have been such monitors. */
  add(terminal: Terminal, launched: Launched, saved?: SavedSession): Session {
    const session = new Session(terminal, launched, this.#parts, saved);
    this.#open.set(session.id, session);
    this.added.emit(session);
    return session;
  }

  /** Throws an OperationError where there is none, or it is closed. */
  get(id: string): Session {
    const session = this.#open.get(id);
    if (session !== undefined) return session;
    if (!this.#closed.has(id)) throw notFound();
    throw new OperationError(
      "invalid_lifecycle",
      "the session is closed; it can be inspected only",
    );
  }

  /** Also one that was closed a while ago. */
  known(id: string): KnownSession {
    const known = this.#open.get(id) ?? this.#closed.get(id)?.known;
    if (known === undefined) throw notFound();
    return known;
  }

  /** Lets go of the terminal with its output. */
  #bury(id: string): void {
    const session = this.#open.get(id);
    if (session === undefined) return;
    this.#open.delete(id);
    const forget = this.#parts.clock.schedule(TOMBSTONE_MS, () => this.#closed.delete(id));
    this.#closed.set(id, { known: session.bury(), forget });
    const [oldest] = this.#closed;
    if (oldest === undefined || this.#closed.size <= MAX_TOMBSTONES) return;
    oldest[1].forget();
    this.#closed.delete(oldest[0]);
  }
}

const notFound = () =>
  new OperationError(
    "session_not_found",
    "there is no session of that id; `list` names those there",
  );
