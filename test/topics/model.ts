import { isDeepStrictEqual } from "node:util";
import { AgentsFrame } from "../../src/contract/agents.ts";
import { MAX_FRAME_BYTES, type TopicFrame } from "../../src/contract/envelope.ts";
import { type FoldState, fold } from "../../src/contract/fold.ts";
import type { SourceInfo } from "../../src/contract/sources.ts";
import { TerminalsFrame } from "../../src/contract/terminals.ts";
import { validationErrors } from "../../src/contract/validation.ts";
import { FLUSH_PERIOD_MS } from "../../src/topics/egress.ts";
import { ElementFeed } from "../../src/topics/elements.ts";
import { Topics } from "../../src/topics/hub.ts";
import type { FrameSink, Reader } from "../../src/topics/reader.ts";
import { FakeClock, settled } from "../lib/fake-clock.ts";
import { EPOCH, frameOf, publication, source } from "./support.ts";

type Topic = "terminals" | "agents";
type Row = { readonly instance: string } & Record<string, unknown>;

/** What happens to the row of one handle in a publication. `restate`: the handle is freed, and names a
 * new thing in the next publication. */
export interface Edit {
  readonly handle: number;
  readonly what: "set" | "remove" | "restate";
  readonly text: number;
  readonly large: boolean;
}

export type Event =
  | { readonly kind: "edit"; readonly part: number; readonly edits: readonly Edit[] }
  | { readonly kind: "fail" | "read" | "bookmark" | "reset" | "forget"; readonly part: number }
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "stall" | "flow" | "end"; readonly reader: number }
  | { readonly kind: "take"; readonly reader: number; readonly bytes: number }
  | { readonly kind: "open" | "close"; readonly reader: number; readonly topic: Topic };

/** Three parts: two instances that publish terminals, and one of them that publishes agents. */
const PARTS = [
  { topic: "terminals", instance: "a".repeat(32) },
  { topic: "terminals", instance: "b".repeat(32) },
  { topic: "agents", instance: "a".repeat(32) },
] as const;

/** Two fit in a frame, a third does not. */
const LARGE = "x".repeat(350_000);

const textOf = ({ text, large }: Edit) => (large ? `${LARGE}${text}` : String(text));

/** `birth` tells the things that one handle names one after the other apart. */
function rowOf(topic: Topic, instance: string, handle: number, birth: number, text: string): Row {
  return topic === "terminals"
    ? { instance, id: `pty:${handle}`, state: "running", command: [], pid: birth, title: text }
    : {
        instance,
        pid: handle,
        cwd: "/",
        kind: "k",
        config_dir: "/",
        started_at: birth,
        status: text,
      };
}

const handleOf = (topic: Topic, row: Record<string, unknown>) =>
  topic === "terminals" ? Number(String(row["id"]).slice(4)) : Number(row["pid"]);

const birthOf = (topic: Topic, row: Record<string, unknown>) =>
  topic === "terminals" ? row["pid"] : row["started_at"];

/** What one instance publishes of a topic, beside the feed that is told the same. */
class PartModel {
  readonly topic: Topic;
  readonly instance: string;
  readonly feed: ElementFeed<Topic>;
  readonly rows = new Map<number, Row>();
  sources: SourceInfo[] | undefined;
  /** The time that the newest bookmark stated. */
  markedAt = 0;
  #births = 0;

  constructor(topic: Topic, instance: string) {
    this.topic = topic;
    this.instance = instance;
    this.feed = new ElementFeed<Topic>(topic, instance, EPOCH);
  }

  edit(edits: readonly Edit[]): void {
    const anew: Edit[] = [];
    for (const edit of edits) {
      const before = this.rows.get(edit.handle);
      if (edit.what !== "set") this.rows.delete(edit.handle);
      if (edit.what === "restate") anew.push(edit);
      if (edit.what === "set") this.#set(edit, before);
    }
    this.publish();
    for (const edit of anew) this.#set(edit, undefined);
    if (anew.length > 0) this.publish();
  }

  publish(polledAt?: number): boolean {
    const rows = [...this.rows.values()] as never[];
    return this.feed.publish(publication(rows, { polledAt, sources: this.sources }));
  }

  bookmark(polledAt: number): void {
    this.markedAt = polledAt;
    this.sources = [source("ok", { polled_at: polledAt })];
    this.feed.bookmarkAt({ polledAt, sources: this.sources });
  }

  reset(): void {
    this.rows.clear();
    this.sources = undefined;
    this.markedAt = 0;
    this.feed.reset();
  }

  #set(edit: Edit, before: Row | undefined): void {
    if (before === undefined) this.#births += 1;
    const birth = before === undefined ? this.#births : Number(birthOf(this.topic, before));
    const row = rowOf(this.topic, this.instance, edit.handle, birth, textOf(edit));
    this.rows.set(edit.handle, row);
  }
}

