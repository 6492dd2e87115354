import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Answer, ask, type Client } from "../../inventory/tmux/ask.ts";
import { verdictOf } from "../../inventory/tmux/verdict.ts";
import type { ProcessTable } from "../../processes/types.ts";
import { systemClock } from "../../time/clock.ts";
import { ActingError } from "../failure.ts";
import type { SeenTerminal } from "../terminal.ts";
import { type PaneId, paneIn } from "./pane-id.ts";
import { refusalOf, STATE_FIELDS } from "./refusal.ts";
import { reachServer, SERVER_GONE } from "./server.ts";

/** How long a server may take, in milliseconds: it may have a buffer of a megabyte to take in. What it has not begun
 * by then it does not do later: somebody may have typed the same again. */
export const ANSWER_MS = 5_000;

/** The server's clock in epoch seconds, which no variable of tmux has: a literal that is expanded as strftime(3) does.
 * Of the same number of digits for centuries, so that text compares as numbers do. */
const SERVER_TIME = "#{T;l:%s}";

/** How long after a server dropped its client it is looked whether its process has ended, and how often, in
 * milliseconds. */
const EXIT_MS = 50;
const EXIT_LOOK_MS = 5;

/** What a client says that was dropped. */
const LOST = /^(?:lost server|server exited)/;

/** What has to hold of a pane that something is done with. `there`: it is the one that was seen; `alive`: its process
 * runs too; `typing`: it also gives its program what is typed, and no other pane the same. */
export type Need = "there" | "alive" | "typing";

/** What is done with a pane, in tmux's own language. Nothing in it may be a stranger's. */
export interface PaneTask {
  readonly need: Need;
  /** What is done where that holds. */
  readonly commands: readonly string[];
  /** A command before the look at the pane, with what it reads from its client; and the one that undoes it. */
  readonly prepare?: {
    readonly command: readonly string[];
    readonly input: Buffer;
    readonly undo: string;
  };
}

/** One pane as it was seen. Each task is verified and done in one command of tmux, between whose parts the server does
 * nothing else: a pane that was respawned, or a number that another server gave again, is left alone. */
export class Pane {
  readonly id: PaneId;
  readonly seen: SeenTerminal;
  readonly #table: ProcessTable;
  readonly #answerMs: number;

  /** Throws where the id is none of a pane's. */
  constructor(seen: SeenTerminal, table: ProcessTable, answerMs: number) {
    const id = paneIn(seen.id);
    if (id === undefined) throw new ActingError("gone", `no pane of tmux has the id ${seen.id}`);
    this.id = id;
    this.seen = seen;
    this.#table = table;
    this.#answerMs = answerMs;
  }

  /** How tmux is told which pane is meant. */
  get target(): string {
    return `'%${this.id.number}'`;
  }

  /** The process that tmux started in it. Absent where it had ended. */
  get rootPid(): number | undefined {
    return this.seen.root_pid ?? this.seen.pid;
  }

