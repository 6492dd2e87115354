import type { Transport } from "../client/transport.ts";
import type { ProcessSnapshot, ProcessTable } from "../processes/types.ts";
import { RestartedSource } from "../sources/restarted-source.ts";
import type { Finding, Reading } from "../sources/source.ts";
import type { Clock } from "../time/clock.ts";
import { within } from "../time/within.ts";
import { readingBy } from "./reading.ts";
import type { AgentSource, ObservedRun } from "./run.ts";
import { UpstreamLink } from "./upstream/link.ts";
import { VerifiedRuns } from "./upstream/verified.ts";

/** How long a reading waits for the first answer of a publisher, in milliseconds. */
const FIRST_ANSWER_MS = 1_500;

export interface UpstreamSourceOptions {
  readonly clock: Clock;
  readonly table: ProcessTable;
  readonly transport: Transport;
  /** Where the publisher is reached, for people: its address without a token, or its socket. */
  readonly name: string;
  /** Who we are. */
  readonly instance: string;
}

/** The runs that another publisher of this host states, such as a ccmsg daemon. What it says of processes is not
 * believed: only those that live here are stated. */
export class UpstreamSource extends RestartedSource<ObservedRun, Watch> implements AgentSource {
  readonly scheme = "upstream";
  readonly #options: UpstreamSourceOptions;

  constructor(options: UpstreamSourceOptions) {
    super();
    this.#options = options;
  }

  protected begin(onReading: (reading: Reading<ObservedRun>) => void): Watch {
    return new Watch(this.#options, onReading);
  }

  see(snapshot: ProcessSnapshot): void {
    this.run?.see(snapshot);
  }
}

/** What the source holds from one start to the next stop. */
class Watch {
  readonly #clock: Clock;
  readonly #name: string;
  readonly #onReading: (reading: Reading<ObservedRun>) => void;
  readonly #link: UpstreamLink;
  readonly #verified: VerifiedRuns;
  /** Who waits for the first answer. */
  #waiting: (() => void)[] = [];
  #stopped = false;

  constructor(
    { clock, table, transport, name, instance }: UpstreamSourceOptions,
    onReading: (reading: Reading<ObservedRun>) => void,
  ) {
    this.#clock = clock;
    this.#name = name;
    this.#onReading = onReading;
    this.#verified = new VerifiedRuns(table, clock);
    const changed = () => this.#state(() => this.#take());
    const lives = (pid: number) => this.#verified.lives(pid);
    this.#link = new UpstreamLink({ clock, transport, instance, lives, changed });
    this.#state(() => {});
  }

  stop(): void {
    this.#stopped = true;
    this.#link.close();
    this.#answer();
  }

  async read(): Promise<void> {
    if (this.#finding().kind === "starting") {
      const answer = new Promise<void>((resolve) => this.#waiting.push(resolve));
      await within(this.#clock, FIRST_ANSWER_MS, answer);
    }
    this.#state(() => this.#verified.look());
  }

  tick(): void {
    this.#link.tick();
    this.#state(() => this.#verified.look());
  }

  see(snapshot: ProcessSnapshot): void {
    this.#state(() => this.#verified.see(snapshot));
  }

  #take(): void {
    this.#verified.take(this.#link.rows ?? []);
    // Most runs that it speaks of no longer have just ended.
    if (this.#link.hasLeft) this.#verified.look();
  }

  /** States what is known after the work. */
  #state(work: () => void): void {
    if (this.#stopped) return;
    const reading = readingBy(this.#clock, () => {
      work();
      return this.#finding();
    });
    this.#onReading({ name: this.#name, ...reading });
    if (reading.finding.kind !== "starting") this.#answer();
  }

  /** A publisher that is away leaves the runs that it has stated, as long as they live. */
  #finding(): Finding<ObservedRun> {
    const { fault, rows } = this.#link;
    const items = this.#verified.runs();
    if (fault !== undefined) return { kind: "failing", fault, items };
    return rows === undefined ? { kind: "starting" } : { kind: "rows", items };
  }

  #answer(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
