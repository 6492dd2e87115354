import type { TopicFrame } from "../../../src/contract/envelope.ts";
import type { SourceInfo, SourceStatus } from "../../../src/contract/sources.ts";
import type { History, InstanceTruth, ReaderRecord, RowTruth, Run } from "./history.ts";
import type { Span } from "./spans.ts";

export const NEAR = "a".repeat(32);
export const FAR = "b".repeat(32);

type Open<T> = { -readonly [Field in keyof T]: T[Field] };
interface Truth extends Omit<InstanceTruth, "runs" | "paused" | "cut" | "unread" | "rows"> {
  runs: Run[];
  paused: Span[];
  cut: Span[];
  unread: Span[];
  rows: Open<RowTruth>[];
}

/** The row of an instance, by the number of its value. */
export const row = (instance: string, value: number, more: object = {}) => ({
  instance,
  id: `pty:${instance.slice(0, 1)}`,
  state: "running",
  command: [],
  title: `v${value}`,
  ...more,
});

export const removal = (instance: string, reason: string, at = 0) => ({
  instance,
  id: `pty:${instance.slice(0, 1)}`,
  removed: true,
  removed_at: at,
  reason,
});

export const sources = (status: SourceStatus, code = "instance_silent"): SourceInfo[] => [
  {
    scheme: "pty",
    status,
    since_at: 0,
    ...(status === "failing" ? { error: { code, msg: "" } } : {}),
  },
];

export const at = (ms: number) => ({ since: ms, sureBy: ms + 5 });

/** A run that began long before. */
export const RUN: Run = {
  from: -60_000,
  listensAt: -59_000,
  isFirst: false,
  to: Number.POSITIVE_INFINITY,
  ending: "running",
};

/** A hand-made history: two instances that run, with one terminal each, and a reader that is connected to the near one. Until
 * it is said otherwise both are read all the while and nothing happens. */
export class Story {
  readonly near = truthOf(NEAR);
  readonly far = truthOf(FAR);
  readonly engineOut: Span[] = [];
  readonly engineFull: Span[] = [];
  readonly records: ReaderRecord[] = [];
  readonly others: History["readers"][number][] = [];
  endsAt = 100_000;
  quietFrom = 0;
  readonly #places = new Map<string, { epoch: string; seq: number }>();
  #bookmarked: { instance: string; until: number; from: number }[] = [];

  constructor() {
    this.records.push({ kind: "connected", at: 0 });
    for (const topic of ["terminals", "instances"])
      this.records.push({ kind: "subscribed", at: 0, topic });
    for (const instance of [NEAR, FAR]) {
      this.snapshot(10, instance, [row(instance, 0)]);
      this.reading(instance, 10_000);
    }
    this.listed(10, true);
  }

  /** From then on a bookmark every 10 s, in place of those so far. */
  reading(instance: string, from: number, until = Number.POSITIVE_INFINITY): void {
    for (const one of this.#bookmarked)
      if (one.instance === instance) one.until = Math.min(one.until, from);
    this.#bookmarked.push({ instance, from, until });
  }

  frame(at: number, over: Partial<TopicFrame> & { instance: string; data: unknown }): TopicFrame {
    const frame: TopicFrame = { ev: "topic", topic: "terminals", ...over };
    this.records.push({ kind: "frame", at, bytes: JSON.stringify(frame).length, frame });
    return frame;
  }

  snapshot(
    at: number,
    instance: string,
    terminals: object[],
    { epoch = "1", more = {} }: { epoch?: string; more?: object } = {},
  ): void {
    const seq = (this.#places.get(instance)?.seq ?? 0) + 1;
    const place = { epoch: epoch.repeat(16), seq };
    this.#places.set(instance, place);
    const data = { terminals, polled_at: at, sources: sources("ok") };
    this.frame(at, { instance, snapshot: true, ...place, data, ...more });
  }

  /** `moves`: whether the position moves. */
  change(at: number, instance: string, terminals: object[], more: object = {}, moves = true): void {
    const place = this.#places.get(instance) ?? { epoch: "", seq: 0 };
    const prev_seq = place.seq;
    if (moves) place.seq += 1;
    this.frame(at, { instance, ...place, prev_seq, data: { terminals, polled_at: at }, ...more });
  }

  /** Says how the sources stand, at the position that is held. */
  stand(at: number, instance: string, status: SourceStatus, code?: string): void {
    const data = { terminals: [], sources: sources(status, code) };
    this.change(at, instance, [], { data }, false);
  }

  listed(at: number, reachable: boolean): void {
    const instances = [
      { id: NEAR, host: "near", reachable: true },
      { id: FAR, host: "far", reachable },
    ];
    const snapshot = at === 10 ? { snapshot: true as const } : {};
    this.frame(at, { topic: "instances", instance: NEAR, ...snapshot, data: { instances } });
  }

  /** Bookmarks state the position that is held at their time. */
  #bookmarks(): ReaderRecord[] {
    return this.#bookmarked.flatMap(({ instance, from, until }) => {
      const marks: ReaderRecord[] = [];
      for (let at = from; at < Math.min(until, this.endsAt); at += 10_000) {
        const last = this.records.findLast(
          (record) =>
            record.kind === "frame" &&
            record.frame.topic === "terminals" &&
            record.frame.instance === instance &&
            record.at < at,
        );
        if (last?.kind !== "frame") continue;
        const { epoch = "", seq = 0 } = last.frame;
        const data = { terminals: [], polled_at: at };
        const frame = {
          ev: "topic",
          topic: "terminals",
          instance,
          epoch,
          seq,
          prev_seq: seq,
          data,
        };
        marks.push({ kind: "frame", at, bytes: 200, frame: frame as TopicFrame });
      }
      return marks;
    });
  }

  history(): History {
    const records = [...this.records, ...this.#bookmarks()].sort((one, other) => one.at - other.at);
    const { near, far, engineOut, engineFull, quietFrom, endsAt } = this;
    const readers = [{ name: "r", gateway: NEAR, records }, ...this.others];
    return { instances: [near, far], readers, engineOut, engineFull, quietFrom, endsAt };
  }
}

function truthOf(id: string): Truth {
  const key = `pty:${id.slice(0, 1)}`;
  const versions = [{ value: "v0", ...at(-50_000) }];
  return {
    id,
    runs: [RUN],
    paused: [],
    cut: [],
    unread: [],
    rows: [{ key, opened: at(-50_000), versions }],
  };
}
