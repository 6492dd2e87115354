import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { type Agent, agentAt } from "./agent.ts";
import { decoys } from "./decoys.ts";
import { Elsewhere } from "./elsewhere.ts";
import { type Exhibit, MARK } from "./exhibit.ts";
import { endAllOf } from "./processes.ts";
import { Programs } from "./programs.ts";
import { type Opened, settled } from "./settled.ts";
import { shapes } from "./shapes.ts";
import { type Pane, Tmux } from "./tmux.ts";

/** How many folders the panes share that have none of their own: people have more terminals than projects. */
const PROJECTS = 12;

/** Numbers by which processes are found: of so many seconds that none of them ends. */
const FIRST_MARK = 86_400_000;

/** A pane, and what is true of it. */
export interface Cage {
  readonly name: string;
  readonly pane: Pane;
  /** The agent whose terminal it is. Absent: it is nobody's. */
  readonly agent?: Agent;
}

/** Launch shapes and decoys on real processes, each in a pane of one private tmux server, with another server in one
 * of them, and agents that run elsewhere. */
export class Zoo {
  readonly sockets: readonly string[];
  readonly cages: readonly Cage[];
  /** Agents in no terminal of the zoo. */
  readonly elsewhere: readonly Agent[];
  /** The names of the exhibits that this system does not let us make. */
  readonly skipped: readonly string[];
  readonly #folder: string;

  /** Resolves once everything in it is as it is to be. */
  static async open(): Promise<Zoo> {
    const folder = mkdtempSync(join(tmpdir(), "termtopic-zoo-"));
    try {
      return await build(folder);
    } catch (error) {
      close(folder);
      throw error;
    }
  }

  constructor(folder: string, parts: Pick<Zoo, "sockets" | "cages" | "elsewhere" | "skipped">) {
    this.#folder = folder;
    this.sockets = parts.sockets;
    this.cages = parts.cages;
    this.elsewhere = parts.elsewhere;
    this.skipped = parts.skipped;
  }

  /** Every agent. */
  get agents(): Agent[] {
    return [...this.cages.flatMap(({ agent }) => agent ?? []), ...this.elsewhere];
  }

  end(): void {
    close(this.#folder);
  }
}

function close(folder: string): void {
  endAllOf(folder);
  rmSync(folder, { recursive: true, force: true });
}

async function build(folder: string): Promise<Zoo> {
  const programs = new Programs(folder);
  const environment = environmentOf(programs);
  const outer = new Tmux(join(folder, "outer.sock"), environment);
  const inner = new Tmux(join(folder, "inner.sock"), environment);
  const stage = { programs, inner: inner.socket };
  // Decoys first: the first of them wants a pty of a low number.
  const wanted = [...decoys(stage), ...shapes(stage)];
  const exhibits = wanted.filter(({ needs }) => needs === undefined || isAllowed(needs));
  const opened = exhibits.map((exhibit, index) => open(exhibit, index, folder));
  start(opened, outer);
  const elsewhere = new Elsewhere(programs, environment);
  elsewhere.start(opened[0]?.cwd ?? folder);
  const agents = await settled({ opened, outer, programs, elsewhere });
  const panes = outer.panes();
  const cages = opened.flatMap((one, index): Cage[] => {
    const { name, harness, isNested } = one.exhibit;
    const pane = panes[index];
    const pid = agents.get(one);
    if (pane === undefined) throw new Error(`Expected a pane for ${name}, got none`);
    if (harness === undefined || pid === undefined) return [{ name, pane }];
    const agent = agentAt(pid, harness);
    if (isNested === undefined) return [{ name, pane, agent }];
    const shown = inner.panes().map((pane) => ({ name, pane, agent }));
    return [{ name: "the client of a tmux within tmux", pane }, ...shown];
  });
  return new Zoo(folder, {
    sockets: [outer.socket, inner.socket],
    cages,
    elsewhere: elsewhere.agents,
    skipped: wanted.filter((exhibit) => !exhibits.includes(exhibit)).map(({ name }) => name),
  });
}

function environmentOf(programs: Programs): NodeJS.ProcessEnv {
  const { TMUX, TMUX_PANE, HISTFILE, ...environment } = process.env;
  const path = [programs.at("native"), programs.at("tools"), dirname(process.execPath)];
  return {
    ...environment,
    // By which what belongs to the zoo is found when it ends.
    TERMTOPIC_ZOO: programs.folder,
    HOME: programs.at("home"),
    SHELL: "/bin/bash",
    LC_ALL: "C.UTF-8",
    PATH: [...path, process.env.PATH ?? "/usr/bin:/bin"].join(delimiter),
  };
}

function isAllowed(needs: "sudo" | "namespaces"): boolean {
  const command = needs === "sudo" ? ["sudo", "-n", "true"] : ["unshare", "-m", "true"];
  try {
    execFileSync(command[0] as string, command.slice(1), { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function open(exhibit: Exhibit, index: number, folder: string): Opened {
  const mark = String(FIRST_MARK + index);
  const cwd = exhibit.cwd ?? join(folder, "projects", String(index % PROJECTS));
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, "claude"), "A file of that name.\n");
  return { exhibit, mark, cwd };
}

/** Opens all panes at once, then types into them. tmux numbers panes in the order in which they are opened. */
function start(opened: readonly Opened[], tmux: Tmux): void {
  const marked = (text: string, { mark }: Opened) => text.replaceAll(MARK, mark);
  const windows = opened.map((one, index) => {
    const { argv, window = "zoo" } = one.exhibit;
    const command = index === 0 ? ["new-session", "-d", "-s", "zoo"] : ["new-window", "-d"];
    return [...command, "-n", window, "-c", one.cwd, ...argv.map((arg) => marked(arg, one))];
  });
  const [first = [], ...others] = windows;
  tmux.run(first, ["set-option", "-g", "remain-on-exit", "on"], ...others);
  const keys = opened.flatMap((one, index) => {
    const { typed } = one.exhibit;
    if (typed === undefined) return [];
    const to = ["send-keys", "-t", `%${index}`];
    return [
      [...to, "-l", marked(typed, one)],
      [...to, "Enter"],
    ];
  });
  tmux.run(...keys);
}