/** A connection over a network that takes everything at once or in pieces, and what its reader folds. */
class ReaderModel implements FrameSink {
  readonly #hub: Topics;
  readonly #onFrame: (line: Uint8Array, frame: TopicFrame) => void;
  readonly open = new Set<Topic>();
  stalled = false;
  buffered = 0;
  #reader: Reader | undefined;
  #underway: Uint8Array[] = [];
  /** Bytes of the first line underway that were taken already. */
  #taken = 0;
  #states = new Map<string, FoldState<Row>>();
  /** Parts whose subscription has begun and that have not been sent a frame since. */
  readonly #unstated = new Set<string>();

  constructor(hub: Topics, onFrame: (line: Uint8Array, frame: TopicFrame) => void) {
    this.#hub = hub;
    this.#onFrame = onFrame;
  }

  async subscribe(topic: Topic): Promise<void> {
    this.#reader ??= this.#hub.connect(this);
    const begin = await this.#reader.open(topic);
    this.open.add(topic);
    for (const part of PARTS) if (part.topic === topic) this.#unstated.add(keyOf(part));
    begin();
  }

  unsubscribe(topic: Topic): void {
    this.open.delete(topic);
    this.#reader?.close(topic);
  }

  end(): void {
    this.#reader?.end();
    this.#reader = undefined;
    this.open.clear();
    this.#unstated.clear();
    this.#underway = [];
    this.#taken = 0;
    this.#states.clear();
    this.buffered = 0;
  }

  send(line: Uint8Array): void {
    const frame = frameOf(line);
    this.#onFrame(line, frame);
    if (!this.open.has(frame.topic as Topic))
      fail("a frame of a topic that is not subscribed", frame);
    if (this.#unstated.delete(keyOf(frame)) && frame.snapshot !== true) {
      fail("a change before the snapshot", frame);
    }
    this.#underway.push(line);
    this.buffered += line.length;
    if (!this.stalled) this.take();
  }

  evict(): void {
    if (!this.stalled) fail("a connection that takes everything was given up");
    this.end();
  }

  /** The network takes so many bytes; the lines that are whole arrive. */
  take(bytes = Number.POSITIVE_INFINITY): void {
    const taken = Math.min(bytes, this.buffered);
    this.buffered -= taken;
    this.#taken += taken;
    for (let line = this.#underway[0]; line !== undefined; line = this.#underway[0]) {
      if (this.#taken < line.length) break;
      this.#taken -= line.length;
      this.#underway.shift();
      this.#states = folding(this.#states, line);
    }
  }

  /** What the reader holds once everything that is underway has arrived. */
  holds({ topic, instance }: { topic: Topic; instance: string }) {
    const states = this.#underway.reduce(folding, this.#states);
    return states.get(topic)?.get(instance);
  }
}

/** Takes one line into the states of all topics, and fails where it does not fold. */
function folding(
  states: Map<string, FoldState<Row>>,
  line: Uint8Array,
): Map<string, FoldState<Row>> {
  const frame = frameOf(line);
  const topic = frame.topic as Topic;
  const before: FoldState<Row> = states.get(topic) ?? new Map();
  const step = fold(topic, before as never, frame);
  if (step.outcome !== "folded") fail(`a ${step.outcome}`, frame);
  const state = step.state as unknown as FoldState<Row>;
  if (frame.snapshot !== true) requireNoRebirth(topic, before, state, frame);
  return new Map(states).set(topic, state);
}

/** A handle that names a new thing is removed in one frame and stated in a later one. */
function requireNoRebirth(
  topic: Topic,
  before: FoldState<Row>,
  after: FoldState<Row>,
  frame: TopicFrame,
): void {
  for (const [key, row] of after.get(frame.instance)?.rows ?? []) {
    const held = before.get(frame.instance)?.rows.get(key);
    if (held !== undefined && birthOf(topic, held) !== birthOf(topic, row)) {
      fail("a handle that was changed in place", frame);
    }
  }
}

const keyOf = ({ topic, instance }: { topic: string; instance: string }) => `${topic} ${instance}`;

function fail(what: string, frame?: TopicFrame): never {
  const text = frame === undefined ? "" : `: ${JSON.stringify(frame).slice(0, 300)}`;
  throw new Error(`Expected every reader to be served, got ${what}${text}`);
}

const SCHEMAS = { terminals: TerminalsFrame, agents: AgentsFrame };

/** A publisher with its readers, and beside it what each reader has to hold once it is up to date. */
export class World {
  readonly clock = new FakeClock();
  readonly hub: Topics;
  readonly parts = PARTS.map(({ topic, instance }) => new PartModel(topic, instance));
  readonly readers: readonly ReaderModel[];
  /** What was sent for each step of a chain: the same bytes to everybody. */
  readonly #sent = new Map<string, Uint8Array>();
  readonly #checked = new WeakSet<Uint8Array>();
  #flushedAt = Number.NEGATIVE_INFINITY;

