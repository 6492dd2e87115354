import type { Span } from "../history/spans.ts";
import { now } from "./now.ts";

/** Spans of which the last may not have ended yet. */
export class OpenSpans {
  readonly #spans: { from: number; to: number }[] = [];

  get all(): readonly Span[] {
    return this.#spans;
  }

  begin(): void {
    this.#spans.push({ from: now(), to: Number.POSITIVE_INFINITY });
  }

  end(): void {
    const last = this.#spans.at(-1);
    if (last?.to === Number.POSITIVE_INFINITY) last.to = now();
  }

  /** Forgets what is over. */
  forget(): void {
    this.#spans.splice(0, this.#spans.length, ...this.#spans.filter(({ to }) => to > now()));
  }
}
