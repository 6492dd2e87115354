import { computed, effect, signal } from "@preact/signals";
import type { Subscription } from "../../client/index.ts";
import { scheme } from "../shared/scheme.ts";
import { session } from "../shared/session.ts";
import { type PageTopic, TerminalFacts, type TerminalPlace } from "./facts.ts";
import { leftOut, lookAt, type Pasting } from "./paste.ts";
import type { Screen } from "./screen.ts";
import { viewTheme } from "./theme.ts";
import { LiveView } from "./view.ts";

const FONT_KEY = "termtopic.font";
const FONTS = { least: 8, usual: 14, most: 32 } as const;

/** How long a change of the window's size may take, in milliseconds: each size is a signal to every program in the terminal. */
const SETTLED_MS = 80;

/** How long a bell shows, in milliseconds. */
const BELL_MS = 1_500;

const NOTHING_SHOWN: ReadonlySet<string | undefined> = new Set(["closed", "gone", "unsupported"]);

/** The page of one terminal: what is known of it, the view, and what the person wants of both. */
export class TerminalPage {
  readonly id: string;
  /** Whose terminal it is, for calls about it: nothing where it is the publisher's own. */
  readonly whose: { readonly instance?: string };
  readonly endpoint: string;
  readonly facts: TerminalFacts;
  readonly subscription: Subscription<PageTopic>;
  readonly fontSize = signal(keptFont());
  readonly isFinding = signal(false);
  /** Whether it is shown as text, for who hears it. */
  readonly isPlain = signal(false);
  readonly hasBell = signal(false);
  readonly link = signal<string | undefined>(undefined);
  /** A text that is asked about before it is typed. */
  readonly doubted = signal<Pasting | undefined>(undefined);
  readonly note = signal<string | undefined>(undefined);
  readonly dialog = signal<"rename" | "keys" | undefined>(undefined);
  /** Which of how many places that were found is shown, counted from 0. */
  readonly found = signal<{ readonly which: number; readonly count: number } | undefined>(
    undefined,
  );
  /** Counts what came, for who shows it otherwise. */
  outputs = 0;
  readonly view = signal<LiveView | undefined>(undefined);
  /** Whether there is a terminal to show, as it is or as it was. */
  readonly isShown = computed(() => !NOTHING_SHOWN.has(this.view.value?.state.value.kind));
  #screen: Screen | undefined;
  #unbell: ReturnType<typeof setTimeout> | undefined;
  #settle: ReturnType<typeof setTimeout> | undefined;

  constructor(endpoint: string, place: TerminalPlace, subscription: Subscription<PageTopic>) {
    const { id, ...whose } = place;
    this.endpoint = endpoint;
    this.id = id;
    this.whose = whose;
    this.subscription = subscription;
    this.facts = new TerminalFacts(subscription, place);
  }

  get mayAct(): boolean {
    const state = session.value;
    return state.kind === "open" && !state.readOnly;
  }

  get screen(): Screen | undefined {
    return this.#screen;
  }

