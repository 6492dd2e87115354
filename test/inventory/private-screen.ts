import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder, until } from "./unit/support.ts";
import { isRunning } from "./unit/tmux/support.ts";

/** What runs in a window unless said otherwise. */
const IDLE = ["cat"];

/** A session of screen with sockets of its own, that ends with the test. */
export class PrivateScreen {
  readonly folder = temporaryFolder();
  pid = 0;

  static async start(name: string, command: readonly string[] = IDLE): Promise<PrivateScreen> {
    const screen = new PrivateScreen();
    screen.run("-dmS", name, ...command);
    // The client ends before its server has begun.
    await until(() => readdirSync(screen.folder).length === 1);
    screen.pid = Number.parseInt(readdirSync(screen.folder)[0] ?? "", 10);
    onTestFinished(() => screen.end());
    return screen;
  }

  get socket(): string {
    const entry = readdirSync(this.folder).find((one) => one.startsWith(`${this.pid}.`));
    return join(this.folder, entry ?? "");
  }

  /** Its server's pid and start tick, as ids have them. */
  get key(): string {
    const stat = readFileSync(`/proc/${this.pid}/stat`, "utf8");
    return `${this.pid}.${stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]}`;
  }

  /** Runs the client as a person outside of any session would. */
  run(...args: string[]): void {
    const { STY, WINDOW, ...env } = process.env;
    const stdio = ["ignore", "pipe", "pipe"] as const;
    execFileSync("screen", ["-c", "/dev/null", ...args], {
      env: { ...env, SCREENDIR: this.folder },
      stdio: [...stdio],
    });
  }

  window(command: readonly string[] = IDLE): void {
    this.run("-S", String(this.pid), "-X", "screen", ...command);
  }

  /** The processes in its windows. */
  windowPids(): number[] {
    const children = readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, "utf8").split(" ");
    return children.flatMap((pid) => (pid === "" ? [] : Number(pid)));
  }

  /** The names of the programs in its windows. */
  programs(): string[] {
    return this.windowPids().map(nameOf);
  }

  end(): void {
    if (isRunning(this.pid)) process.kill(this.pid, "SIGTERM");
  }
}

export const nameOf = (pid: string | number) => readFileSync(`/proc/${pid}/comm`, "utf8").trim();
