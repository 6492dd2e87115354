import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { afterFrame } from "../shared/after-frame.ts";
import type { Entry } from "./entry.ts";
import { type Filter, filterIn, matcher, searchOf } from "./filter.ts";
import { type Part, partsWith, rowsOf } from "./parts.ts";

/** How long after the last key the address says what is searched for, in milliseconds: browsers allow only so many changes
 * of it in a time. */
const NOTED_MS = 250;

/** What can be filtered by of what there is. */
export type Choices = Readonly<Record<"state" | "agent" | "manager", readonly string[]>>;

/** The filter of a list: kept in the address, and applied to rows by leaving them out of what is shown. */
export class Filtering {
  readonly filter = signal<Filter>(filterIn(location.search));
  /** The parts of the list with the rows that it leaves in. */
  readonly shown = signal<readonly Part[]>([]);
  /** Those rows, in their order. */
  readonly rows = computed(() => rowsOf(this.shown.value));
  readonly choices = signal<Choices>({ state: [], agent: [], manager: [] });
  readonly #isIn = computed(() => matcher(this.filter.value));
  readonly #parts: ReadonlySignal<readonly Part[]>;
  #isApplying = false;
  #noting: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: ReadonlySignal<readonly Part[]>) {
    this.#parts = parts;
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

  /** Whether a row that has changed is left in now and was not, or the other way round. */
  isOther(entry: Entry): boolean {
    return this.#isIn.peek()(entry.filtered) !== entry.isIn;
  }

  /** Rows have come, gone or changed, or the filter has. */
  apply(): void {
    const isIn = this.#isIn.peek();
    this.shown.value = partsWith(this.#parts.peek(), (entry) => {
      entry.isIn = isIn(entry.filtered);
      return entry.isIn;
    });
  }

  /** What there is may be another choice. */
  takeChoices(): void {
    const found = {
      state: new Set<string>(),
      agent: new Set<string>(),
      manager: new Set<string>(),
    };
    for (const { filtered } of rowsOf(this.#parts.peek())) {
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

  /** After the frame that shows the key: looking through thousands of rows takes longer than a key may. */
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
