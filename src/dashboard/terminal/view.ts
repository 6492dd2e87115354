import { signal } from "@preact/signals";
import { type TerminalViewer, type ViewError, viewTerminal } from "../../client/index.ts";
import type { ViewedTerminal, ViewTheme } from "../../contract/view.ts";
import type { TerminalPlace } from "./facts.ts";

/** How a view stands.
 *
 * - `connecting`: for the first time.
 * - `live`: what is shown is what is there.
 * - `lost`: the way to it is; it is tried again. What is shown is as it was.
 * - `closed`: the terminal was closed.
 * - `gone`, `unsupported`, `refused`: it cannot be looked at; `message` says why. */
export interface ViewState {
  readonly kind: "connecting" | "live" | "lost" | "closed" | "gone" | "unsupported" | "refused";
  readonly message?: string;
  /** When it was last live, in milliseconds since 1970. */
  readonly lastGoodAt?: number;
}

/** Where the output of a view goes. */
export interface Shower {
  write(bytes: Uint8Array, shown: () => void): void;
  /** Everything comes anew. */
  reset(): void;
  /** The size of what comes from now on. */
  resize(cols: number, rows: number): void;
  /** The size that the viewer would have; `undefined`: none of its own. */
  fitting(): { readonly cols: number; readonly rows: number } | undefined;
  theme(): ViewTheme;
}

/** Between two tries at least and at most, in milliseconds. */
const RETRY_MS = 500;
const RETRY_MAX_MS = 10_000;

/** The ends after which another try cannot help. */
const FINAL: Partial<Record<ViewError["reason"], ViewState["kind"]>> = {
  gone: "gone",
  unsupported: "unsupported",
  unauthorised: "refused",
  refused: "refused",
};

/** A viewer that comes back by itself. */
export class LiveView {
  readonly state = signal<ViewState>({ kind: "connecting" });
  readonly terminal = signal<ViewedTerminal | undefined>(undefined);
  /** How much output was left out of late because this page was too slow for it, in bytes. */
  readonly skipped = signal(0);
  /** A job that was in the way of closing it; `null` where nothing was. */
  readonly busy = signal<{ readonly program: string | undefined } | null>(null);
  readonly complaint = signal<string | undefined>(undefined);
  /** When its program was seen to end, in milliseconds since 1970; absent where nobody looked then. */
  readonly endedAt = signal<number | undefined>(undefined);
  readonly #endpoint: string;
  readonly #place: TerminalPlace;
  readonly #shower: Shower;
  #viewer: TerminalViewer | undefined;
  #isReadOnly: boolean;
  #tries = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(endpoint: string, place: TerminalPlace, isReadOnly: boolean, shower: Shower) {
    this.#endpoint = endpoint;
    this.#place = place;
    this.#shower = shower;
    this.#isReadOnly = isReadOnly;
    this.#dial();
    addEventListener("online", () => this.#again());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#again();
    });
  }

  get isReadOnly(): boolean {
    return this.terminal.value?.readOnly === true;
  }

  type(bytes: Uint8Array): void {
    this.#viewer?.write(bytes);
  }

  close(force: boolean): void {
    this.busy.value = null;
    this.#viewer?.close({ force });
  }

  /** Says the size that it would have here, where that is for this viewer to say. It has it once the terminal says so: what
   * is on its way was printed for the size of before. */
  fit(): void {
    const terminal = this.terminal.peek();
    if (terminal === undefined || terminal.fixedSize === true || terminal.readOnly === true) return;
    if (terminal.exited !== undefined || this.state.peek().kind !== "live") return;
    const size = this.#shower.fitting();
    if (size === undefined) return;
    if (size.cols === terminal.cols && size.rows === terminal.rows) return;
    this.#viewer?.resize(size.cols, size.rows);
  }

  /** Says the colours that it has here. */
  recolour(): void {
    this.#viewer?.theme(this.#shower.theme());
  }

  /** Looks on as one who types or one who only looks. */
  setReadOnly(isReadOnly: boolean): void {
    if (isReadOnly === this.#isReadOnly) return;
    this.#isReadOnly = isReadOnly;
    this.#viewer?.leave();
    this.#dial();
  }

  /** Looks no more. */
  leave(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#viewer?.leave();
  }

  #dial(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#viewer = viewTerminal({
      endpoint: this.#endpoint,
      ...this.#place,
      readOnly: this.#isReadOnly,
      output: (bytes, shown) => this.#shower.write(bytes, shown),
      attached: (terminal) => {
        this.#tries = 0;
        this.#shower.reset();
        this.#take(terminal);
        this.state.value = { kind: "live" };
        this.recolour();
      },
      changed: (terminal) => {
        const hasEnded = terminal.exited !== undefined;
        if (hasEnded && this.terminal.peek()?.exited === undefined) {
          this.endedAt.value = Date.now();
        }
        this.#take(terminal);
      },
      skipped: (bytes) => {
        this.skipped.value += bytes;
      },
      busy: (program) => {
        this.busy.value = { program };
      },
      error: (message) => {
        this.complaint.value = message;
      },
      closed: () => {
        this.state.value = { kind: "closed" };
      },
      end: (error) => this.#end(error),
    });
  }

  #take(terminal: ViewedTerminal): void {
    this.terminal.value = terminal;
    this.#shower.resize(terminal.cols, terminal.rows);
  }

  /** It is listed although it was gone: its manager may be back, or about to be told gone. */
  listed(): void {
    if (this.state.peek().kind === "gone") this.#againLater("it does not answer");
  }

  #end({ reason, message }: ViewError): void {
    const final = FINAL[reason];
    if (final === undefined) this.#againLater(message);
    else this.state.value = { ...this.#lastGood(), kind: final, message };
  }

  #lastGood(): Pick<ViewState, "lastGoodAt"> {
    const before = this.state.peek();
    const lastGoodAt = before.kind === "live" ? Date.now() : before.lastGoodAt;
    return lastGoodAt === undefined ? {} : { lastGoodAt };
  }

  #againLater(message: string): void {
    const before = this.state.peek();
    const kind = before.kind === "connecting" ? "connecting" : "lost";
    this.state.value = { ...this.#lastGood(), kind, message };
    const limit = Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** this.#tries);
    this.#tries += 1;
    this.#retry = setTimeout(() => this.#dial(), limit * (0.5 + Math.random() / 2));
  }

  /** The network may be back. */
  #again(): void {
    if (this.#retry !== undefined) this.#dial();
  }
}
