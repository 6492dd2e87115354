import type { TerminalInfo } from "../../../contract/terminals.ts";
import { VIEW_ACK_BYTES, VIEW_WINDOW_BYTES, type ViewedTerminal } from "../../../contract/view.ts";
import { SILENCE_MS } from "../../../host/channel/viewer.ts";
import type { Cancel, Clock } from "../../../time/clock.ts";
import { ActingError } from "../../failure.ts";
import type { Looker } from "../view.ts";
import type { Onlooker } from "./follower.ts";
import { paint, type Shown } from "./paint.ts";
import type { Scene } from "./scene.ts";

/** How much may be on its way to a looker that is painted anew, in bytes: one that shows everything may not have acknowledged
 * less than VIEW_ACK_BYTES, and what is on its way is seen before what is painted. */
const READY_BYTES = 2 * VIEW_ACK_BYTES;

/** How much is sent in one piece, in bytes. */
const PIECE_BYTES = 64 * 1024;

export interface SightParts {
  readonly row: TerminalInfo;
  readonly looker: Looker;
  readonly clock: Clock;
  /** It is over, and not because somebody left. */
  ended(): void;
}

/** What one looker is shown of a pane. One that is slow is not painted before it has shown what it was sent, and then once
 * with what is true by then: nothing waits for it but the rest of one paint. */
export class Sight implements Onlooker {
  readonly #parts: SightParts;
  readonly #row: TerminalInfo;
  readonly #looker: Looker;
  #shown: Shown | undefined;
  /** The last that there was to show. */
  #scene: Scene | undefined;
  /** What of a paint is not sent yet. */
  #rest: Buffer | undefined;
  #onWay = 0;
  #told: ViewedTerminal | undefined;
  #isOver = false;
  /** Arranged for while it takes nothing. */
  #silence: Cancel | undefined;

  constructor(parts: SightParts) {
    this.#parts = parts;
    this.#row = parts.row;
    this.#looker = parts.looker;
  }

  get isReady(): boolean {
    return !this.#isOver && this.#rest === undefined && this.#onWay < READY_BYTES;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Begins with the first that there is to show. */
  attach(scene: Scene): void {
    this.#told = this.#facts(scene);
    this.#looker.event({ type: "attached", terminal: this.#told });
    this.show(scene);
  }

  show(scene: Scene): void {
    this.#scene = scene;
    // What comes before `attached` would be taken for another's.
    if (this.#told === undefined || !this.isReady) return;
    this.#paint(scene);
    if (this.#rest === undefined) this.#tell(this.#facts(scene));
  }

  /** So many bytes have been shown. */
  acknowledge(bytes: number): void {
    this.#onWay -= Math.min(bytes, this.#onWay);
    this.#silence?.();
    this.#silence = undefined;
    this.#send();
    if (this.#scene !== undefined) this.show(this.#scene);
  }

  trouble(message: string): void {
    this.#looker.event({ type: "error", message });
  }

  over(why: ActingError | undefined): void {
    if (this.#isOver) return;
    this.leave();
    this.#parts.ended();
    if (why === undefined) this.#looker.event({ type: "closed", terminalId: this.#row.id });
    this.#looker.over(why);
  }

  leave(): void {
    this.#isOver = true;
    this.#rest = undefined;
    this.#scene = undefined;
    this.#shown = undefined;
    this.#silence?.();
    this.#silence = undefined;
  }

  #paint(scene: Scene): void {
    if (this.#shown?.scene === scene) return;
    const { text, shown, skipped } = paint(this.#shown, scene);
    this.#shown = shown;
    if (skipped !== undefined) {
      this.#looker.event({ type: "skipped", terminalId: this.#row.id, bytes: skipped });
    }
    const { cols, rows } = scene.look;
    if (this.#told !== undefined) this.#tell({ ...this.#told, cols, rows });
    this.#rest = text === "" ? undefined : Buffer.from(text);
    this.#send();
  }

  #send(): void {
    this.#sendRest();
    if (this.isReady || this.#isOver) return;
    this.#silence ??= this.#parts.clock.schedule(SILENCE_MS, () => {
      const why = `the viewer has acknowledged nothing for ${SILENCE_MS / 1_000} s while its window was full`;
      this.over(new ActingError("no_answer", why));
    });
  }

  #sendRest(): void {
    while (this.#rest !== undefined) {
      const room = Math.min(PIECE_BYTES, VIEW_WINDOW_BYTES - this.#onWay);
      if (room <= 0) return;
      const piece = this.#rest.subarray(0, room);
      this.#rest = piece.length === this.#rest.length ? undefined : this.#rest.subarray(room);
      this.#onWay += piece.length;
      this.#looker.output(piece);
    }
  }

  /** Tells what is not as it was told. The end of a program is told after its last output. */
  #tell(terminal: ViewedTerminal): void {
    if (JSON.stringify(terminal) === JSON.stringify(this.#told)) return;
    this.#told = terminal;
    this.#looker.event({ type: "changed", terminal });
  }

  #facts({ look }: Scene): ViewedTerminal {
    const { id, name } = this.#row;
    const { cols, rows, title, exited, modes } = look;
    return {
      id,
      ...(name === undefined ? {} : { name }),
      title,
      cols,
      rows,
      ...(exited === undefined ? {} : { exited }),
      fixedSize: true,
      ...(modes.bracketedPaste === undefined ? { pasteUnknown: true } : {}),
      ...(this.#looker.readOnly ? { readOnly: true } : {}),
    };
  }
}
