import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A tmux server of the benchmark's own, and a client that sends it commands without the cost of a process
 * for each. The client is attached to a session of its own; the session `work` has nobody. */
export class BenchTmux {
  readonly folder = mkdtempSync(join(tmpdir(), "termtopic-bench-"));
  readonly socket = join(this.folder, "bench");
  readonly pid: number;
  readonly #driver: ChildProcess;

  constructor() {
    const size = ["-x", "400", "-y", "400"];
    this.run("new-session", "-d", "-s", "work", ...size, "exec cat");
    this.run("new-session", "-d", "-s", "driver", "exec cat");
    this.pid = Number(this.run("display-message", "-p", "#{pid}"));
    const args = ["-S", this.socket, "-C", "attach-session", "-t", "driver"];
    this.#driver = spawn("tmux", args, { stdio: ["pipe", "ignore", "ignore"] });
  }

  /** Runs a command and waits for it. */
  run(...command: string[]): string {
    const args = ["-f", "/dev/null", "-S", this.socket, ...command];
    const env = { ...process.env, TMUX: "" };
    return execFileSync("tmux", args, { encoding: "utf8", env }).trim();
  }

  /** Sends a command and waits for nothing. */
  send(command: string): void {
    this.#driver.stdin?.write(`${command}\n`);
  }

  end(): void {
    this.#driver.kill();
    process.kill(this.pid, "SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }
}
