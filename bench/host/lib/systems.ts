import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasProgram } from "./has-program.ts";
import type { Look } from "./looks.ts";
import { PrivateHost } from "./private-host.ts";
import { after } from "./rounds.ts";

export type Command = readonly [file: string, ...args: string[]];

/** Something that holds terminals, and how one of them is looked at. */
export interface System {
  /** Runs a program in a terminal. */
  open(command: Command): Promise<Look>;
  end(): Promise<void>;
}

/** By name. Those that are not installed are undefined. */
export type Systems = Readonly<Record<SystemName, System | undefined>>;

export const SYSTEM_NAMES = ["ours", "node-pty", "dtach", "tmux", "screen"] as const;
export type SystemName = (typeof SYSTEM_NAMES)[number];

/** The host and what it is held beside, each with nothing in it yet. */
export async function startSystems(): Promise<Systems & { readonly ours: OurSystem }> {
  const ours = new OurSystem(await PrivateHost.start());
  return {
    ours,
    "node-pty": new DirectSystem(),
    dtach: hasProgram("dtach") ? new DtachSystem() : undefined,
    tmux: hasProgram("tmux") ? new TmuxSystem() : undefined,
    screen: hasProgram("screen") ? new ScreenSystem() : undefined,
  };
}

export async function endSystems(systems: Systems): Promise<void> {
  for (const system of Object.values(systems)) await system?.end();
}

const environment = (more: Readonly<Record<string, string>> = {}) => ({
  PATH: process.env["PATH"] ?? "",
  HOME: "/",
  SHELL: "/bin/sh",
  LANG: "C.UTF-8",
  TERM: "xterm-256color",
  ...more,
});

export class OurSystem implements System {
  readonly host: PrivateHost;

  constructor(host: PrivateHost) {
    this.host = host;
  }

  async open(command: Command): Promise<Extract<Look, { kind: "host" }>> {
    const session = this.host.connection.session("bench");
    const place = { cwd: "/", env: null, cols: 80, rows: 24 };
    const { id } = await session.open({ ...place, exec: [...command] });
    return { kind: "host", path: this.host.path, terminalId: id };
  }

  end(): Promise<void> {
    return this.host.end();
  }
}

/** Whoever looks runs the program itself, and it ends with the look. */
class DirectSystem implements System {
  async open([file, ...args]: Command): Promise<Look> {
    return { kind: "program", file, args, env: environment() };
  }

  async end(): Promise<void> {}
}

class TmuxSystem implements System {
  readonly #folder = mkdtempSync(join(tmpdir(), "tt-bench-"));
  readonly #socket = join(this.#folder, "tmux");
  #opened = 0;

  async open(command: Command): Promise<Look> {
    this.#opened += 1;
    const name = `t${this.#opened}`;
    this.#run("new-session", "-d", "-s", name, "-x", "80", "-y", "24", ...command);
    this.#run("set-option", "-g", "status", "off");
    const args = ["-S", this.#socket, "attach-session", "-t", name];
    return { kind: "program", file: "tmux", args, env: environment() };
  }

  async end(): Promise<void> {
    if (this.#opened > 0) this.#run("kill-server");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #run(...command: string[]): void {
    const args = ["-f", "/dev/null", "-S", this.#socket, ...command];
    execFileSync("tmux", args, { env: environment(), stdio: ["ignore", "ignore", "inherit"] });
  }
}

/** A process for each terminal, which this one ends. */
abstract class ProcessSystem implements System {
  protected readonly folder = mkdtempSync(join(tmpdir(), "tt-bench-"));
  readonly #processes: ChildProcess[] = [];

  abstract open(command: Command): Promise<Look>;

  protected async start(
    [file, ...args]: Command,
    env: Record<string, string>,
    isThere: () => boolean,
  ): Promise<void> {
    const child = spawn(file, args, { env, stdio: "ignore" });
    this.#processes.push(child);
    while (!isThere()) {
      if (child.exitCode !== null) throw new Error(`${file} ended with code ${child.exitCode}`);
      await after(5);
    }
  }

  async end(): Promise<void> {
    for (const process of this.#processes) {
      const exited = once(process, "exit");
      if (process.exitCode === null && process.kill("SIGTERM")) await exited;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

class DtachSystem extends ProcessSystem {
  #opened = 0;

  async open(command: Command): Promise<Look> {
    this.#opened += 1;
    const socket = join(this.folder, `${this.#opened}`);
    const env = environment();
    await this.start(["dtach", "-N", socket, "-r", "none", ...command], env, () =>
      existsSync(socket),
    );
    return { kind: "program", file: "dtach", args: ["-a", socket, "-E", "-z", "-r", "none"], env };
  }
}

class ScreenSystem extends ProcessSystem {
  readonly #sockets = join(this.folder, "screen");
  #opened = 0;

  async open(command: Command): Promise<Look> {
    mkdirSync(this.#sockets, { recursive: true });
    chmodSync(this.#sockets, 0o700);
    this.#opened += 1;
    const name = `t${this.#opened}`;
    const env = environment({ SCREENDIR: this.#sockets });
    const own = ["screen", "-c", "/dev/null", "-U"] as const;
    await this.start([...own, "-D", "-m", "-S", name, ...command], env, () =>
      readdirSync(this.#sockets).some((socket) => socket.endsWith(`.${name}`)),
    );
    const [file, ...args] = own;
    return { kind: "program", file, args: [...args, "-x", name], env };
  }
}