  /** Begins to show the terminal in this place. */
  async show(element: HTMLElement): Promise<void> {
    const { Screen } = await import("./screen.ts");
    const screen = new Screen(element, this.fontSize.peek(), {
      typed: (bytes) => this.view.peek()?.type(bytes),
      bell: () => this.#bell(),
      hovered: (target) => {
        this.link.value = target;
      },
      found: (which, count) => {
        this.found.value = { which, count };
      },
    });
    this.#screen = screen;
    this.view.value = new LiveView(this.endpoint, { id: this.id, ...this.whose }, !this.mayAct, {
      write: (bytes, shown) => {
        screen.write(bytes, shown);
        this.outputs += 1;
      },
      reset: () => screen.reset(),
      resize: (cols, rows) => screen.resize(cols, rows),
      fitting: () => screen.fitting(),
      theme: viewTheme,
    });
    new ResizeObserver(() => this.#fitSoon()).observe(element);
    effect(() => {
      scheme.value;
      screen.recolour();
      this.view.peek()?.recolour();
    });
    effect(() => {
      screen.fontSize = this.fontSize.value;
      this.#fitSoon();
    });
    effect(() => {
      screen.isReadOnly = this.view.value?.isReadOnly ?? true;
    });
    screen.onKey((event) => this.#isTerminals(event));
    effect(() => {
      if (session.value.kind === "refused") this.view.peek()?.leave();
    });
    effect(() => {
      const view = this.view.value;
      if (view?.state.value.kind === "gone" && this.facts.isListed.value === true) view.listed();
    });
    effect(() => {
      if (this.view.value?.state.value.kind === "live") this.#fitSoon();
    });
    element.addEventListener("paste", (event) => this.#pasted(event), { capture: true });
    screen.focus();
  }

  resizeFont(step: number): void {
    const size = Math.min(FONTS.most, Math.max(FONTS.least, this.fontSize.peek() + step));
    this.fontSize.value = size;
    try {
      localStorage.setItem(FONT_KEY, String(size));
    } catch {
      // It holds as long as the page.
    }
  }

  /** Types a text as pasted, perhaps after a question. */
  paste(pasted: string): void {
    const screen = this.#screen;
    if (screen === undefined || this.view.peek()?.isReadOnly !== false) return;
    const isKnown = this.view.peek()?.terminal.peek()?.pasteUnknown !== true;
    const looked = lookAt(pasted, isKnown && screen.isBracketed);
    if (looked.doubt !== undefined) this.doubted.value = looked;
    else this.typePasted(looked);
  }

  typePasted({ text, removed }: Pasting): void {
    this.doubted.value = undefined;
    this.#screen?.paste(text);
    if (removed > 0) this.note.value = leftOut(removed);
    this.#screen?.focus();
  }

  async copySelection(): Promise<void> {
    const text = this.#screen?.selection ?? "";
    if (text === "") return;
    try {
      await navigator.clipboard.writeText(text);
      this.note.value = "Copied";
    } catch {
      this.note.value = "The browser does not let it be copied";
    }
  }

  interrupt(): void {
    this.view.peek()?.type(Uint8Array.of(3));
  }

  /** The buttons of the page, for who leaves the terminal by keys. */
  leaveTerminal(): void {
    document.querySelector<HTMLElement>(".tools a, .tools button")?.focus();
  }

  /** Whether a key is the terminal's; what is the page's own is done. */
  #isTerminals(event: KeyboardEvent): boolean {
    if (event.type !== "keydown") return true;
    const act = PAGE_KEYS[pageKey(event)];
    if (act === undefined) return true;
    event.preventDefault();
    act(this);
    return false;
  }

  #pasted(event: ClipboardEvent): void {
    event.preventDefault();
    event.stopPropagation();
    this.paste(event.clipboardData?.getData("text/plain") ?? "");
  }

  #bell(): void {
    this.hasBell.value = true;
    clearTimeout(this.#unbell);
    this.#unbell = setTimeout(() => {
      this.hasBell.value = false;
    }, BELL_MS);
  }

  #fitSoon(): void {
    clearTimeout(this.#settle);
    this.#settle = setTimeout(() => this.view.peek()?.fit(), SETTLED_MS);
  }
}

/** Keys that are the page's own, each with Control and Shift: few programs listen to those. */
const PAGE_KEYS: Readonly<Record<string, (page: TerminalPage) => unknown>> = {
  C: (page) => page.copySelection(),
  F: (page) => {
    page.isFinding.value = true;
  },
  Period: (page) => page.resizeFont(1),
  Comma: (page) => page.resizeFont(-1),
  ArrowUp: (page) => page.leaveTerminal(),
};

/** Keys that are told by where they are: what they write with Shift differs from keyboard to keyboard. */
const BY_PLACE: ReadonlySet<string> = new Set(["Period", "Comma"]);

function pageKey({ key, code, ctrlKey, shiftKey, altKey, metaKey }: KeyboardEvent): string {
  if (!ctrlKey || !shiftKey || altKey || metaKey) return "";
  if (BY_PLACE.has(code)) return code;
  return key.length === 1 ? key.toUpperCase() : key;
}

function keptFont(): number {
  try {
    const size = Number(localStorage.getItem(FONT_KEY));
    return size >= FONTS.least && size <= FONTS.most ? size : FONTS.usual;
  } catch {
    return FONTS.usual;
  }
}
