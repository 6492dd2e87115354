import type { SourceInfo, SourceStatus } from "../contract/sources.ts";
import type { Fault, ObservedTerminal, Reading } from "./source.ts";
import { displayText } from "./text.ts";

/** One place that terminals come from, and what it said last. */
interface Place {
  readonly scheme: string;
  readonly name: string | undefined;
  status: SourceStatus;
  sinceAt: number;
  polledAt: number | undefined;
  fault: Fault | undefined;
  terminals: readonly ObservedTerminal[];
}

/** What every source said last, and how each stands. Only a positive reading takes terminals away. */
export class SourceHealth {
  readonly #places = new Map<string, Place>();
  /** Terminals of places that have ended, for as long as somebody may ask why they are gone. */
  readonly #ended = new Set<string>();

  /** Takes a reading in. */
  take(scheme: string, { name, at, finding }: Reading): void {
    const key = keyOf(scheme, name);
    if (finding.kind === "gone") {
      for (const { id } of this.#places.get(key)?.terminals ?? []) this.#ended.add(id);
      this.#places.delete(key);
      return;
    }
    // What stood for the scheme before its places were known gives way to them.
    if (name !== undefined) this.#places.delete(keyOf(scheme, undefined));
    const place = this.#places.get(key) ?? placeOf(scheme, name, "starting", at);
    this.#places.set(key, place);
    const status = finding.kind === "rows" ? "ok" : finding.kind;
    if (place.status !== status) place.sinceAt = at;
    place.status = status;
    place.fault = finding.kind === "failing" ? finding.fault : undefined;
    if (finding.kind === "rows") place.fault = finding.limited;
    if (finding.kind === "rows" || finding.kind === "absent") place.polledAt = at;
    if (finding.kind === "absent") place.terminals = [];
    if (finding.kind === "rows") place.terminals = finding.terminals;
    if (finding.kind === "failing") place.terminals = finding.terminals ?? place.terminals;
  }

  /** Every terminal, by its id. Where two places state one, the first one's counts. */
  terminals(): ObservedTerminal[] {
    const byId = new Map<string, ObservedTerminal>();
    for (const { terminals } of this.#places.values()) {
      for (const terminal of terminals) {
        if (!byId.has(terminal.id)) byId.set(terminal.id, terminal);
      }
    }
    return [...byId.values()];
  }

  /** Whether a terminal went because its manager did, since the last call of `settle`. */
  wentWithItsManager(id: string): boolean {
    return this.#ended.has(id);
  }

  /** What has ended is told. */
  settle(): void {
    this.#ended.clear();
  }

  /** When the newest good reading ran. */
  get polledAt(): number | undefined {
    const times = [...this.#places.values()].flatMap(({ polledAt }) => polledAt ?? []);
    return times.length === 0 ? undefined : Math.max(...times);
  }

  /** How each source stands. `limit` says how every one that is well falls short. */
  sources(limit: Fault | undefined): SourceInfo[] {
    return [...this.#places.values()].map((place) => {
      const { scheme, name, status, sinceAt, polledAt } = place;
      const error = place.fault ?? (status === "ok" ? limit : undefined);
      const shown = displayText(name);
      return {
        scheme,
        ...(shown === undefined ? {} : { name: shown }),
        status,
        since_at: sinceAt,
        ...(polledAt === undefined ? {} : { polled_at: polledAt }),
        ...(error === undefined ? {} : { error: stated(error) }),
      };
    });
  }
}

/** Messages tell of paths, which strangers choose. */
const stated = ({ code, msg }: Fault): Fault => ({ code, msg: displayText(msg) ?? code });

const keyOf = (scheme: string, name: string | undefined) => `${scheme}\n${name ?? ""}`;

function placeOf(
  scheme: string,
  name: string | undefined,
  status: SourceStatus,
  at: number,
): Place {
  return {
    scheme,
    name,
    status,
    sinceAt: at,
    polledAt: undefined,
    fault: undefined,
    terminals: [],
  };
}
