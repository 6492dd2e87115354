import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Acting } from "../../src/acting/acting.ts";
import type { ActingTerminal, SeenTerminal } from "../../src/acting/terminal.ts";
import { createProcessTable } from "../../src/processes/index.ts";
import { idPart } from "../../src/sources/text.ts";
import { systemClock } from "../../src/time/clock.ts";
import { PrivateTmux, temporaryFolder } from "../inventory/support.ts";

export const table = createProcessTable({ clock: systemClock });
export const acting = new Acting({ table, channel: async () => undefined });

/** Resolves once something is found, and looks again until then. */
export async function until<T>(find: () => T | undefined): Promise<T> {
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    await new Promise((turn) => setTimeout(turn, 4));
  }
}

/** A pane of a private server that keeps every byte that is typed into it. */
export class Recorder {
  readonly tmux: PrivateTmux;
  readonly #file: string;
  readonly #folder = temporaryFolder();

  /** `before`: what its shell does first. */
  constructor(before = "", tmux = new PrivateTmux(join(temporaryFolder(), "s"))) {
    this.tmux = tmux;
    this.#file = join(this.#folder, "typed");
    const command = `stty raw -echo; ${before} echo ready; exec cat > '${this.#file}'`;
    tmux.run("new-session", "-d", "-x", "80", "-y", "24", command);
  }

  static async begun(before = ""): Promise<Recorder> {
    const recorder = new Recorder(before);
    await recorder.begins();
    return recorder;
  }

  /** Resolves when it records. */
  async begins(): Promise<void> {
    await until(() => (this.tmux.run("capture-pane", "-p").includes("ready") ? true : undefined));
  }

  get typed(): string {
    try {
      return readFileSync(this.#file, "latin1");
    } catch {
      return "";
    }
  }

  /** Resolves once that much was typed. */
  async has(length: number): Promise<string> {
    return until(() => (this.typed.length >= length ? this.typed : undefined));
  }

  get seen(): SeenTerminal {
    return seenIn(this.tmux);
  }

  get terminal(): ActingTerminal {
    return acting.on(this.seen);
  }
}

/** A pane as a list states it. */
export function seenIn(tmux: PrivateTmux, target = "%0"): SeenTerminal {
  const format = "#{pid} #{start_time} #{pane_id} #{pane_pid} #{pane_dead} #{pane_tty}";
  const [pid, startTime, pane, panePid, dead, tty] = tmux
    .run("display-message", "-p", "-t", target, format)
    .split(" ");
  const id = `tmux:${idPart(tmux.socket)}@${pid}.${startTime}/${pane?.slice(1)}`;
  return dead === "1"
    ? { id, state: "dead" }
    : { id, state: "running", pid: Number(panePid), ...(tty === undefined ? {} : { tty }) };
}

/** A server of a test's own, with a session that does this. */
export function session(command: string): PrivateTmux {
  const tmux = new PrivateTmux(join(temporaryFolder(), "s"));
  tmux.run("new-session", "-d", "-x", "80", "-y", "24", command);
  return tmux;
}
