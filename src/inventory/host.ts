import { unixSocketTransport } from "../client/node.ts";
import { reasonOf } from "../files/reason.ts";
import type { ProcessInfo, ProcessTable } from "../processes/types.ts";
import { RestartedSource } from "../sources/restarted-source.ts";
import { ReadingSchedule } from "../sources/schedule.ts";
import type { Fault, Finding, Reading } from "../sources/source.ts";
import { type Unwatch, watchFolder } from "../sources/watch.ts";
import type { Cancel, Clock } from "../time/clock.ts";
import { within } from "../time/within.ts";
import { type RunningHost, runningHost } from "./host/claim.ts";
import { HostLink } from "./host/link.ts";
import { HostTerminals } from "./host/terminals.ts";
import type { ObservedTerminal, TerminalSource } from "./terminal.ts";

/** How long a host may be on its way, in milliseconds, before it counts as failing: it claims its folder before it
 * listens, and when it is killed its connections end before it does. */
const GRACE_MS = 1_000;

/** When it is looked again after a connection ended, in milliseconds: nothing announces the end of a process. */
const LOOKS_MS = [10, 50, 200, GRACE_MS] as const;

/** How long a reading waits for the first answer of a host, in milliseconds. */
const FIRST_ANSWER_MS = 1_500;

export interface HostSourceOptions {
  readonly clock: Clock;
  readonly table: ProcessTable;
  /** The host's own folder in the runtime folder. */
  readonly folder: string;
}

/** The terminals of termtopic's own host, which publishes them as this process does its own. It is subscribed to
 * where it runs, and never started. */
export class HostSource extends RestartedSource<ObservedTerminal, Watch> implements TerminalSource {
  readonly scheme = "pty";
  readonly #options: HostSourceOptions;

  constructor(options: HostSourceOptions) {
    super();
    this.#options = options;
  }

  protected begin(onReading: (reading: Reading<ObservedTerminal>) => void): Watch {
    return new Watch(this.#options, onReading);
  }

  manages(process: ProcessInfo): boolean {
    return this.run?.manages(process) === true;
  }
}

/** What the source holds from one start to the next stop. */
class Watch {
  readonly #options: HostSourceOptions;
  readonly #onReading: (reading: Reading<ObservedTerminal>) => void;
  readonly #schedule: ReadingSchedule;
  readonly #terminals: HostTerminals;
  readonly #unwatch: Unwatch;
  #hasLooked = false;
  #isBlind = false;
  #lookFault: Fault | undefined;
  #host: RunningHost | undefined;
  #link: HostLink | undefined;
  /** Since when the host lives and is not heard, in the monotonic clock. */
  #awaySince: number | undefined;
  #looks: Cancel[] = [];
  #waiting: (() => void)[] = [];
  #stopped = false;

  constructor(options: HostSourceOptions, onReading: (reading: Reading<ObservedTerminal>) => void) {
    this.#options = options;
    this.#onReading = onReading;
    this.#terminals = new HostTerminals(options.table);
    this.#schedule = new ReadingSchedule(options.clock, () => this.#look());
    this.#unwatch = watchFolder(options.folder, {
      changed: () => this.#schedule.wake(),
      lost: () => {
        this.#isBlind = true;
      },
    });
    this.#schedule.wake();
  }

  stop(): void {
    this.#stopped = true;
    this.#unwatch();
    this.#schedule.stop();
    this.#lookNoMore();
    this.#link?.close();
    this.#answer();
  }

  async read(): Promise<void> {
    await this.#schedule.fresh();
    if (this.#stopped || !this.#isOwed()) return;
    const answer = new Promise<void>((resolve) => this.#waiting.push(resolve));
    await within(this.#options.clock, FIRST_ANSWER_MS, answer);
  }

  tick(): void {
    if (this.#isBlind || (this.#host !== undefined && this.#link?.isCurrent !== true)) {
      this.#schedule.wake();
    }
  }

  /** Terminals of one that is not heard and has never been are nobody's, so that they can be seen otherwise. */
  manages({ pid, startTick }: ProcessInfo): boolean {
    const host = this.#host;
    if (host?.pid !== pid || host.start_tick !== startTick) return false;
    return this.#link?.rows !== undefined || !this.#isAwayForLong();
  }

  async #look(): Promise<void> {
    const { folder, table } = this.#options;
    try {
      const host = await runningHost(folder, table);
      if (this.#stopped) return;
      this.#lookFault = undefined;
      this.#take(host);
    } catch (error) {
      this.#lookFault = { code: "unreadable", msg: reasonOf(error) };
    }
    this.#hasLooked = true;
    this.#state();
  }

  #take(host: RunningHost | undefined): void {
    const before = this.#host;
    const isSame = host?.pid === before?.pid && host?.start_tick === before?.start_tick;
    this.#host = host;
    if (isSame && host?.topics === before?.topics) {
      this.#link?.retry();
      return;
    }
    this.#link?.close();
    this.#link = undefined;
    this.#awaySince = undefined;
    this.#lookNoMore();
    // Its terminals went with it, whatever the next one has to say.
    if (!isSame && before !== undefined) this.#tell({ kind: "absent" });
    if (host?.topics === undefined) return;
    this.#link = new HostLink({
      clock: this.#options.clock,
      transport: unixSocketTransport(host.topics),
      changed: () => this.#state(),
    });
  }

  /** States what is known. Of a host that is on its way, or about to be gone, what was said last stands. */
  #state(): void {
    if (this.#stopped) return;
    this.#mindAbsence();
    const finding = this.#finding();
    if (finding === undefined) return;
    this.#tell(finding);
    this.#answer();
  }

  #tell(finding: Finding<ObservedTerminal>): void {
    this.#onReading({ at: this.#options.clock.now(), finding });
  }

  #mindAbsence(): void {
    const { clock } = this.#options;
    if (this.#host === undefined || this.#link?.isCurrent === true) {
      this.#awaySince = undefined;
      this.#lookNoMore();
      return;
    }
    if (this.#awaySince !== undefined) return;
    this.#awaySince = clock.monotonic();
    this.#looks = LOOKS_MS.map((ms) => clock.schedule(ms, () => this.#schedule.wake()));
  }

  #lookNoMore(): void {
    for (const cancel of this.#looks.splice(0)) cancel();
  }

  #isAwayForLong(): boolean {
    const since = this.#awaySince;
    return since !== undefined && this.#options.clock.monotonic() - since >= GRACE_MS;
  }

  /** Whether an answer is on its way. */
  #isOwed(): boolean {
    return !this.#hasLooked || (this.#host !== undefined && this.#finding() === undefined);
  }

  #finding(): Finding<ObservedTerminal> | undefined {
    if (this.#lookFault !== undefined) return { kind: "failing", fault: this.#lookFault };
    if (!this.#hasLooked) return undefined;
    if (this.#host === undefined) return { kind: "absent" };
    const link = this.#link;
    if (link?.isCurrent === true) {
      return { kind: "rows", items: this.#terminals.of(link.rows ?? []) };
    }
    if (!this.#isAwayForLong()) return undefined;
    return { kind: "failing", fault: link?.fault ?? notListening(this.#host) };
  }

  #answer(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

const notListening = ({ pid }: RunningHost): Fault => ({
  code: "silent",
  msg: `the terminal host (pid ${pid}) lives and does not answer`,
});
