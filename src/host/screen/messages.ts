import type { CellScreen } from "./cell-screen.ts";
import type { ModelOptions } from "./model.ts";
import type { Capture, CaptureOptions, Snapshot } from "./shown.ts";
import type { Theme } from "./theme.ts";

/** What is asked of one screen, in order with what it is fed. */
export type Question =
  | { readonly kind: "snapshot"; readonly history: number }
  | { readonly kind: "history"; readonly from: number; readonly count: number }
  | { readonly kind: "capture"; readonly options: CaptureOptions }
  | { readonly kind: "cells"; readonly maxBytes: number }
  | { readonly kind: "freeze" };

export type Reply = Snapshot | Uint8Array<ArrayBuffer> | Capture | CellScreen | undefined;

/** To the worker. `id` is a screen's; bytes are handed over, not copied. */
export type Order =
  | { readonly op: "open"; readonly id: number; readonly options: ModelOptions }
  | {
      readonly op: "feed";
      readonly id: number;
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly isPast: boolean;
    }
  | { readonly op: "resize"; readonly id: number; readonly cols: number; readonly rows: number }
  | { readonly op: "theme"; readonly id: number; readonly theme: Theme }
  | {
      readonly op: "ask";
      readonly id: number;
      readonly call: number;
      readonly question: Question;
    }
  | { readonly op: "dispose"; readonly id: number };

/** From the worker. */
export type Report =
  /** How many bytes of which screens were parsed since the last time; and the memory of a flood's batches among them, to
   * be used again. */
  | {
      readonly op: "parsed";
      readonly counts: readonly (readonly [id: number, bytes: number])[];
      readonly spares: readonly ArrayBuffer[];
    }
  | { readonly op: "answer"; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly op: "reply"; readonly call: number; readonly reply: Reply }
  | { readonly op: "failed"; readonly call: number; readonly reason: string };

/** What the worker is started with: where it notes what it is at, for a watch on it from outside. */
export interface WorkerStart {
  /** Two numbers: the screen that is being worked on, 0 for none; and how many pieces of work were done, which goes
   * round. */
  readonly progress: SharedArrayBuffer;
}

/** Places in `progress`. */
export const AT_SCREEN = 0;
export const PIECES = 1;
