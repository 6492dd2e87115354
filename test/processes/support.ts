import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect } from "vitest";
import type { ProcessInfo } from "../../src/processes/types.ts";
import type { Clock } from "../../src/time/clock.ts";
import { systemClock } from "../../src/time/clock.ts";

const endings: Array<() => unknown> = [];

/** Runs after the test that asked for it, the latest first. */
export function afterThisTest(end: () => unknown): void {
  endings.push(end);
}

afterEach(async () => {
  for (let end = endings.pop(); end !== undefined; end = endings.pop()) await end();
});

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "termtopic-processes-"));
  afterThisTest(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Running {
  readonly pid: number;
  readonly child: ChildProcess;
  /** The next line that it prints. */
  line(): Promise<string>;
  write(text: string): void;
  /** Kills it and waits until it was reaped. */
  end(): Promise<void>;
}

/** A real process that ends with the test at the latest. */
export async function run(
  command: string,
  args: readonly string[] = [],
  options: SpawnOptions = {},
): Promise<Running> {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"], ...options });
  const exited = once(child, "exit");
  await once(child, "spawn");
  const lines: string[] = [];
  const waiting: Array<(line: string) => void> = [];
  let rest = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split(/\r?\n/);
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const next = waiting.shift();
      if (next === undefined) lines.push(part);
      else next(part);
    }
  });
  child.stdin?.on("error", () => {});
  const running: Running = {
    pid: child.pid ?? Number.NaN,
    child,
    line: async () => lines.shift() ?? (await new Promise((resolve) => waiting.push(resolve))),
    write: (text) => child.stdin?.write(text),
    async end() {
      child.kill("SIGKILL");
      await exited;
    },
  };
  afterThisTest(() => running.end());
  return running;
}

/** A shell that has run the script up to its end and then waits for input, so that it is still
 * there. */
export async function runShell(script: string, args: readonly string[] = []): Promise<Running> {
  const shell = await run("/bin/sh", ["-c", `${script}\necho ready; read -r _`, ...args]);
  while ((await shell.line()) !== "ready");
  return shell;
}

/** Looks again at every turn of the event loop: for what the kernel tells nobody. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** Equal to the process in everything but whether it happens to run or to sleep. */
export function inAnyState(process: ProcessInfo | undefined): unknown {
  return { ...process, state: expect.any(String) };
}

/** A clock whose monotonic time goes one millisecond further each time somebody looks. */
export function countingClock(): Clock {
  let looks = 0;
  return { ...systemClock, monotonic: () => looks++ };
}
