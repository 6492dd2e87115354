import type { ProcessKey, ProcessTable } from "../../processes/types.ts";
import { optional } from "../../sources/optional.ts";
import type { Clock } from "../../time/clock.ts";
import type { ObservedRun } from "../run.ts";
import type { Origins } from "./origins.ts";
import { chooseThread, type OpenThread, type ThreadRank, threadsAmong } from "./threads.ts";

/** How long a Codex may have no thread before it is stated without one, in milliseconds. It opens its thread within
 * a second, some versions only with the first thing said; a terminal must not look as if it were starting till
 * then. */
export const THREADLESS_MS = 5_000;

/** How long a thread may be open before it counts as no sub-agent's though that was not learned, in milliseconds.
 * That a sub-agent's is one can be read as soon as it has begun. */
const SETTLE_MS = 1_000;

export interface LookContext {
  readonly table: ProcessTable;
  readonly clock: Clock;
  readonly origins: Origins;
}

/** What was learned of a Codex process when it was found. */
export interface CodexProcess {
  readonly key: ProcessKey;
  readonly kind: string;
  readonly home: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly cwd: string;
}

/** One run of Codex. */
export class CodexRun {
  /** Whether its open files could be read. */
  isReadable = true;
  #process: CodexProcess;
  #cwd: string;
  #sid: string | undefined;
  #threads: readonly OpenThread[] = [];
  /** Since when each of them is open, as far as was seen, in the monotonic clock. */
  #openSince = new Map<string, number>();
  /** Since when it has no thread, in the monotonic clock. Absent while it has one, and before the first look. */
  #threadlessSince: number | undefined;
  #isThreadless = false;

  constructor(process: CodexProcess) {
    this.#process = process;
    this.#cwd = process.cwd;
  }

  /** Tells it from every other run. */
  get id(): string {
    const { pid, startTick } = this.#process.key;
    return `${pid} ${startTick}`;
  }

  get home(): string {
    return this.#process.home;
  }

  /** Whether it is not known yet which thread it runs. */
  get isUnsettled(): boolean {
    return this.#sid === undefined;
  }

  /** The records that it has open. */
  get rollouts(): string[] {
    return this.#threads.flatMap(({ rollout }) => rollout ?? []);
  }

  /** It was found again. A process may have become another Codex by exec. */
  found(process: CodexProcess): void {
    this.#process = process;
    this.#cwd = process.cwd;
  }

  /** Looks at its open files. Answers whether it still runs. */
  look(context: LookContext): boolean {
    const { table, clock } = context;
    const { pid, startTick } = this.#process.key;
    const files = table.openFiles(pid);
    const cwd = table.cwd(pid);
    // Asked last: what was read before then is of this very process.
    if (table.read(pid)?.startTick !== startTick) return false;
    this.#cwd = cwd?.path ?? this.#cwd;
    this.isReadable = files !== undefined;
    if (files !== undefined) this.#opened(threadsAmong(files), clock.monotonic());
    this.choose(context);
    return true;
  }

  /** Says anew which thread it runs, by what was seen last. */
  choose({ clock, origins }: LookContext): void {
    const now = clock.monotonic();
    const rank = (thread: OpenThread) => this.#rankOf(thread, origins, now);
    const chosen = chooseThread(this.#threads, rank, this.#sid);
    if (chosen !== undefined) {
      this.#sid = chosen;
      this.#threadlessSince = undefined;
      this.#isThreadless = false;
      return;
    }
    // One that cannot be read may have any.
    if (!this.isReadable && this.#sid !== undefined) return;
    this.#threadlessSince ??= this.#beganWithout(clock);
    this.#isThreadless = now - this.#threadlessSince >= THREADLESS_MS;
    if (this.#isThreadless) this.#sid = undefined;
  }

  /** `undefined` while it may be about to have a thread. */
  observed(): ObservedRun | undefined {
    if (this.#sid === undefined && !this.#isThreadless) return undefined;
    const { key, kind, home, startedAt } = this.#process;
    return {
      pid: key.pid,
      startTick: key.startTick,
      cwd: this.#cwd,
      kind,
      startedAt,
      configDir: home,
      ...optional("sid", this.#sid),
    };
  }

  /** One that has never had a thread has had none since it began. */
  #beganWithout(clock: Clock): number {
    const isNew = this.#sid === undefined && this.#threads.length === 0;
    const age = isNew ? clock.now() - this.#process.startedAt : 0;
    return clock.monotonic() - Math.max(0, age);
  }

  #opened(threads: readonly OpenThread[], now: number): void {
    this.#threads = threads;
    this.#openSince = new Map(threads.map(({ id }) => [id, this.#openSince.get(id) ?? now]));
  }

  #rankOf({ id, rollout }: OpenThread, origins: Origins, now: number): ThreadRank {
    const isSubAgent = rollout === undefined ? undefined : origins.isSubAgent(rollout);
    if (isSubAgent !== undefined) return isSubAgent ? "subagent" : "main";
    return now - (this.#openSince.get(id) ?? now) >= SETTLE_MS ? "main" : "unsettled";
  }
}
