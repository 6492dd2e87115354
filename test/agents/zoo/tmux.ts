import { execFileSync } from "node:child_process";

/** A pane as tmux lists it. */
export interface Pane {
  readonly server: number;
  readonly number: number;
  /** The process that it was started with. */
  readonly root: number;
  readonly tty: string;
  readonly isDead: boolean;
  /** What tmux says of the program in front: its name, and where it runs. */
  readonly command: string;
  readonly cwd: string;
}

const FORMAT = [
  ...["pid", "pane_id", "pane_pid", "pane_tty", "pane_dead"],
  ...["pane_current_command", "pane_current_path"],
]
  .map((field) => `#{${field}}`)
  .join("\t");

/** A tmux server on a socket of its own, without anybody's configuration. */
export class Tmux {
  readonly socket: string;
  readonly #environment: NodeJS.ProcessEnv;

  constructor(socket: string, environment: NodeJS.ProcessEnv) {
    this.socket = socket;
    this.#environment = environment;
  }

  /** Runs commands on it, one after another, and returns the lines that they print. */
  run(...commands: (readonly string[])[]): string[] {
    const args = commands.flatMap((command, index) => (index === 0 ? command : [";", ...command]));
    const output = execFileSync("tmux", ["-u", "-f", "/dev/null", "-S", this.socket, ...args], {
      env: this.#environment,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    return output.trimEnd().split("\n");
  }

  panes(): Pane[] {
    return this.run(["list-panes", "-a", "-F", FORMAT]).map((line) => {
      const [server, id = "", root, tty = "", dead, command = "", cwd = ""] = line.split("\t");
      const number = Number(id.slice(1));
      const isDead = dead === "1";
      return { server: Number(server), number, root: Number(root), tty, isDead, command, cwd };
    });
  }
}
