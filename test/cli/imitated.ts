import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "./support.ts";

/** An agent as Claude Code shows itself to others: a process of that name in a pane, and a state file in the home
 * folder of the place. It ends with the tmux server. */
export class ImitatedClaude {
  readonly pid: number;
  readonly #home: string;
  readonly #cwd: string;
  #fields: Record<string, unknown> = {};

  private constructor(place: Place, pid: number) {
    this.#cwd = place.folder;
    this.pid = pid;
    this.#home = join(place.folder, ".claude");
  }

  /** Starts one, which has been through exec when this resolves. */
  static async begin(place: Place): Promise<ImitatedClaude> {
    const claude = new ImitatedClaude(place, paneOf(place, `exec ${programIn(place)} 1000`));
    await claude.#started();
    return claude;
  }

  /** The same as a job of a shell, from which it can be suspended. */
  static async beginInShell(place: Place): Promise<ImitatedClaude> {
    const shell = paneOf(place, "exec env HISTFILE= bash --norc --noprofile -i");
    const pane = place.tmux("list-windows", "-F", "#{window_id}").trim().split("\n").at(-1) ?? "";
    place.tmux("send-keys", "-t", pane, `${programIn(place)} 1000`, "Enter");
    for (;;) {
      const children = readFileSync(`/proc/${shell}/task/${shell}/children`, "utf8");
      const pid = Number.parseInt(children, 10);
      if (pid > 0) {
        const claude = new ImitatedClaude(place, pid);
        await claude.#started();
        return claude;
      }
      await new Promise((turn) => setImmediate(turn));
    }
  }

  async #started(): Promise<void> {
    while (readFileSync(`/proc/${this.pid}/comm`, "utf8") !== "claude\n") {
      await new Promise((turn) => setImmediate(turn));
    }
  }

  /** Writes the state file, with what it said before; in another configuration folder where one is given. */
  says(fields: Record<string, unknown>, home = this.#home): void {
    const stat = readFileSync(`/proc/${this.pid}/stat`, "utf8");
    const procStart = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    const identity = { pid: this.pid, procStart, cwd: this.#cwd, kind: "interactive" };
    this.#fields = { ...this.#fields, ...fields };
    const state = { ...identity, startedAt: Date.now(), entrypoint: "cli", ...this.#fields };
    mkdirSync(join(home, "sessions"), { recursive: true });
    writeFileSync(this.#fileIn(home), JSON.stringify(state));
  }

  /** Takes the state file away and ends the process, as Claude Code does when it is left. */
  ends(): void {
    rmSync(this.#fileIn(this.#home));
    process.kill(this.pid, "SIGTERM");
  }

  #fileIn(home: string): string {
    return join(home, "sessions", `${this.pid}.json`);
  }
}

/** A program of that name. */
function programIn(place: Place): string {
  const program = join(place.folder, "bin", "claude");
  mkdirSync(join(place.folder, "bin"), { recursive: true });
  if (!existsSync(program)) symlinkSync("/bin/sleep", program);
  return program;
}

/** Runs a command line in a window of its own; the process of its pane. */
function paneOf(place: Place, line: string): number {
  const format = ["-P", "-F", "#{pane_pid}"];
  return Number(place.tmux("new-window", "-d", "-c", place.folder, ...format, line));
}
