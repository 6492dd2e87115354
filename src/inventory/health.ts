import type { SourceInfo, SourceStatus } from "../contract/sources.ts";
import { areAlike } from "./alike.ts";
import type { Fault, Finding, ObservedTerminal, Reading } from "./source.ts";
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

  /** Takes a reading in. Answers whether it says anything else than the last one of its place. */
  take(scheme: string, { name, at, finding }: Reading): boolean {
    const key = keyOf(scheme, name);
    const before = this.#places.get(key);
    if (finding.kind === "gone") {
      for (const { id } of before?.terminals ?? []) this.#ended.add(id);
      return this.#places.delete(key);
    }
    // What stood for the scheme before its places were known gives way to them.
    if (name !== undefined) this.#places.delete(keyOf(scheme, undefined));
    const place = before ?? placeOf(scheme, name, "starting", at);
    this.#places.set(key, place);
    const last = { ...place };
    const status = finding.kind === "rows" ? "ok" : finding.kind;
    if (place.status !== status) place.sinceAt = at;
    place.status = status;
    place.fault = finding.kind === "failing" ? finding.fault : undefined;
    if (finding.kind === "rows") place.fault = finding.limited;
    if (finding.kind === "rows" || finding.kind === "absent") place.polledAt = at;
    place.terminals = keepAlike(terminalsOf(finding) ?? place.terminals, last.terminals);
    return before === undefined || !isAsBefore(place, last);
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

/** The terminals that a finding states. `undefined` where it states none of its own, so that those of the last
 * good reading stand. */
function terminalsOf(finding: Finding): readonly ObservedTerminal[] | undefined {
  if (finding.kind === "absent") return [];
  return finding.kind === "rows" || finding.kind === "failing" ? finding.terminals : undefined;
}

/** The terminals of a reading, and for each that says what it said before the very object that said so: what is
 * made of it need not be made again. The last list itself where nothing differs. */
function keepAlike(
  terminals: readonly ObservedTerminal[],
  last: readonly ObservedTerminal[],
): readonly ObservedTerminal[] {
  const known = new Map(last.map((terminal) => [terminal.id, terminal]));
  const kept = terminals.map((terminal) => {
    const before = known.get(terminal.id);
    return before !== undefined && areAlike(before, terminal) ? before : terminal;
  });
  const isSame = kept.length === last.length && kept.every((one, index) => one === last[index]);
  return isSame ? last : kept;
}

function isAsBefore(place: Place, last: Place): boolean {
  return (
    place.status === last.status &&
    place.terminals === last.terminals &&
    areAlike(place.fault ?? {}, last.fault ?? {})
  );
}

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
