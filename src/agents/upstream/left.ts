import type { RowChange } from "../../client/types.ts";
import type { AgentInfo } from "../../contract/agents.ts";
import type { TopicFrame } from "../../contract/envelope.ts";
import { isRemoval, ROW_TOPICS, rowKey } from "../../contract/rows.ts";
import type { RemovalReason } from "../../contract/sources.ts";
import type { Cancel, Clock } from "../../time/clock.ts";

/** How long a row stands whose removal has no reason, in milliseconds, as long as its process lives. A publisher that
 * stops removes its rows and then ends the connection: one that says no reasons is told by that. */
const PARTING_MS = 500;

export interface LeftRowsOptions {
  readonly clock: Clock;
  /** Whether the process of a row is known to live. */
  readonly lives: (pid: number) => boolean;
  /** Rows have gone since nothing spoke for them any more. */
  readonly changed: () => void;
}

interface Left {
  readonly row: AgentInfo;
  /** Whether it stands until the publisher is back, and not only until the connection has outlived its removal. */
  readonly isKept: boolean;
}

/** The rows that a publisher has taken away for its own sake: because it stops, or has begun anew and not read yet.
 * That says nothing of their runs. */
export class LeftRows {
  readonly #options: LeftRowsOptions;
  readonly #left = new Map<number, Left>();
  /** Of the rows that the frames since the last change remove: why, `unsaid` where they do not say. */
  readonly #reasons = new Map<string, RemovalReason | "unsaid">();
  #parting: Cancel | undefined;
  #isStopping = false;

  constructor(options: LeftRowsOptions) {
    this.#options = options;
  }

  /** Whether the publisher has said that it stops. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Those whose processes live. */
  rows(): AgentInfo[] {
    return [...this.#left.values()].map(({ row }) => row);
  }

  /** Takes note of why rows go. Every frame of the publisher's own is to be seen before the change that it makes. */
  note({ data }: TopicFrame): void {
    for (const element of (data as { agents: object[] }).agents) {
      const key = keyOf(element);
      if (isRemoval(element)) this.#reasons.set(key, element.reason ?? "unsaid");
      else this.#reasons.delete(key);
    }
  }

  /** Takes a change of the publisher's own rows. */
  take({ changed, removed }: Pick<RowChange<"agents">, "changed" | "removed">): void {
    for (const { pid } of changed) this.#left.delete(pid);
    if (changed.length > 0) this.#isStopping = false;
    for (const row of removed) {
      const reason = this.#reasons.get(keyOf(row));
      if (isOfPublisher(reason)) this.#isStopping = true;
      if (reason === "closed" || reason === "source_gone" || !this.#options.lives(row.pid))
        continue;
      this.#left.set(row.pid, { row, isKept: reason !== "unsaid" });
    }
    this.#reasons.clear();
    const isParting = [...this.#left.values()].some(({ isKept }) => !isKept);
    if (isParting) this.#parting ??= this.#options.clock.schedule(PARTING_MS, () => this.#part());
  }

  /** All sources of the publisher have been read: what it does not state by now is not there. */
  settle(): void {
    for (const [pid, { isKept }] of this.#left) if (isKept) this.#left.delete(pid);
  }

  /** The connection has ended: what went before was taken along. */
  keep(): void {
    this.stop();
    this.#isStopping = false;
    this.#reasons.clear();
    for (const [pid, { row }] of this.#left) this.#left.set(pid, { row, isKept: true });
  }

  /** Forgets those whose processes have ended. */
  look(): void {
    for (const pid of this.#left.keys()) if (!this.#options.lives(pid)) this.#left.delete(pid);
  }

  stop(): void {
    this.#parting?.();
    this.#parting = undefined;
  }

  #part(): void {
    this.#parting = undefined;
    for (const [pid, { isKept }] of this.#left) if (!isKept) this.#left.delete(pid);
    this.#options.changed();
  }
}

const keyOf = (row: object) => rowKey(ROW_TOPICS.agents, row) ?? "";

const isOfPublisher = (reason: RemovalReason | "unsaid" | undefined) =>
  reason === "instance_stopped" || reason === "instance_lost";
