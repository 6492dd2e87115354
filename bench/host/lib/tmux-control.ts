import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A tmux client in control mode (tmux(1), CONTROL MODE): one connection, one command after the other. */
export class TmuxControl {
  readonly #child: ChildProcess;
  readonly #waiting: ((lines: string[]) => void)[] = [];
  readonly #attached: Promise<unknown>;
  #reply: string[] | undefined;
  /** Called with each line in which tmux tells what a pane wrote. */
  onOutput: (line: string) => void = () => {};

  constructor(socket: string, session: string) {
    this.#child = spawn("tmux", ["-S", socket, "-C", "attach-session", "-t", session], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    // Attaching is a command too, and has a reply.
    this.#attached = new Promise((resolve) => this.#waiting.push(resolve));
    if (this.#child.stdout === null) throw new Error("tmux has no output");
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#take(line));
  }

  /** Runs a command and answers the lines of its reply. */
  async run(command: string): Promise<string[]> {
    await this.#attached;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#child.stdin?.write(`${command}\n`);
    });
  }

  end(): void {
    this.#child.kill("SIGKILL");
  }

  #take(line: string): void {
    if (line.startsWith("%begin ")) this.#reply = [];
    else if (line.startsWith("%end ") || line.startsWith("%error ")) {
      const reply = this.#reply ?? [];
      this.#reply = undefined;
      this.#waiting.shift()?.(reply);
    } else if (this.#reply !== undefined) this.#reply.push(line);
    else if (line.startsWith("%output ")) this.onOutput(line);
  }
}
