import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ObservedTerminal, TerminalSource } from "../../src/inventory/terminal.ts";
import { ProcessFacts } from "../../src/processes/facts.ts";
import { createProcessTable } from "../../src/processes/index.ts";
import { createSnapshot } from "../../src/processes/snapshot.ts";
import type { ProcessSnapshot, ProcessTable } from "../../src/processes/types.ts";
import { SourceHealth } from "../../src/sources/health.ts";
import type { Reading } from "../../src/sources/source.ts";
import { systemClock } from "../../src/time/clock.ts";
import { temporaryFolder, until } from "./unit/support.ts";

/** What a source says, folded as the observation folds it. Whoever waits is asked after every reading. */
export class Listener {
  readonly readings: Reading<ObservedTerminal>[] = [];
  readonly #source: TerminalSource;
  readonly #standIns: readonly StandIn[];
  readonly #health = new SourceHealth<ObservedTerminal>(({ id }) => id);
  #waiting: (() => void)[] = [];

  /** Where stand-ins are given it shows the source no other processes: the host may run real managers. */
  constructor(source: TerminalSource, ...standIns: readonly StandIn[]) {
    this.#source = source;
    this.#standIns = standIns;
    source.start((reading) => {
      this.readings.push(reading);
      this.#health.take(source.scheme, reading);
      for (const look of this.#waiting.splice(0)) look();
    });
    onTestFinished(() => source.stop());
  }

  get rows(): ObservedTerminal[] {
    return this.#health.items();
  }

  get last(): Reading<ObservedTerminal> | undefined {
    return this.readings.at(-1);
  }

  /** How each place stands, without when. */
  get places() {
    return this.#health
      .sources(undefined)
      .map(({ name, status, error }) => ({ name, status, code: error?.code }));
  }

  row(id: string): ObservedTerminal | undefined {
    return this.rows.find((row) => row.id === id);
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Shows the source the processes of this host again and again until it is so. */
  async sees(isSo: () => boolean): Promise<void> {
    const table = tableOfTest();
    const facts = new ProcessFacts(table, systemClock);
    while (!isSo()) {
      const snapshot = this.#shown(await table.sweep());
      await facts.refresh(snapshot);
      this.#source.see?.(snapshot, facts);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #shown(snapshot: ProcessSnapshot): ProcessSnapshot {
    if (this.#standIns.length === 0) return snapshot;
    const pids = this.#standIns.map(({ pid }) => pid);
    const own = pids.flatMap((pid) => [snapshot.get(pid) ?? [], snapshot.descendants(pid)]);
    return createSnapshot(snapshot.takenAt, own.flat());
  }
}

/** The processes of this host. */
export function tableOfTest(): ProcessTable {
  const table = createProcessTable({ clock: systemClock });
  onTestFinished(() => table.close());
  return table;
}

/** A program of that name in a folder of its own, for a `PATH`. */
export function programNamed(name: string, script: string): { folder: string; path: string } {
  const folder = temporaryFolder();
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { folder, path };
}

export { temporaryFolder, until };

/** A terminal that a stand-in has opened. */
export interface OpenedTerminal {
  readonly pid: number;
  readonly tty: string;
}

/** A process that is called like a manager and opens terminals as it is told. It ends with the test. */
export class StandIn {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
    onTestFinished(() => this.end());
  }

  /** `args` follow the program's name. */
  static async start(
    name: string,
    args: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Promise<StandIn> {
    const program = join(temporaryFolder(), name);
    symlinkSync(process.execPath, program);
    const script = new URL("./program/manager.mjs", import.meta.url).pathname;
    const child = spawn(program, [script, ...args], {
      env: { PATH: process.env["PATH"], ...env },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const standIn = new StandIn(child);
    await standIn.#tell({ task: "name", name: name.slice(0, 15) });
    return standIn;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Its pid and start tick, as ids have them. */
  get key(): string {
    const stat = readFileSync(`/proc/${this.pid}/stat`, "utf8");
    return `${this.pid}.${stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]}`;
  }

  async listen(socket: string): Promise<void> {
    await this.#tell({ task: "listen", socket });
  }

  async open(
    env: Readonly<Record<string, string>> = {},
    command: readonly string[] = ["cat"],
  ): Promise<OpenedTerminal> {
    return (await this.#tell({ task: "open", env, command })) as OpenedTerminal;
  }

  async close({ pid }: OpenedTerminal): Promise<void> {
    await this.#tell({ task: "close", pid });
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }

  async #tell(message: Readonly<Record<string, unknown>>): Promise<unknown> {
    const answered = once(this.#child, "message");
    this.#child.send(message);
    const [answer] = await answered;
    return answer;
  }
}
