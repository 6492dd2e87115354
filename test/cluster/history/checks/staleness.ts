import type { Ground } from "../ground.ts";
import type { Held } from "../held.ts";
import type { Finding } from "../promises.ts";
import { heldAt } from "../replay.ts";
import { gapsBetween, type Span } from "../spans.ts";
import { CHAINED, isListening, type PartOfReader, partsOf } from "./parts.ts";

/** P11: while an instance is read, a bookmark comes in time; when it says nothing, its sources are called failing in time.
 * P13 where it is the engine that is out, and also that all of it heals. */
export function* staleness(ground: Ground): Generator<Finding> {
  for (const one of partsOf(ground)) {
    if (!CHAINED.includes(one.part.topic)) continue;
    yield* bookmarks(ground, one);
    if (one.gateway === one.part.instance) continue;
    const { gateway, part } = one;
    const { engineOut } = ground.history;
    const silent = ground.silenceOf(part.instance);
    const { heartbeatMs, staleMarginMs } = ground.settings;
    yield* marks(ground, one, {
      promise: "P11",
      spans: silent,
      unless: ground.apartOf(gateway),
      withinMs: heartbeatMs + staleMarginMs,
    });
    // An engine that dies ends its connections, which is noticed at once.
    const unnoticed = [...ground.outOf(gateway), ...(ground.truthOf(gateway)?.cut ?? [])];
    yield* marks(ground, one, { promise: "P13", spans: engineOut, unless: unnoticed, withinMs: 0 });
    yield* healing(ground, one);
  }
}

function* bookmarks(ground: Ground, one: PartOfReader): Generator<Finding> {
  const { bookmarkMs, heartbeatMs, marginMs, settleMs } = ground.settings;
  const { name, gateway, part, subscription, of } = one;
  const every = bookmarkMs + (gateway === part.instance ? 0 : heartbeatMs) + marginMs;
  const readings = part.steps.filter(({ record }) => "polled_at" in Object(record.frame.data));
  const troubles = [
    ...ground.troublesBetween(gateway, part.instance),
    ...of.stalls.map(({ from, to }) => ({ from, to: to + settleMs })),
  ];
  const first = part.steps[0]?.record.at ?? subscription.to;
  for (const heard of gapsBetween(troubles, first, subscription.to)) {
    const from = heard.from === first ? first : heard.from + settleMs;
    const times = [from, ...readings.map(({ record }) => record.at), heard.to];
    const within = times.filter((at) => at >= from && at <= heard.to);
    for (const [index, at] of within.entries()) {
      ground.stake("P11");
      const gap = (within[index + 1] ?? at) - at;
      if (gap <= every) continue;
      const msg = `no bookmark of ${part.topic} for ${Math.round(gap)} ms`;
      yield { promise: "P11", reader: name, at: at + every, instance: part.instance, msg };
    }
  }
}

interface Silence {
  readonly promise: "P11" | "P13";
  readonly spans: readonly Span[];
  /** When the gateway itself could not tell. */
  readonly unless: readonly Span[];
  readonly withinMs: number;
}

/** Whether what is held says itself that it is up to date. */
const claimsToBeFresh = ({ rows, sources }: Held) =>
  rows.size > 0 && sources.some(({ status }) => status === "ok");

function* marks(
  ground: Ground,
  one: PartOfReader,
  { promise, spans, unless, withinMs }: Silence,
): Generator<Finding> {
  const { marginMs, settleMs } = ground.settings;
  const { name, part } = one;
  for (const silence of merged(spans, ground.history.endsAt)) {
    const by = silence.from + withinMs + marginMs;
    if (silence.to < by || !isListening(one, silence.from, by, settleMs)) continue;
    if (unless.some(({ from, to }) => from <= by && to >= silence.from - settleMs)) continue;
    ground.stake(promise);
    if (!claimsToBeFresh(heldAt(part, by))) continue;
    const msg = `still called fresh ${by - silence.from} ms after its last word`;
    yield { promise, reader: name, at: by, instance: part.instance, msg };
  }
}

/** Spans that overlap as one. */
const merged = (spans: readonly Span[], end: number) => {
  const between = gapsBetween(spans, 0, end);
  return gapsBetween(between, 0, end);
};

function* healing(ground: Ground, one: PartOfReader): Generator<Finding> {
  const { heartbeatMs, marginMs, settleMs } = ground.settings;
  const { name, gateway, part } = one;
  for (const out of ground.history.engineOut) {
    const by = out.to + settleMs + heartbeatMs + marginMs;
    if (by > ground.history.endsAt || !isListening(one, out.from, by, settleMs)) continue;
    if (!ground.isHeard(gateway, part.instance, out.to + settleMs + 1, by)) continue;
    ground.stake("P13");
    const { sources } = heldAt(part, by);
    const bad = sources.filter(({ status }) => status !== "ok" && status !== "absent");
    if (bad.length === 0) continue;
    const msg = `not read ${by - out.to} ms after the engine was back: ${JSON.stringify(bad)}`;
    yield { promise: "P13", reader: name, at: by, instance: part.instance, msg };
  }
}
