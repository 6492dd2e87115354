import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { SupervisorClient } from "../../host/supervisor/client/connect-supervisor.ts";
import type { InspectResult } from "../../host/supervisor/messages.ts";
import { EXIT, tell } from "../failure.ts";
import { onStopSignals } from "../signals.ts";
import { eventText } from "../supervise/print.ts";
import { isLost, nextSupervisor, onSupervisor } from "../supervise/reach.ts";
import { jsonLine } from "../text.ts";
import { sessionMeant } from "./session.ts";

export interface EventsOptions {
  /** Whether it goes on until the session is closed or a signal comes. */
  readonly follow?: boolean;
  /** Whether what was printed is forgotten. */
  readonly acknowledge?: boolean;
  /** Only events after this one. Absent: after those that were acknowledged. */
  readonly after?: number;
  readonly json?: boolean;
}

/** How often it is looked for events, in milliseconds: nothing tells of them. */
const LOOK_MS = 100;

/** How many events a page has at most, as the host has it. */
const PAGE_EVENTS = 256;

/** Prints what the monitors of a session have told of, and on request what they will. */
export async function events(text: string, options: EventsOptions): Promise<void> {
  await onSupervisor(false, async (client) => {
    const session = await sessionMeant(client, text);
    await new Events(client, session, options).print();
  });
}

class Events {
  #client: SupervisorClient;
  /** Whether it is one that was connected here. */
  #ownClient = false;
  readonly #session: string;
  readonly #options: EventsOptions;
  readonly #stopped = new AbortController();
  /** The last that was printed. */
  #seen: number | undefined;
  /** The last that was printed and is not acknowledged. */
  #owed: number | undefined;

  constructor(client: SupervisorClient, session: string, options: EventsOptions) {
    this.#client = client;
    this.#session = session;
    this.#options = options;
    this.#seen = options.after;
  }

  async print(): Promise<void> {
    const stop = { first: () => this.#stopped.abort(), again: () => process.exit(EXIT.failed) };
    const ignore = onStopSignals(stop, ["SIGINT", "SIGTERM"]);
    try {
      while (await this.#moreOfAnyHost()) {}
      if (this.#owed !== undefined) await this.#inspect(1);
    } finally {
      if (this.#ownClient) this.#client.close();
      ignore();
    }
  }

  /** As `#more`. A session in tmux goes on when its host ends: what is followed of it is so with the next one. */
  async #moreOfAnyHost(): Promise<boolean> {
    try {
      return await this.#more();
    } catch (error) {
      const goesOn = this.#options.follow === true && this.#session.startsWith("terminal-t-");
      if (!goesOn || !isLost(error)) throw error;
    }
    tell("the host ended; what comes is told once the next one runs");
    const next = await nextSupervisor(this.#stopped.signal);
    // Nobody is there to acknowledge to.
    if (next === undefined) this.#owed = undefined;
    else this.#changeTo(next);
    return next !== undefined;
  }

  #changeTo(client: SupervisorClient): void {
    if (this.#ownClient) this.#client.close();
    this.#client = client;
    this.#ownClient = true;
  }

  /** Prints what there is now. Answers, when it is time, whether more may come. */
  async #more(): Promise<boolean> {
    const page = await this.#inspect(PAGE_EVENTS);
    await this.#show(page);
    if (this.#stopped.signal.aborted) return false;
    if (page.events.length === PAGE_EVENTS) return true;
    if (this.#options.follow !== true) return false;
    if (page.session.lifecycle === "closed") {
      tell("the session is closed");
      return false;
    }
    const { signal } = this.#stopped;
    return pause(LOOK_MS, true, { signal }).catch(() => false);
  }

  async #inspect(most: number): Promise<InspectResult> {
    const owed = this.#owed;
    const page = await this.#client.operate({
      action: "inspect",
      session_id: this.#session,
      after_event_id: this.#seen ?? null,
      acknowledge_event_id: owed ?? null,
      max_events: most,
    });
    this.#owed = undefined;
    return page;
  }

  /** A reader that is slow gets no more until it has read. */
  async #show({ events, event_gap_through: gap }: InspectResult): Promise<void> {
    const [first, last] = [events[0], events.at(-1)];
    if (first === undefined || last === undefined) return;
    if (gap !== null && first.event_id === gap + 1 && gap > (this.#seen ?? 0)) {
      tell(`events up to ${gap} are no longer kept`);
    }
    const lines = events.map((event) =>
      this.#options.json === true ? jsonLine(event) : `${eventText(event)}\n`,
    );
    if (!process.stdout.write(lines.join(""))) await once(process.stdout, "drain");
    this.#seen = last.event_id;
    if (this.#options.acknowledge === true) this.#owed = last.event_id;
  }
}
