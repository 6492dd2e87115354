import { dirname } from "node:path";
import { findProgram } from "../sources/programs.ts";
import { runProgram } from "../sources/run-program.ts";
import type { Fault, Finding } from "../sources/source.ts";
import { ANSWER_MS, faultOf, garbled } from "./asked-place.ts";
import type { ManagedSourceOptions, Manager, ManagerPlace } from "./managed-source.ts";
import type { ObservedTerminal } from "./terminal.ts";
import { listensOn } from "./unix-sockets.ts";

/** How much of a list is read: managers state 500 bytes to 4 KiB for a terminal. */
const LIST_BYTES = 1_048_576;

const NOT_ITS_SOCKET: Fault = {
  code: "no_socket",
  msg: "the process does not listen on the socket that its terminals were told",
};

/** How a manager is asked for its terminals. */
export interface Question {
  /** What messages call it. */
  readonly manager: string;
  /** What its program may be called; the first that is there is run. */
  readonly programs: readonly string[];
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** What the program says where the manager does not let itself be asked: it is then none of the source's. */
  readonly denial?: RegExp;
  /** What the answer states. `undefined` where it cannot be made sense of. */
  terminals(stdout: Buffer, manager: Manager): ObservedTerminal[] | undefined;
}

export interface SocketPlaceOptions extends ManagedSourceOptions {
  readonly manager: Manager;
  /** The manager's program file. Absent where it cannot be read. */
  readonly exe: string | undefined;
  readonly name: string;
  /** The path of the socket that it is to listen on; an abstract one begins with `@`. */
  readonly socket: string;
  readonly question: Question;
}

/** A manager that is asked over its own socket. */
export class SocketPlace implements ManagerPlace {
  readonly name: string;
  readonly #options: SocketPlaceOptions;
  #manager: Manager;
  /** Whether it was found to listen on its socket. */
  #isItsSocket = false;

  constructor(options: SocketPlaceOptions) {
    this.#options = options;
    this.name = options.name;
    this.#manager = options.manager;
  }

  see(manager: Manager): void {
    this.#manager = manager;
  }

  async ask(signal: AbortSignal): Promise<Finding<ObservedTerminal>> {
    const { socket, question, path = process.env["PATH"] } = this.#options;
    const program = await this.#program();
    if (program === undefined) return { kind: "absent" };
    this.#isItsSocket ||= listensOn(this.#manager.process.pid, socket);
    if (!this.#isItsSocket) return { kind: "failing", fault: NOT_ITS_SOCKET };
    const { args, variables } = question;
    const environment = { PATH: path, HOME: process.env["HOME"], ...variables };
    const run = { program, args, environment, deadlineMs: ANSWER_MS, limitBytes: LIST_BYTES };
    const answer = await runProgram(run, signal);
    if (question.denial?.test(answer.stderr)) return { kind: "absent" };
    const fault = faultOf(question.manager, answer);
    if (fault !== undefined) return { kind: "failing", fault };
    const items = question.terminals(answer.stdout, this.#manager);
    if (items === undefined) return { kind: "failing", fault: garbled(question.manager) };
    return { kind: "rows", items };
  }

  /** The program beside the manager's own goes first: it is of the same version. */
  async #program(): Promise<string | undefined> {
    const { program, exe, path = process.env["PATH"], question } = this.#options;
    if (program !== undefined) return program;
    const folders = [...(exe === undefined ? [] : [dirname(exe)]), path].join(":");
    for (const name of question.programs) {
      const found = await findProgram(name, folders);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
