import type { TopicFrame } from "../../src/contract/envelope.ts";
import { emptyFold, type FoldState, fold } from "../../src/contract/fold.ts";
import type { RowTopic, TopicRow } from "../../src/contract/rows.ts";
import type { SourceInfo } from "../../src/contract/sources.ts";
import type { TerminalInfo } from "../../src/contract/terminals.ts";
import { ElementFeed, type Publication } from "../../src/topics/elements.ts";
import type { FrameSink } from "../../src/topics/reader.ts";

export const INSTANCE = "0123456789abcdef0123456789abcdef";
export const EPOCH = "0123456789abcdef";

export function terminal(id: string, more: Partial<TerminalInfo> = {}): TerminalInfo {
  return { instance: INSTANCE, id: `pty:${id}`, state: "running", command: ["zsh"], ...more };
}

export function source(status: SourceInfo["status"], more: Partial<SourceInfo> = {}): SourceInfo {
  return { scheme: "tmux", status, since_at: 1_000, ...more };
}

/** A publication of rows that were all closed where they are gone. */
export function publication<Row>(
  rows: Iterable<Row>,
  more: Partial<Publication<Row>> = {},
): Publication<Row> {
  return { rows, removedAt: 5_000, reasonOf: () => "closed", ...more };
}

export function terminalsFeed(...rows: TerminalInfo[]): ElementFeed<"terminals"> {
  const feed = new ElementFeed("terminals", INSTANCE, EPOCH);
  if (rows.length > 0) feed.publish(publication(rows));
  return feed;
}

const parsed = new WeakMap<Uint8Array, TopicFrame>();

/** The frame in a line. Parsed once for each line, since lines are shared. */
export function frameOf(line: Uint8Array): TopicFrame {
  const frame = parsed.get(line) ?? (JSON.parse(Buffer.from(line).toString()) as TopicFrame);
  parsed.set(line, frame);
  return frame;
}

/** Frames of the `terminals` topic, with their data as the tests read it. */
export function terminalsFrames(
  lines: readonly Uint8Array[] | undefined,
): TopicFrame<{ terminals: object[]; polled_at?: number; sources?: SourceInfo[] }>[] {
  return (lines ?? []).map((line) => frameOf(line) as ReturnType<typeof terminalsFrames>[number]);
}

/** What a reader holds of a topic after the lines. Throws where the chain is broken. */
export function folded<Topic extends RowTopic>(
  topic: Topic,
  lines: readonly Uint8Array[],
  before: FoldState<TopicRow[Topic]> = emptyFold<Topic>(),
): FoldState<TopicRow[Topic]> {
  return lines.reduce((state, line) => {
    const step = fold(topic, state, frameOf(line));
    if (step.outcome !== "folded")
      throw new Error(`Expected a frame that folds, got a ${step.outcome}`);
    return step.state;
  }, before);
}

/** What a reader holds of this instance's terminals after the lines. */
export function held(lines: readonly Uint8Array[], before?: FoldState<TerminalInfo>) {
  const state = folded("terminals", lines, before).get(INSTANCE);
  if (state === undefined) throw new Error("Expected a frame of the instance, got none");
  return { ...state, rows: [...state.rows.values()] };
}

/** A connection whose network takes everything at once, or only what the test takes off it. */
export class TestSink implements FrameSink {
  /** What was sent, in order. */
  readonly lines: Uint8Array[] = [];
  /** Whether the network takes nothing by itself. */
  stalled = false;
  buffered = 0;
  evictions = 0;
  onSend: (line: Uint8Array) => void = () => {};
  onEvict: () => void = () => {};

  send(line: Uint8Array): void {
    this.lines.push(line);
    if (this.stalled) this.buffered += line.length;
    this.onSend(line);
  }

  evict(): void {
    this.evictions += 1;
    this.onEvict();
  }

  /** The network takes so many of the waiting bytes. */
  drain(bytes = Number.POSITIVE_INFINITY): void {
    this.buffered -= Math.min(this.buffered, bytes);
  }

  /** The frames that were sent since the last call. */
  taken(): TopicFrame[] {
    return this.lines.splice(0).map(frameOf);
  }
}