  /** Does a task, and answers what its commands printed. Rejects with an `ActingError`; nothing was done then, but for
   * what it says. `signal` stops waiting for the answer, as its time being over does. */
  async run(task: PaneTask, signal = NEVER): Promise<Buffer> {
    const client = reachServer(this.id, this.#table);
    const mark = randomBytes(16).toString("hex");
    const { command, input } = this.#command(task, mark);
    const answer = await ask(client, command, signal, this.#answerMs, input);
    const done = Buffer.from(`${mark}:done\n`);
    if (answer.stdout.subarray(0, done.length).equals(done)) {
      requireNoFault(answer);
      return answer.stdout.subarray(done.length);
    }
    const cleaned = this.#cleanUp(client, task);
    // A server that does not answer would not answer to that either; it does it when it can.
    if (answer.ended !== "deadline") await cleaned;
    const state = answer.stdout.toString("latin1").split("\n", 1)[0] ?? "";
    if (state.startsWith(`${mark}:`)) {
      throw refusalOf(state.slice(mark.length + 1), this.id, this.seen) ?? late();
    }
    const hasEnded = client.program !== "tmux" && (await this.#isEnding(answer));
    throw hasEnded ? new ActingError("gone", SERVER_GONE) : faultOf(answer);
  }

  /** Whether a server that did not answer has ended. One that is killed loses its program first and drops its clients, and
   * is a process for a moment yet. */
  async #isEnding({ ended, stderr }: Answer): Promise<boolean> {
    if (ended === "missing") return true;
    const until = systemClock.monotonic() + (LOST.test(stderr) ? EXIT_MS : 0);
    for (;;) {
      if (this.#table.read(this.id.serverPid) === undefined) return true;
      if (systemClock.monotonic() >= until) return false;
      await pause(EXIT_LOOK_MS);
    }
  }

  #command({ need, commands, prepare }: PaneTask, mark: string) {
    const state = `display-message -p -t ${this.target} '${mark}:${STATE_FIELDS.map((field) => `#{${field}}`).join(":")}'`;
    const look = [
      ...["if-shell", "-F", "-t", `%${this.id.number}`, this.#condition(need)],
      [`display-message -p '${mark}:done'`, ...commands].join(" ; "),
      prepare === undefined ? state : `${prepare.undo} ; ${state}`,
    ];
    if (prepare === undefined) return { command: look, input: undefined };
    return { command: [...prepare.command, ";", ...look], input: prepare.input };
  }

  /** What is compared are numbers alone, so that nothing in it can be taken for a format. */
  #condition(need: Need): string {
    const { serverPid, startTime, number } = this.id;
    const wanted: [field: string, value: string | number][] = [
      ["pid", serverPid],
      ["start_time", startTime],
      ["pane_id", `%${number}`],
      // A pane whose process had ended is the same one while no other was started in it.
      this.rootPid === undefined ? ["pane_dead", 1] : ["pane_pid", this.rootPid],
    ];
    if (need !== "there") wanted.push(["pane_dead", 0]);
    if (need === "typing") {
      wanted.push(["pane_in_mode", 0], ["pane_input_off", 0], ["pane_synchronized", 0]);
    }
    const fields = wanted.map(([field]) => `#{${field}}`).join(":");
    const isIt = `#{==:${fields},${wanted.map(([, value]) => value).join(":")}}`;
    const expires = Math.floor((systemClock.now() + this.#answerMs) / 1_000);
    return `#{&&:${isIt},#{<:${SERVER_TIME},${expires}}}`;
  }

  /** What was prepared for a task that was not come to is undone. */
  async #cleanUp(client: Client, { prepare }: PaneTask): Promise<void> {
    if (prepare === undefined) return;
    await ask(client, prepare.undo.split(" "), NEVER);
  }
}

const NEVER = new AbortController().signal;

/** tmux says that a command was done before it does it, so that is what it may say of it afterwards. A server that ends
 * with its last pane drops its client. */
function requireNoFault({ stderr, ended }: Answer): void {
  if (ended === "deadline") throw late();
  if (ended === "too_long") {
    throw new ActingError("refused", "what the pane shows is too long; ask for fewer lines");
  }
  if (stderr === "" || LOST.test(stderr)) return;
  throw new ActingError("refused", `tmux says: ${stderr}`);
}

function faultOf(answer: Answer): ActingError {
  if (answer.ended === "deadline") return late();
  const verdict = verdictOf(answer);
  if (verdict.kind === "no_server") {
    return new ActingError("gone", SERVER_GONE);
  }
  if (verdict.kind === "failing") {
    const { code, msg } = verdict.fault;
    return new ActingError(code === "unknown_answer" ? "refused" : "no_answer", `tmux: ${msg}`);
  }
  return new ActingError("no_answer", "its tmux server gave no answer that can be understood");
}

const late = () =>
  new ActingError(
    "no_answer",
    `its tmux server did not answer in time; what it had not done by then it does not do later`,
  );
