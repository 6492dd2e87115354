import type { ProcessInfo, ProcessSnapshot } from "../processes/types.ts";
import { findProgram } from "../sources/programs.ts";
import { RestartedSource } from "../sources/restarted-source.ts";
import type { Finding, Reading } from "../sources/source.ts";
import type { Clock } from "../time/clock.ts";
import { within } from "../time/within.ts";
import { AskedPlace, faultOf, garbled, READING_MS } from "./asked-place.ts";
import { HyouiDaemons } from "./hyoui/daemons.ts";
import { SocketFolders, socketFolders } from "./hyoui/folders.ts";
import { HyouiList } from "./hyoui/list.ts";
import { parseSessions } from "./hyoui/sessions.ts";
import { HyouiTerminals } from "./hyoui/terminals.ts";
import type { ObservedTerminal, TerminalSource } from "./terminal.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface HyouiSourceOptions {
  readonly clock: Clock;
  /** Where the program and its sockets are. Default: our own. */
  readonly environment?: Environment;
}

/** The sessions of hyoui. Where the program is not installed the source is absent: nothing is run and nothing watched
 * until it is. */
export class HyouiSource extends RestartedSource<ObservedTerminal, Run> implements TerminalSource {
  readonly scheme = "hyoui";
  readonly #clock: Clock;
  readonly #environment: Environment;

  constructor({ clock, environment = process.env }: HyouiSourceOptions) {
    super();
    this.#clock = clock;
    this.#environment = environment;
  }

  protected begin(onReading: (reading: Reading<ObservedTerminal>) => void): Run {
    const run = new Run(this.#clock, this.#environment, onReading);
    void run.read();
    return run;
  }

  see(snapshot: ProcessSnapshot): void {
    this.run?.see(snapshot);
  }

  manages(process: ProcessInfo): boolean {
    return this.run?.manages(process) ?? false;
  }
}

/** What is held as long as the program is installed. */
interface Installed {
  program: string;
  readonly place: AskedPlace;
  readonly watches: SocketFolders;
}

/** What the source holds from one start to the next stop. */
class Run {
  readonly #clock: Clock;
  readonly #environment: Environment;
  readonly #onReading: (reading: Reading<ObservedTerminal>) => void;
  readonly #daemons = new HyouiDaemons();
  readonly #terminals = new HyouiTerminals();
  readonly #list: HyouiList;
  #installed: Installed | undefined;
  readonly #stopping = new AbortController();

  constructor(
    clock: Clock,
    environment: Environment,
    onReading: (reading: Reading<ObservedTerminal>) => void,
  ) {
    this.#clock = clock;
    this.#environment = environment;
    this.#onReading = onReading;
    this.#list = new HyouiList(clock, environment);
  }

  stop(): void {
    this.#stopping.abort();
    this.#forget();
  }

  tick(): void {
    this.#installed?.place.tick();
  }

  read(): Promise<void> {
    return within(this.#clock, READING_MS, this.#read(), this.#stopping.signal);
  }

  async #read(): Promise<void> {
    const at = this.#clock.now();
    const program = await findProgram("hyoui", this.#environment["PATH"]);
    if (this.#stopping.signal.aborted) return;
    if (program === undefined) {
      this.#forget();
      this.#onReading({ at, finding: { kind: "absent" } });
      return;
    }
    this.#installed ??= this.#install(program);
    this.#installed.program = program;
    await this.#installed.place.fresh();
  }

  see(snapshot: ProcessSnapshot): void {
    if (this.#installed !== undefined && this.#daemons.see(snapshot)) this.#installed.place.wake();
  }

  /** Terminals that are not listed are nobody's, so that they can be seen otherwise. */
  manages(process: ProcessInfo): boolean {
    return this.#installed?.place.isAnswering === true && this.#daemons.has(process);
  }

  #install(program: string): Installed {
    const place = new AskedPlace({
      clock: this.#clock,
      ask: (signal) => this.#ask(signal),
      onReading: this.#onReading,
    });
    const folders = socketFolders(this.#environment, process.geteuid?.() ?? 0);
    return {
      program,
      place,
      // A session that came or went is worth a question also where the last ones failed.
      watches: new SocketFolders(this.#clock, folders, () => place.nudge()),
    };
  }

  #forget(): void {
    this.#installed?.place.stop();
    this.#installed?.watches.stop();
    this.#installed = undefined;
  }

  async #ask(signal: AbortSignal): Promise<Finding<ObservedTerminal>> {
    const { seen } = this.#daemons;
    const answer = await this.#list.ask(this.#installed?.program ?? "hyoui", signal);
    if (answer.ended === "missing") return { kind: "absent" };
    const fault = faultOf("hyoui", answer);
    if (fault !== undefined) return { kind: "failing", fault };
    const sessions = await parseSessions(answer.stdout, () => this.#clock.monotonic());
    if (sessions === undefined) return { kind: "failing", fault: garbled("hyoui") };
    this.#daemons.listed(seen, new Set(sessions.flatMap(({ childPid }) => childPid ?? [])));
    return { kind: "rows", items: this.#terminals.of(sessions) };
  }
}
