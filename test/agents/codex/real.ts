import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../../inventory/unit/support.ts";
import { type Running, run } from "../../processes/support.ts";
import { lockOf, rolloutOf } from "./support.ts";

/** A home folder with a Codex in it, which is a shell called `codex` that does what it is told line by line. */
export class CodexHost {
  readonly home = temporaryFolder("termtopic-codex-");
  readonly codexHome = join(this.home, ".codex");
  readonly program = join(this.home, "vendor", "codex");

  constructor() {
    mkdirSync(dirname(this.program));
    copyFileSync("/bin/sh", this.program);
  }

  lock(id: string): string {
    return this.#file(lockOf(id, this.codexHome), "");
  }

  /** The record of a thread; it comes from what `source` says. */
  rollout(id: string, source: unknown = "cli"): string {
    const meta = { type: "session_meta", payload: { id, source } };
    return this.#file(rolloutOf(id, this.codexHome), `${JSON.stringify(meta)}\n`);
  }

  /** Runs it with the files open, and waits until it has them. */
  async start(files: readonly string[] = [], args: readonly string[] = []): Promise<Codex> {
    const opening = files.map((file, index) => `exec ${index + 3}>>'${file}'`).join("\n");
    const script = `${opening}\necho ready; while read -r line; do eval "$line"; echo done; done`;
    const running = await this.run(this.program, ["-c", script, ...args]);
    await running.line();
    return new Codex(running);
  }

  run(program: string, args: readonly string[]): Promise<Running> {
    const env = { PATH: process.env["PATH"], HOME: this.home };
    return run(program, args, { env, cwd: this.home });
  }

  #file(path: string, text: string): string {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }
}

export class Codex {
  readonly pid: number;
  readonly #running: Running;

  constructor(running: Running) {
    this.#running = running;
    this.pid = running.pid;
  }

  /** Has it do something, and waits until it has. */
  async do(command: string): Promise<void> {
    this.#running.write(`${command}\n`);
    await this.#running.line();
  }

  end(): Promise<void> {
    return this.#running.end();
  }
}

/** Ends the process with the test at the latest. */
export function endWithTest(pid: number): void {
  onTestFinished(() => {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended already.
    }
  });
}
