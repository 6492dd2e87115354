import type { Programs } from "./programs.ts";

/** Stands for the number by which an exhibit's processes are found. */
export const MARK = "<mark>";

/** One pane of the zoo. */
export interface Exhibit {
  readonly name: string;
  /** What the pane is started with. */
  readonly argv: readonly string[];
  /** What is then typed into it. */
  readonly typed?: string;
  /** The harness that runs in it. Absent: none does. */
  readonly harness?: "claude" | "codex";
  /** How its agent is stopped once it runs: by the key, or by the signal alone. */
  readonly stops?: "key" | "signal";
  /** Whether its agent is in a pane of the second tmux server, which this one shows. */
  readonly isNested?: true;
  /** What tells of a pane without an agent that all has happened that is to: a process has the number among its
   * arguments; what was typed has made its file in `done`, and then an agent in a container has a device of the same
   * number as the pane's; the pane's process has ended; one that it started has, and was not asked about. */
  readonly settles?: "mark" | "done" | "container" | "dead" | "zombie";
  /** Where it runs. Absent: in one of the folders that most share. */
  readonly cwd?: string;
  /** The name of its window. */
  readonly window?: string;
  /** What it takes beyond the programs that tests need. */
  readonly needs?: "sudo" | "namespaces";
}

/** What exhibits are made of. */
export interface Stage {
  readonly programs: Programs;
  /** The socket of the second tmux server. */
  readonly inner: string;
}

/** An interactive shell that knows no configuration. */
export const SHELL = ["/bin/bash", "--norc", "--noprofile", "-i"];
