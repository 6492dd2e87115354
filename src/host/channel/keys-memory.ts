import { createHash } from "node:crypto";
import { HostError } from "../failure.ts";

/** How many keys are remembered, of one session and of all: the oldest are forgotten. A thousand calls a second are
 * remembered for as long as a client that lost its connection takes to come back. */
export const MAX_SESSION_KEYS = 4_096;
export const MAX_KEYS = 16_384;

interface Remembered {
  readonly session: string;
  /** Of the call: what was typed may be megabytes, and nobody else's. */
  readonly digest: string;
  readonly result: Promise<unknown>;
}

/** Remembers what calls with a key came to, so that one that is made again has no second effect: it joins the first
 * while that is under way, and has its outcome afterwards, a failure too. */
export class KeyMemory {
  /** By session and key, the oldest first. */
  readonly #calls = new Map<string, Remembered>();
  /** The same by session: names of `#calls`, the oldest first. */
  readonly #sessions = new Map<string, Set<string>>();

  /** How many keys are remembered. */
  get size(): number {
    return this.#calls.size;
  }

  /** `body` tells calls apart that have nothing in common but the key. */
  once<Result>(
    session: string,
    key: string,
    body: object,
    run: () => Promise<Result>,
  ): Promise<Result> {
    const name = JSON.stringify([session, key]);
    const digest = digestOf(body);
    const known = this.#calls.get(name);
    if (known !== undefined && known.digest !== digest) {
      const why = "was given with another call before; a key names one call";
      return Promise.reject(new HostError("key_reused", `the key ${JSON.stringify(key)} ${why}`));
    }
    if (known !== undefined) return known.result as Promise<Result>;
    const result = run();
    // Who made the call hears of it; that it is remembered here is nobody's failure.
    result.catch(letGoOfFrames);
    this.#remember(name, { session, digest, result });
    return result;
  }

  #remember(name: string, call: Remembered): void {
    const names = this.#sessions.get(call.session) ?? new Set();
    this.#sessions.set(call.session, names.add(name));
    this.#calls.set(name, call);
    if (names.size > MAX_SESSION_KEYS) this.#forget(names);
    if (this.#calls.size > MAX_KEYS) this.#forget(this.#calls.keys());
  }

  #forget(names: Iterable<string>): void {
    for (const oldest of names) {
      const session = this.#calls.get(oldest)?.session ?? "";
      this.#calls.delete(oldest);
      const left = this.#sessions.get(session);
      left?.delete(oldest);
      if (left?.size === 0) this.#sessions.delete(session);
      return;
    }
  }
}

/** Until its stack is made text an error keeps the objects whose methods were running (V8 remembers the frames): a
 * terminal, with its output. */
function letGoOfFrames(error: unknown): void {
  if (error instanceof Error) error.stack = error.message;
}

/** The same for the same fields in another order: whoever makes a call again may write it anew. */
function digestOf(body: object): string {
  const fields = Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(fields)).digest("base64");
}
