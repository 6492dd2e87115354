/** How many titles a program may put aside at once. */
const MAX_SAVED = 10;

/** What a window is asked to do with its title (XTWINOPS), and with which: both, the icon's, which nobody shows, or the
 * window's. */
const PUT_ASIDE = 22;
const BRING_BACK = 23;
const ICON = 1;

/** A terminal's title, and those that its programs have put aside: a program does that when it begins, and brings its
 * shell's back at its end. */
export class Titles {
  #title = "";
  #saved: string[] = [];

  get title(): string {
    return this.#title;
  }

  /** The oldest first. */
  get saved(): readonly string[] {
    return this.#saved;
  }

  set(title: string): void {
    this.#title = title;
  }

  /** Heeds a window operation where it is about titles. */
  operate(operation: number, which: number): void {
    if (which === ICON) return;
    if (operation === PUT_ASIDE) this.#saved = [...this.#saved, this.#title].slice(-MAX_SAVED);
    else if (operation === BRING_BACK) this.#title = this.#saved.pop() ?? this.#title;
  }

  /** Forgets those that were put aside. */
  reset(): void {
    this.#saved = [];
  }
}
