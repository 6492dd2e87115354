import { HostError } from "../failure.ts";

/** How many keys of one session are remembered: the oldest are forgotten. */
const MAX_KEYS = 4_096;

interface Remembered {
  readonly body: string;
  readonly result: Promise<unknown>;
}

/** Remembers what calls with a key came to, so that one that is made again has no second effect: it joins the first
 * while that is under way, and has its outcome afterwards, a failure too. */
export class KeyMemory {
  readonly #sessions = new Map<string, Map<string, Remembered>>();

  /** `body` tells calls apart that have nothing in common but the key. */
  once<Result>(
    sessionId: string,
    key: string,
    body: object,
    run: () => Promise<Result>,
  ): Promise<Result> {
    const keys = this.#sessions.get(sessionId) ?? new Map<string, Remembered>();
    this.#sessions.set(sessionId, keys);
    const text = JSON.stringify(body);
    const known = keys.get(key);
    if (known !== undefined && known.body !== text) {
      const why = "was given with another call before; a key names one call";
      return Promise.reject(new HostError("key_reused", `the key ${JSON.stringify(key)} ${why}`));
    }
    if (known !== undefined) return known.result as Promise<Result>;
    const result = run();
    // Who made the call hears of it; that it is remembered here is nobody's failure.
    result.catch(() => {});
    keys.set(key, { body: text, result });
    const oldest = keys.size > MAX_KEYS ? keys.keys().next().value : undefined;
    if (oldest !== undefined) keys.delete(oldest);
    return result;
  }

  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }
}
