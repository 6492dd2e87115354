import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../files/reason.ts";

/** What a session may be called: a name that is the same to tmux, to a shell and to the file system, and no option. */
const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

export const isSessionId = (id: string): boolean => ID.test(id);

/** The files of a session. */
export class SessionPlaces {
  readonly folder: string;
  /** What starts its program; gone once that was read. */
  readonly launch: string;
  /** What was known of it last. */
  readonly facts: string;
  /** What its keeper writes after all output. */
  readonly mark: string;

  constructor(logs: string, id: string) {
    this.folder = join(logs, id);
    this.launch = join(this.folder, LAUNCH);
    this.facts = join(this.folder, "facts");
    this.mark = join(this.folder, "mark");
  }

  /** The part of its output that begins at this offset. */
  part(offset: number): string {
    return join(this.folder, `${PART}${offset}`);
  }

  /** Where the parts of its output begin that are there, ascending. Empty where it has no folder. */
  parts(): number[] {
    try {
      return readdirSync(this.folder)
        .filter((name) => PART_NAME.test(name))
        .map((name) => Number(name.slice(PART.length)))
        .sort((a, b) => a - b);
    } catch (error) {
      if (errorCode(error) === "ENOENT") return [];
      throw error;
    }
  }

  /** What is in one of the small files that are written beside the output. Absent where it is not there. */
  note(name: Note): string | undefined {
    try {
      return readFileSync(join(this.folder, name), "latin1");
    } catch {
      return undefined;
    }
  }
}

/** - `writer`: the process that keeps the output.
 * - `end`: all output is kept, and no more will come.
 * - `pid`: the program's process.
 * - `mark`: what its keeper writes after all output.
 * - `exit`: how its keeper ended, as tmux said it: code and signal with a colon between.
 * - `how`: how the program ended, as its keeper saw it, in the same form. */
export type Note = "writer" | "end" | "pid" | "mark" | "exit" | "how";

export const LAUNCH = "launch";
export const PART = "out.";
const PART_NAME = /^out\.\d{1,16}$/;

/** Below the folder of the host's tmux. */
export const LOGS = "logs";

/** The socket of the host's tmux server, in its folder. */
export const tmuxSocket = (folder: string): string => join(folder, "tmux.sock");
