import { signal } from "@preact/signals";
import type { Subscription } from "../../client/index.ts";
import type { AgentInfo } from "../../contract/agents.ts";
import type { TerminalInfo } from "../../contract/terminals.ts";
import { place } from "../shared/place.ts";
import { managerOf, type StateWord, stateOf } from "../shared/state.ts";

export const TOPICS = ["terminals", "agents"] as const;
export type PageTopic = (typeof TOPICS)[number];

/** Which terminal a page is of: `instance` where it is not the publisher's own. */
export interface TerminalPlace {
  readonly id: string;
  readonly instance?: string;
}

/** What the list says of the terminal of this page. */
export interface Facts {
  readonly terminal: TerminalInfo;
  readonly agent: AgentInfo | undefined;
  readonly state: StateWord;
}

/** Follows one terminal of the list. */
export class TerminalFacts {
  /** As it was stated last; kept when it is no longer listed. */
  readonly facts = signal<Facts | undefined>(undefined);
  /** Whether it is listed; `undefined` as long as that is not known. */
  readonly isListed = signal<boolean | undefined>(undefined);
  /** Why what is told of it is old: what manages it cannot be read. Absent where it can. */
  readonly unread = signal<string | undefined>(undefined);
  readonly #subscription: Subscription<PageTopic>;
  readonly #place: TerminalPlace;

  constructor(subscription: Subscription<PageTopic>, place: TerminalPlace) {
    this.#subscription = subscription;
    this.#place = place;
    subscription.on("change", () => this.#take());
  }

  #take(): void {
    if (this.#subscription.view("terminals").status !== "current") return;
    const { id, instance = this.#subscription.publisher?.instance } = this.#place;
    const rows = this.#subscription
      .rows("terminals")
      .filter((row) => row.id === id && row.instance === instance);
    const [placed] = place(rows, this.#subscription.rows("agents"));
    this.isListed.value = placed !== undefined;
    this.unread.value = this.#unread();
    if (placed === undefined) return;
    const { terminal, agent, section } = placed;
    const before = this.facts.peek();
    if (before?.terminal === terminal && before.agent === agent) return;
    this.facts.value = { terminal, agent, state: stateOf(terminal, agent, section === "starting") };
  }

  #unread(): string | undefined {
    const manager = managerOf(this.#place);
    const instance = this.facts.peek()?.terminal.instance;
    for (const [id, view] of this.#subscription.view("terminals").instances) {
      if (instance !== undefined && id !== instance) continue;
      const failing = view.sources?.find(
        ({ scheme, status }) => scheme === manager && status === "failing",
      );
      if (failing !== undefined) return failing.error?.msg ?? `${manager} cannot be read`;
    }
    return undefined;
  }
}
