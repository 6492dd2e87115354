import { batch, effect, signal } from "@preact/signals";
import { afterFrame } from "../shared/after-frame.ts";
import type { Entry } from "./entry.ts";
import { type Filter, filterIn, matcher, searchOf } from "./filter.ts";

/** How long after the last key the address says what is searched for, in milliseconds: browsers allow only so many changes
 * of it in a time. */
const NOTED_MS = 250;

/** How many rows are hidden or shown in one frame: laying out so many takes some ten milliseconds. */
const SLICE = 400;

/** What can be filtered by of what there is. */
export type Choices = Readonly<Record<"state" | "agent" | "manager", readonly string[]>>;

/** The filter of a list: kept in the address, and applied to rows by hiding them. */
export class Filtering {
  readonly filter = signal<Filter>(filterIn(location.search));
  /** How many rows it leaves in. */
  readonly shownCount = signal(0);
  readonly choices = signal<Choices>({ state: [], agent: [], manager: [] });
  readonly #entries: () => Iterable<Entry>;
  #isApplying = false;
  #noting: ReturnType<typeof setTimeout> | undefined;
  /** Counts the times that it was applied. */
  #turn = 0;

  constructor(entries: () => Iterable<Entry>) {
    this.#entries = entries;
    effect(() => {
      this.filter.value;
      this.#applySoon();
      clearTimeout(this.#noting);
      this.#noting = setTimeout(() => this.#note(), NOTED_MS);
    });
  }

  set(part: Partial<Filter>): void {
    this.filter.value = { ...this.filter.peek(), ...part };
  }

  /** Hides a row that has just come, or does not. */
  look(entry: Entry): void {
    entry.isOut.value = !matcher(this.filter.peek())(entry.filtered);
  }

  /** Rows have come, gone or changed. Many that are hidden or shown at once are so in slices, those in front first: a key in
   * between is answered, and begins anew. */
  apply(): void {
    this.#turn += 1;
    const turn = this.#turn;
    const isIn = matcher(this.filter.peek());
    const changed: [entry: Entry, isOut: boolean][] = [];
    let count = 0;
    for (const entry of this.#entries()) {
      const isOut = !isIn(entry.filtered);
      if (!isOut) count += 1;
      if (isOut !== entry.isOut.peek()) changed.push([entry, isOut]);
    }
    this.shownCount.value = count;
    const proceed = (from: number) => {
      batch(() => {
        for (const [entry, isOut] of changed.slice(from, from + SLICE)) entry.isOut.value = isOut;
      });
      if (from + SLICE >= changed.length) return;
      afterFrame(() => {
        if (turn === this.#turn) proceed(from + SLICE);
      });
    };
    proceed(0);
  }

  /** What there is may be another choice. */
  takeChoices(): void {
    const found = {
      state: new Set<string>(),
      agent: new Set<string>(),
      manager: new Set<string>(),
    };
    for (const { filtered } of this.#entries()) {
      for (const field of ["state", "agent", "manager"] as const) found[field].add(filtered[field]);
    }
    const sorted = (values: Set<string>) => [...values].filter(Boolean).sort();
    const choices = {
      state: sorted(found.state),
      agent: sorted(found.agent),
      manager: sorted(found.manager),
    };
    if (JSON.stringify(choices) !== JSON.stringify(this.choices.peek())) {
      this.choices.value = choices;
    }
  }

  /** After the frame that shows the key: thousands of rows take longer than a key may. */
  #applySoon(): void {
    if (this.#isApplying) return;
    this.#isApplying = true;
    const apply = () => {
      this.#isApplying = false;
      this.apply();
    };
    afterFrame(apply);
  }

  #note(): void {
    const search = searchOf(this.filter.peek());
    if (search === location.search) return;
    history.replaceState(history.state, "", location.pathname + search);
  }
}
