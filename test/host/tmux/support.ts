import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PtyExit } from "../../../src/host/pty/pty.ts";
import {
  type TmuxLaunch,
  type TmuxPty,
  TmuxServer,
  type TmuxSession,
} from "../../../src/host/tmux/tmux.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { endTree } from "../../lib/end-tree.ts";

const PATH = process.env["PATH"] ?? "/usr/bin:/bin";

/** A folder of a host of its own. What was started in it is ended with the test. */
export class Place {
  readonly folder: string;
  readonly #servers: TmuxServer[] = [];

  constructor(name = "tmux") {
    this.folder = join(mkdtempSync(join(tmpdir(), "termtopic-")), name);
  }

  get socket(): string {
    return join(this.folder, "tmux.sock");
  }

  /** As a host has it; another one after a restart. */
  async server(): Promise<TmuxServer> {
    const server = await TmuxServer.find({ folder: this.folder, clock: systemClock });
    this.#servers.push(server);
    return server;
  }

  /** Asks the server as a person would. Empty where none runs. */
  ask(...command: string[]): string {
    try {
      return execFileSync("tmux", ["-u", "-N", "-S", this.socket, ...command], {
        env: { PATH },
        stdio: ["ignore", "pipe", "ignore"],
      })
        .toString()
        .trim();
    } catch {
      return "";
    }
  }

  /** The server's process. `undefined` where none runs. */
  get pid(): number | undefined {
    const pid = Number(this.ask("list-sessions", "-F", "#{pid}").split("\n")[0]);
    return pid > 0 ? pid : undefined;
  }

  end(): void {
    for (const server of this.#servers) server.release();
    const { pid } = this;
    if (pid !== undefined) endTree(pid);
    rmSync(join(this.folder, ".."), { recursive: true, force: true, maxRetries: 5 });
  }
}

const places: Place[] = [];

export function place(name?: string): Place {
  const made = new Place(name);
  places.push(made);
  return made;
}

/** For `afterEach`. */
export function endAll(): void {
  for (const made of places.splice(0)) made.end();
}

/** A session and all that was told of it. */
export class Told {
  readonly session: TmuxSession;
  readonly pty: TmuxPty;
  readonly chunks: Buffer[] = [];
  bytes = 0;
  missed = 0;
  /** What came after the end was told: nothing may. */
  late = 0;
  readonly exited: Promise<PtyExit>;
  exit: PtyExit | undefined;
  #look: () => void = () => {};

  constructor(session: TmuxSession) {
    this.session = session;
    let told: (exit: PtyExit) => void = () => {};
    this.exited = new Promise((resolve) => {
      told = resolve;
    });
    this.pty = session.connect({
      data: (bytes) => {
        if (this.exit !== undefined) this.late += bytes.length;
        this.chunks.push(Buffer.from(bytes));
        this.bytes += bytes.length;
        this.#look();
      },
      missed: (bytes) => {
        this.missed += bytes;
      },
      exit: (exit) => {
        if (this.exit !== undefined) throw new Error("the end was told twice");
        this.exit = exit;
        told(exit);
        this.#look();
      },
    });
  }

  get output(): Buffer {
    return Buffer.concat(this.chunks);
  }

  get text(): string {
    return this.output.toString("utf8");
  }

  /** Resolves when the output has it; rejects when the program ends without having said it. */
  says(expected: string | RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#look = () => {
        const { text } = this;
        const isThere =
          typeof expected === "string" ? text.includes(expected) : expected.test(text);
        if (isThere) resolve(text);
        else if (this.exit !== undefined) reject(new Error(`ended without ${expected}: ${text}`));
        else return;
        this.#look = () => {};
      };
      this.#look();
    });
  }

  type(bytes: string | Uint8Array): number {
    return this.pty.write(Buffer.from(bytes));
  }
}

export const launched = (options: Partial<TmuxLaunch> & { readonly file: string }): TmuxLaunch => ({
  args: [],
  cwd: "/",
  env: { PATH, TERM: "xterm-256color" },
  cols: 80,
  rows: 24,
  historyBytes: 1024 * 1024,
  ...options,
});

let count = 0;

/** Runs a program in a session of its own. */
export async function run(
  server: TmuxServer,
  options: Partial<TmuxLaunch> & { readonly file: string },
): Promise<Told> {
  count += 1;
  return new Told(await server.start(`terminal-t-${count}`, launched(options)));
}

/** Runs a shell script. */
export const script = (
  server: TmuxServer,
  text: string,
  options: Partial<TmuxLaunch> = {},
): Promise<Told> => run(server, { file: "/bin/sh", args: ["-c", text], ...options });

/** Resolves when the condition holds; it is looked at again and again. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}