  constructor(readers = 3) {
    this.hub = new Topics({ clock: this.clock, onFlush: () => this.#checkPeriod() });
    for (const topic of ["terminals", "agents"] as const) {
      const parts = this.parts.filter((part) => part.topic === topic);
      this.hub.offer(
        topic,
        parts.map(({ feed }) => feed),
      );
    }
    const onFrame = (line: Uint8Array, frame: TopicFrame) => this.#checkFrame(line, frame);
    this.readers = Array.from({ length: readers }, () => new ReaderModel(this.hub, onFrame));
  }

  async meet(event: Event): Promise<void> {
    if ("part" in event) this.#publish(event);
    else if (event.kind === "pass") await this.clock.advance(event.ms);
    else await this.#connection(event);
    await settled();
    if (this.clock.pending === 0) this.checkReaders();
  }

  /** Lets everybody take everything. Nothing may wait after that. */
  async finish(): Promise<void> {
    for (const reader of this.readers) reader.stalled = false;
    for (let round = 0; round < 100; round += 1) {
      for (const reader of this.readers) reader.take();
      await this.clock.advance(100);
    }
    if (this.clock.pending > 0) fail("a timer while nothing waits");
    this.checkReaders();
  }

  /** Fails where a reader does not hold what is published. */
  checkReaders(): void {
    for (const reader of this.readers) {
      for (const part of this.parts) if (reader.open.has(part.topic)) checkHeld(reader, part);
    }
  }

  #publish(event: Extract<Event, { part: number }>): void {
    const part = this.parts[event.part] as PartModel;
    const now = this.clock.now();
    const { position } = part.feed;
    switch (event.kind) {
      case "edit":
        part.edit(event.edits);
        break;
      case "fail":
        part.sources = [source("failing", { since_at: now })];
        part.publish();
        break;
      case "read":
        part.publish(now);
        if (part.feed.position !== position) fail("a change from a reading that says the same");
        break;
      case "bookmark":
        part.bookmark(now);
        break;
      case "reset":
        part.reset();
        break;
      case "forget":
        part.feed.forget(position);
        break;
    }
    this.hub.changed();
  }

  async #connection(event: Extract<Event, { reader: number }>): Promise<void> {
    const reader = this.readers[event.reader] as ReaderModel;
    switch (event.kind) {
      case "open":
        await reader.subscribe(event.topic);
        break;
      case "close":
        reader.unsubscribe(event.topic);
        break;
      case "end":
        reader.end();
        break;
      case "take":
        reader.take(event.bytes);
        break;
      default:
        reader.stalled = event.kind === "stall";
        if (!reader.stalled) reader.take();
    }
  }

  #checkFrame(line: Uint8Array, frame: TopicFrame): void {
    if (frame.snapshot !== true && frame.seq !== frame.prev_seq) {
      const step = `${keyOf(frame)} ${frame.prev_seq} ${frame.seq}`;
      if ((this.#sent.get(step) ?? line) !== line) fail("a step that was encoded twice", frame);
      this.#sent.set(step, line);
    }
    if (this.#checked.has(line)) return;
    this.#checked.add(line);
    if (line.length - 1 > MAX_FRAME_BYTES) fail("a frame that is too long", frame);
    const topic = frame.topic as Topic;
    const errors = validationErrors(SCHEMAS[topic], frame);
    if (errors.length > 0) fail(`an invalid frame (${JSON.stringify(errors)})`, frame);
    const data = frame.data as Record<Topic, Record<string, unknown>[]>;
    const handles = data[topic].map((row) => handleOf(topic, row));
    if (new Set(handles).size < handles.length) fail("a handle twice in one frame", frame);
  }

  #checkPeriod(): void {
    const now = this.clock.monotonic();
    if (now - this.#flushedAt < FLUSH_PERIOD_MS) fail("two flushes within one period");
    this.#flushedAt = now;
  }
}

function checkHeld(reader: ReaderModel, part: PartModel): void {
  const held = reader.holds(part);
  if (held === undefined) fail("no snapshot");
  const rows = new Map([...held.rows.values()].map((row) => [handleOf(part.topic, row), row]));
  if (!isDeepStrictEqual(rows, part.rows)) {
    fail(`rows ${[...rows.keys()]} of ${[...part.rows.keys()]}, or others than are published`);
  }
  if (held.partial) fail("a part of rows");
  if (held.seq !== part.feed.position) fail(`position ${held.seq} of ${part.feed.position}`);
  if (!isDeepStrictEqual(held.sources?.map(news), part.sources?.map(news))) fail("other sources");
  if ((held.polledAt ?? 0) < part.markedAt) fail("no bookmark");
}

const news = ({ polled_at: _, ...standing }: SourceInfo) => standing;
