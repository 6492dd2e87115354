import type { TerminalInfo } from "../../contract/terminals.ts";
import { unsupported } from "../elsewhere.ts";
import { ActingError } from "../failure.ts";
import type { Looker, OpenView, View } from "./view.ts";

/** Which terminal: by the id of its row, and the instance of that where it is not the publisher's own. */
export interface ViewedPlace {
  readonly id: string;
  readonly instance?: string;
}

/** Opens views of the terminals that a publisher states. */
export interface Views {
  /** Rejects with an `ActingError` where the terminal is not stated or cannot be looked at. */
  open(place: ViewedPlace, looker: Looker, signal: AbortSignal): Promise<View>;
}

export interface PublishedViewsParts {
  readonly instance: string;
  /** The row of that id as the publisher states it now; `undefined` where it states none. */
  find(id: string): Promise<TerminalInfo | undefined>;
  /** What opens a view, by the scheme of the terminal. */
  readonly schemes: Readonly<Record<string, OpenView>>;
}

export class PublishedViews implements Views {
  readonly #parts: PublishedViewsParts;

  constructor(parts: PublishedViewsParts) {
    this.#parts = parts;
  }

  async open(place: ViewedPlace, looker: Looker, signal: AbortSignal): Promise<View> {
    const { find, schemes, instance: own } = this.#parts;
    const { id, instance = own } = place;
    if (instance !== own) {
      const msg = `the instance ${instance.slice(0, 64)} cannot be reached from here`;
      throw new ActingError("no_answer", msg);
    }
    const row = await find(id);
    if (row === undefined) throw new ActingError("gone", `no terminal is listed as ${id}`);
    const scheme = id.slice(0, Math.max(0, id.indexOf(":")));
    const open = Object.hasOwn(schemes, scheme) ? schemes[scheme] : undefined;
    if (open === undefined) throw unsupported(id, "view");
    return open(row, looker, signal);
  }
}
