import { setImmediate } from "node:timers/promises";
import type { Cancel, Clock } from "../../time/clock.ts";
import type { FollowingText } from "../plain/following-text.ts";
import type { PatternTest, PatternThread } from "./pattern-thread.ts";
import type { OutputSource } from "./source.ts";
import type { Finder, Watch } from "./watch.ts";

/** Between two tests lies so many times what the first one took: in a flood, patterns take a fifth of their thread. */
const REST_FACTOR = 4;

/** No rest is longer, in milliseconds. */
const MAX_REST_MS = 20;

/** What a match is looked for in, and with. */
export interface MatchParts {
  readonly source: OutputSource;
  readonly from: number;
  readonly pattern: RegExp;
  readonly patterns: PatternThread;
  readonly clock: Clock;
}

/**
 * Until a pattern matches the text since an offset. At most one test is under way; what comes meanwhile is looked at by the
 * next, all of it, so it makes no difference whether text was there when the wait began. Before it ends for another
 * reason than `closed`, it has tested all there was.
 */
export class MatchWatch implements Watch {
  readonly #source: OutputSource;
  readonly #clock: Clock;
  readonly #finder: Finder;
  readonly #text: FollowingText;
  readonly #test: PatternTest;
  #isTimeUp = false;
  #isOver = false;
  #isTesting = false;
  #tested = -1;
  #cancelRest: Cancel = () => {};

  constructor({ source, from, pattern, patterns, clock }: MatchParts, finder: Finder) {
    this.#source = source;
    this.#clock = clock;
    this.#finder = finder;
    this.#text = source.texts.take(from);
    this.#test = patterns.open(pattern);
  }

  look(): void {
    // Also while a test is under way, so that the text is not left behind by the output.
    this.#text.advance();
    this.#go();
  }

  timeUp(): void {
    this.#isTimeUp = true;
    this.#go();
  }

  end(): void {
    this.#isOver = true;
    this.#cancelRest();
    this.#test.end();
    this.#source.texts.giveBack(this.#text);
  }

  get #isLast(): boolean {
    return this.#source.isEnded || this.#isTimeUp;
  }

  /** What is last rests no more. */
  #go(): void {
    if (this.#isLast) this.#cancelRest();
    if (this.#isTesting) return;
    this.#isTesting = true;
    this.#run().then(
      () => {
        this.#isTesting = false;
        if (!this.#isOver && this.#hasMore) this.#go();
      },
      (error) => this.#finder.failed(error),
    );
  }

  get #hasMore(): boolean {
    return this.#isLast || this.#source.end !== this.#tested;
  }

  async #run(): Promise<void> {
    // Looked at before the test: what is not in it may hold the match.
    const { isEnded, end } = this.#source;
    const isLast = this.#isLast;
    if (end !== this.#tested) {
      while (this.#text.position < end) {
        this.#text.advance();
        if (this.#text.position < end) await setImmediate();
        if (this.#isOver) return;
      }
      const began = this.#clock.monotonic();
      const isMatch = await this.#test.run(this.#text);
      if (this.#isOver) return;
      this.#tested = end;
      if (isMatch) this.#finder.found("match");
      // Only while it keeps coming: what comes after silence is tested at once.
      else if (this.#source.end !== end)
        await this.#rest((this.#clock.monotonic() - began) * REST_FACTOR);
    }
    if (isLast) this.#finder.found(isEnded ? "exit" : "timeout");
  }

  #rest(ms: number): Promise<void> {
    if (this.#isLast || ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#clock.schedule(Math.min(ms, MAX_REST_MS), resolve);
      this.#cancelRest = () => {
        cancel();
        resolve();
      };
    });
  }
}
