import type { Cancel, Clock } from "../../../time/clock.ts";

/** How long after one writing the next one begins at the earliest, in milliseconds, unless somebody waits for it. */
const REST_MS = 100;

export interface KeeperOptions {
  readonly clock: Clock;
  /** What is to be on disk now. */
  text(): string;
  write(text: string): Promise<void>;
  /** It could not be written; it is tried again. */
  failed(error: unknown): void;
}

/** Keeps what is on disk up to date with what is so, a few times a second at most. */
export class Keeper {
  readonly #options: KeeperOptions;
  #isDirty = false;
  #written: string | undefined;
  #writing: Promise<void> | undefined;
  #endedAt = Number.NEGATIVE_INFINITY;
  #dueAt = Number.POSITIVE_INFINITY;
  #due: Cancel | undefined;
  #isStopped = false;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** Something differs, and is to be on disk within so many milliseconds, or soon. */
  touch(withinMs = 0): void {
    if (this.#isStopped) return;
    this.#isDirty = true;
    this.#arm(withinMs);
  }

  /** Resolves when what is so now is on disk, or could not be written. */
  async settle(): Promise<void> {
    // What is under way may say what was so before.
    if (this.#writing !== undefined) await this.#writing;
    if (this.#isDirty && !this.#isStopped) void this.#write();
    await this.#writing;
  }

  /** Writes no more. Resolves when nothing is written any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#due?.();
    await this.#writing;
  }

  #arm(withinMs: number): void {
    if (this.#writing !== undefined) return;
    const { clock } = this.#options;
    const at = Math.max(this.#endedAt + REST_MS, clock.monotonic() + withinMs);
    if (at >= this.#dueAt) return;
    this.#due?.();
    this.#dueAt = at;
    this.#due = clock.schedule(Math.max(0, at - clock.monotonic()), () => void this.#write());
  }

  #write(): Promise<void> {
    this.#due?.();
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#writing ??= this.#writeNow().finally(() => {
      this.#writing = undefined;
      this.#endedAt = this.#options.clock.monotonic();
      if (this.#isDirty && !this.#isStopped) this.#arm(0);
    });
    return this.#writing;
  }

  async #writeNow(): Promise<void> {
    this.#isDirty = false;
    try {
      const text = this.#options.text();
      if (text === this.#written) return;
      await this.#options.write(text);
      this.#written = text;
    } catch (error) {
      this.#isDirty = true;
      this.#options.failed(error);
    }
  }
}
