import { join } from "node:path";
import { onTestFinished } from "vitest";
import { hostPlaces } from "../../../src/host/process/places.ts";
import { type RunningHost, runningHost } from "../../../src/inventory/host/claim.ts";
import { createProcessTable } from "../../../src/processes/index.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { COMMAND, type Ended, Place, PROGRAM, type Program } from "../support.ts";
import { runHere } from "./in-process.ts";

const table = createProcessTable({ clock: systemClock });

/** What a terminal says that it is (DA1). */
export const ATTRIBUTES = "\x1b[?62;22c";

/** Whether a terminal was asked what it is. */
export const isAsked = ({ stdout }: Program) => stdout.includes("\x1b[c") || undefined;

/** A place of its own whose host, started by the first command that needs one, is ended with the test. */
export class HostPlace extends Place {
  constructor() {
    super();
    // Shells begin alike and soon: nobody's own files are read.
    this.env["SHELL"] = "/bin/sh";
    onTestFinished(() => this.endHost("SIGTERM"));
  }

  /** A place whose host runs already, and whose commands run in this process. */
  static async running(): Promise<HostPlace> {
    const place = new PlaceHere();
    place.start(["host"]);
    while ((await place.host())?.channel === undefined) {
      await new Promise((turn) => setTimeout(turn, 4));
    }
    return place;
  }

  /** Runs a command that has to succeed, and answers what it printed. */
  async print(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args);
    if (code === 0) return stdout;
    throw new Error(`termtopic ${args.join(" ")} ended with ${code}: ${stderr}`);
  }

  async json(...args: readonly string[]): Promise<Record<string, unknown>> {
    return JSON.parse(await this.print(...args, "--json"));
  }

  /** Runs a command on a terminal of its own, of 24 rows and 80 columns, which says what it is when it is asked. */
  shown(...args: readonly string[]): Program {
    const program = this.asked(args, 'echo "code $?"; stty -a');
    void program
      .until(() => isAsked(program))
      .then(
        () => program.child.stdin?.write(ATTRIBUTES),
        // It showed nothing.
        () => {},
      );
    return program;
  }

  /** The same on a terminal that answers when the test does. `after` is what its shell does then. */
  asked(args: readonly string[], after: string): Program {
    const words = args.map((word) => `'${word}'`).join(" ");
    return this.onTerminal(`stty rows 24 cols 80; ${COMMAND} ${words}; ${after}`);
  }

  /** The process of termtopic that a terminal of `shown` runs. */
  async processIn(program: Program): Promise<number> {
    const below = (await table.sweep()).descendants(program.child.pid ?? 0);
    const found = below.find(({ pid }) => table.argv(pid)?.includes(PROGRAM));
    if (found?.pid === undefined) throw new Error("termtopic does not run there");
    return found.pid;
  }

  host(): Promise<RunningHost | undefined> {
    return runningHost(hostPlaces(join(this.state, "run"), {}).folder, table);
  }

  async endHost(signal: NodeJS.Signals): Promise<void> {
    const host = await this.host();
    if (host === undefined) return;
    process.kill(host.pid, signal);
    while (table.read(host.pid) !== undefined) await new Promise((turn) => setImmediate(turn));
  }
}

/** A place whose commands run in this process, which starts no host. */
export class PlaceHere extends HostPlace {
  override run(args: readonly string[]): Promise<Ended> {
    return runHere(args, this.env);
  }
}
