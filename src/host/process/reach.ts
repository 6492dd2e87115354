import { type ChildProcess, spawn } from "node:child_process";
import { connect } from "node:net";
import { type RunningHost, runningHost } from "../../inventory/host/claim.ts";
import type { ProcessTable } from "../../processes/types.ts";
import { watchFolder } from "../../sources/watch.ts";
import type { Clock } from "../../time/clock.ts";
import { openLog } from "./log.ts";
import { type HostPlaces, requireHostFolders } from "./places.ts";

/** How long a host may take until it listens, in milliseconds. One that is about to end takes as long as its terminals
 * to end. */
const START_MS = 10_000;

/** How long a host may take to greet before it counts as one that will, in milliseconds. */
const GREETING_MS = 1_000;

/** How often it is looked where nothing is announced, in milliseconds. */
const LOOK_MS = 50;

/** How often one is started that ends again before it was reached. */
const MAX_STARTS = 2;

export interface FindOptions {
  readonly places: HostPlaces;
  readonly table: ProcessTable;
}

export interface ReachOptions extends FindOptions {
  readonly clock: Clock;
  /** The command line that runs a host in the foreground. */
  readonly program: readonly [file: string, ...args: string[]];
  /** The environment for it. Folders are named in it by absolute paths: it runs in `/`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Default START_MS. */
  readonly withinMs?: number;
}

/** A host that listens. */
export type ListeningHost = Required<RunningHost>;

/** The host that runs and answers. Never starts one. */
export async function findHost({ places, table }: FindOptions): Promise<ListeningHost | undefined> {
  const host = await runningHost(places.folder, table);
  if (host === undefined || !isListening(host)) return undefined;
  return (await answers(host.channel)) ? host : undefined;
}

/** The host that runs, or one that is started now and outlives us. Of several who start one at once all get the same.
 * Rejects in words where none can be had. */
export async function reachHost(options: ReachOptions): Promise<ListeningHost> {
  const found = await findHost(options);
  return found ?? new Start(options).run();
}

class Start {
  readonly #options: ReachOptions;
  #starts = 0;
  /** The one that we have started. Absent before, and once it has ended. */
  #child: ChildProcess | undefined;
  #wake = () => {};

  constructor(options: ReachOptions) {
    this.#options = options;
  }

  async run(): Promise<ListeningHost> {
    const { places, table, clock, withinMs = START_MS } = this.#options;
    await requireHostFolders(places);
    const log = await openLog(places.folder);
    const deadline = clock.monotonic() + withinMs;
    const unwatch = watchFolder(places.folder, {
      changed: () => this.#wake(),
      lost: () => {},
    });
    try {
      for (;;) {
        const news = this.#news();
        const host = await runningHost(places.folder, table);
        if (host !== undefined && isListening(host) && (await answers(host.channel))) {
          this.#giveUpAnother(host);
          return host;
        }
        if (host === undefined && this.#child === undefined) {
          if (this.#starts === MAX_STARTS) throw await ended(log.tail());
          this.#start(log.fd);
        }
        if (clock.monotonic() > deadline) throw late(host, withinMs);
        await news;
      }
    } finally {
      unwatch();
      await log.close();
    }
  }

  /** Ends the one that we have started where another was sooner: it would be the next host should that end before it
   * has seen it. */
  #giveUpAnother({ pid }: RunningHost): void {
    if (this.#child !== undefined && this.#child.pid !== pid) this.#child.kill("SIGTERM");
  }

  /** Resolves when there may be something new. */
  #news(): Promise<void> {
    return new Promise((resolve) => {
      // Not the clock's: nothing else keeps a program alive that waits for its host.
      const timer = setTimeout(resolve, LOOK_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #start(log: number): void {
    const { program, environment } = this.#options;
    const [file, ...args] = program;
    this.#starts += 1;
    // A session of its own and no descriptor of ours: it ends with nobody, and holds no folder.
    const child = spawn(file, args, {
      detached: true,
      cwd: "/",
      env: { ...environment },
      stdio: ["ignore", "ignore", log],
    });
    this.#child = child;
    const gone = () => {
      if (this.#child === child) this.#child = undefined;
      this.#wake();
    };
    child.on("error", gone);
    child.on("exit", gone);
    child.unref();
  }
}

const isListening = (host: RunningHost): host is ListeningHost =>
  host.channel !== undefined && host.topics !== undefined && host.version !== undefined;

/** Whether somebody listens there who greets. The kernel goes on taking connections for a process that is being killed,
 * so that one was made says too little. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (isThere: boolean) => {
      resolve(isThere);
      socket.destroy();
    };
    socket.once("data", () => settle(true));
    // Its process lives and has much to do.
    socket.setTimeout(GREETING_MS, () => settle(true));
    // A queue that is full is one that somebody will serve.
    socket.once("error", (error: NodeJS.ErrnoException) => settle(error.code === "EAGAIN"));
    socket.once("close", () => settle(false));
  });
}

async function ended(tail: Promise<string>): Promise<Error> {
  const said = (await tail).replace(/^termtopic: /, "");
  const why = said === "" ? "run `termtopic host` to see why" : said;
  return new Error(`the terminal host ends as soon as it is started: ${why}`);
}

function late(host: RunningHost | undefined, withinMs: number): Error {
  const seconds = withinMs / 1_000;
  if (host === undefined) {
    return new Error(
      `the terminal host has not begun within ${seconds} s; run \`termtopic host\` to see why`,
    );
  }
  return new Error(
    `the terminal host (pid ${host.pid}) lives and does not listen after ${seconds} s; wait for it, or end it (kill ${host.pid}), which ends its terminals`,
  );
}
