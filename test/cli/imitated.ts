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

  private constructor(place: Place) {
    const program = join(place.folder, "bin", "claude");
    mkdirSync(join(place.folder, "bin"), { recursive: true });
    if (!existsSync(program)) symlinkSync("/bin/sleep", program);
    this.#cwd = place.folder;
    const format = ["-P", "-F", "#{pane_pid}"];
    const pane = ["new-window", "-d", "-c", place.folder, ...format, `exec ${program} 1000`];
    this.pid = Number(place.tmux(...pane));
    this.#home = join(place.folder, ".claude");
  }

  /** Starts one, which has been through exec when this resolves. */
  static async begin(place: Place): Promise<ImitatedClaude> {
    const claude = new ImitatedClaude(place);
    while (readFileSync(`/proc/${claude.pid}/comm`, "utf8") !== "claude\n") {
      await new Promise((turn) => setImmediate(turn));
    }
    return claude;
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
