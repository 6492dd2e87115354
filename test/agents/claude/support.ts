import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, onTestFinished, vi } from "vitest";
import { ClaudeSource } from "../../../src/agents/claude.ts";
import type { ObservedRun } from "../../../src/agents/run.ts";
import { ProcessFacts } from "../../../src/processes/facts.ts";
import { createProcessTable } from "../../../src/processes/index.ts";
import type { ProcessTable } from "../../../src/processes/types.ts";
import type { Finding, Reading } from "../../../src/sources/source.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { Announcements, temporaryFolder } from "../../inventory/unit/support.ts";

/** A user's home folder of the test's own: `~/.claude` is in it. */
let userHome: string;

beforeEach(() => {
  userHome = temporaryFolder("termtopic-claude-");
  vi.stubEnv("HOME", userHome);
  return () => vi.unstubAllEnvs();
});

export const defaultHome = () => join(userHome, ".claude");

export const table = createProcessTable({ clock: systemClock });

/** A process that is called like the harness and does nothing. */
export interface Agent {
  readonly pid: number;
  readonly startTick: string;
  readonly child: ChildProcess;
  /** Kills it and waits until it was reaped. */
  end(): Promise<void>;
}

export interface AgentOptions {
  /** What its file is called. */
  readonly name?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What it is started with, by a script in place of a program that would have to understand it. */
  readonly args?: readonly string[];
}

/** The environment is that of a user whose home folder is the test's. */
export async function startAgent({
  name = "claude",
  env,
  cwd,
  args,
}: AgentOptions = {}): Promise<Agent> {
  const program = join(temporaryFolder(), name);
  if (args === undefined) copyFileSync("/usr/bin/sleep", program);
  else writeFileSync(program, "#!/bin/sh\nread -r _\n", { mode: 0o755 });
  const child = spawn(program, args ?? ["600"], {
    stdio: ["pipe", "ignore", "ignore"],
    env: { PATH: process.env["PATH"], HOME: userHome, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  const exited = once(child, "exit");
  const end = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  onTestFinished(end);
  await once(child, "spawn");
  const pid = child.pid ?? Number.NaN;
  return { pid, startTick: startTickOf(pid), child, end };
}

function startTickOf(pid: number): string {
  const info = table.read(pid);
  if (info === undefined) throw new Error(`Expected a process that lives, got ${pid}`);
  return info.startTick;
}

/** A session's id that tells its number. */
export const sid = (number: number) =>
  `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** What a state file says of that run; fields that are `undefined` are left out. */
export function stateOf(
  { pid, startTick }: Pick<Agent, "pid" | "startTick">,
  fields: Readonly<Record<string, unknown>> = {},
): string {
  return JSON.stringify({
    pid,
    sessionId: sid(pid),
    cwd: "/work",
    kind: "interactive",
    startedAt: Date.now(),
    procStart: startTick,
    ...fields,
  });
}

/** The folder of state files of a config home. */
export class StateFolder {
  readonly home: string;

  constructor(home = defaultHome()) {
    this.home = home;
    mkdirSync(this.path, { recursive: true });
  }

  get path(): string {
    return join(this.home, "sessions");
  }

  file(pid: number | string): string {
    return join(this.path, `${pid}.json`);
  }

  write(pid: number | string, text: string): void {
    writeFileSync(this.file(pid), text);
  }

  remove(pid: number): void {
    rmSync(this.file(pid), { recursive: true });
  }
}

/** Somebody who runs the source and takes its readings. */
export class Observer {
  readonly source: ClaudeSource;
  readonly readings = new Announcements<Reading<ObservedRun>>();
  readonly #table: ProcessTable;
  readonly #facts: ProcessFacts;

  constructor({ over = table, homes = [] as readonly string[], clock = systemClock } = {}) {
    this.#table = over;
    this.#facts = new ProcessFacts(over, clock);
    this.source = new ClaudeSource({ clock, table: over, homes });
    this.source.start((reading) => this.readings.take(reading));
    onTestFinished(() => this.source.stop());
  }

  /** One look at the processes, as the observation takes it. */
  async sweep(): Promise<void> {
    const snapshot = await this.#table.sweep();
    await this.#facts.refresh(snapshot);
    this.source.see(snapshot, this.#facts);
  }

  /** What was found last at a home. */
  finding(home = defaultHome()): Finding<ObservedRun> | undefined {
    return this.readings.all.findLast(({ name }) => name === home)?.finding;
  }

  runs(home = defaultHome()): readonly ObservedRun[] {
    return runsIn(this.finding(home));
  }

  run(pid: number, home = defaultHome()): ObservedRun | undefined {
    return this.runs(home).find((run) => run.pid === pid);
  }

  /** Resolves once what was found at a home is so. */
  async until(
    isSo: (finding: Finding<ObservedRun>) => boolean,
    home = defaultHome(),
  ): Promise<void> {
    const now = this.finding(home);
    if (now !== undefined && isSo(now)) return;
    await this.readings.wait(({ name, finding }) => name === home && isSo(finding));
  }

  /** Resolves once the run is stated, and says what the fields say. */
  async untilRun(
    pid: number,
    fields: Partial<ObservedRun> = {},
    home = defaultHome(),
  ): Promise<ObservedRun> {
    const fits = (run: ObservedRun) =>
      run.pid === pid &&
      Object.entries(fields).every(([name, value]) => Reflect.get(run, name) === value);
    await this.until((finding) => runsIn(finding).some(fits), home);
    return this.runs(home).find(fits) as ObservedRun;
  }

  async untilNoRun(pid: number, home = defaultHome()): Promise<void> {
    await this.until((finding) => runsIn(finding).every((run) => run.pid !== pid), home);
  }
}

export function runsIn(finding: Finding<ObservedRun> | undefined): readonly ObservedRun[] {
  if (finding?.kind === "rows") return finding.items;
  return finding?.kind === "failing" ? (finding.items ?? []) : [];
}

/** An ordinary user, for what root is never refused. */
const NOBODY = 65_534;

/** Takes away every right on a path below the user's home, also from root, who becomes somebody else until the test
 * ends. */
export function refuse(path: string): void {
  for (let above = dirname(path); above.startsWith(userHome); above = dirname(above)) {
    chmodSync(above, 0o755);
  }
  chmodSync(path, 0);
  onTestFinished(() => chmodSync(path, 0o755));
  if (process.geteuid?.() !== 0) return;
  process.seteuid?.(NOBODY);
  onTestFinished(() => process.seteuid?.(0));
}
