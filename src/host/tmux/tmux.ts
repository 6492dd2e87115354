import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { errorCode, reasonOf } from "../../files/reason.ts";
import { MAX_SOCKET_PATH, requirePrivateFolder } from "../../files/unix-path.ts";
import { replaceFile } from "../../files/whole-file.ts";
import type { Clock } from "../../time/clock.ts";
import { checkLaunch } from "../pty/launch.ts";
import { TmuxClient, TmuxFailure } from "./client.ts";
import { type Facts, factsOf, type Known, readFacts, writeFacts } from "./facts.ts";
import { KEEPER_FILE, KEEPER_SCRIPT } from "./keeper.ts";
import { launchScript } from "./launch-script.ts";
import { Pane } from "./pane.ts";
import { isSessionId, LOGS, SessionPlaces, tmuxSocket } from "./places.ts";
import { Session } from "./session.ts";
import { startCommands } from "./starting.ts";
import { askState, type SessionState, sessionTarget, stateOf } from "./state.ts";
import type { TmuxLaunch, TmuxPty, TmuxSession } from "./tmux-session.ts";
import { TmuxUnavailable } from "./unavailable.ts";
import { findTmux } from "./version.ts";
import { WRITER_FILE, WRITER_SCRIPT } from "./writer.ts";

export type { TmuxLaunch, TmuxPty, TmuxSession } from "./tmux-session.ts";
export { TmuxUnavailable };

export interface TmuxOptions {
  /** The folder of the host's tmux server, closed to others: its socket and the output of its sessions are in it. */
  readonly folder: string;
  readonly clock: Clock;
}

/** The tmux server of a host, which outlives that. It runs while there are sessions, those included whose program has
 * ended. */
export class TmuxServer {
  readonly #client: TmuxClient;
  readonly #clock: Clock;
  readonly #logs: string;
  readonly #connected = new Set<TmuxPty>();
  /** One server is started at a time. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(client: TmuxClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
    this.#logs = join(client.folder, LOGS);
  }

  /** Looks whether tmux is there and new enough. Starts nothing. Rejects with `TmuxUnavailable`. */
  static async find({ folder: place, clock }: TmuxOptions): Promise<TmuxServer> {
    const folder = resolve(place);
    const socket = tmuxSocket(folder);
    const length = Buffer.byteLength(socket);
    if (length > MAX_SOCKET_PATH) {
      throw new TmuxUnavailable(
        `The path of the tmux socket must be at most ${MAX_SOCKET_PATH} bytes, ${socket} has ${length}. Choose a shorter runtime folder.`,
      );
    }
    const program = await findTmux();
    const server = new TmuxServer(new TmuxClient(folder, socket, program), clock);
    try {
      await requirePrivateFolder(folder);
      await requirePrivateFolder(server.#logs);
      await replaceFile(join(folder, WRITER_FILE), WRITER_SCRIPT, 0o600);
      await replaceFile(join(folder, KEEPER_FILE), KEEPER_SCRIPT, 0o600);
    } catch (error) {
      throw new TmuxUnavailable(
        `The folder of the tmux sessions cannot be used: ${reasonOf(error)}`,
        {
          cause: error,
        },
      );
    }
    return server;
  }

  /** Starts a program in a session of its own; resolves once it runs. Its output is kept from the first byte. Rejects in
   * words. */
  async start(id: string, launch: TmuxLaunch): Promise<TmuxSession> {
    requireId(id);
    checkLaunch(launch);
    const places = new SessionPlaces(this.#logs, id);
    await mkdir(places.folder, { mode: 0o700 }).catch((error: unknown) => {
      if (errorCode(error) !== "EEXIST") throw error;
      throw new Error(`there is a session ${id} already`, { cause: error });
    });
    try {
      const mark = randomBytes(16).toString("hex");
      await writeFile(places.launch, launchScript(launch), { mode: 0o600, flag: "wx" });
      await writeFile(places.mark, `${mark}\n`, { mode: 0o600, flag: "wx" });
      const state = await this.#inTurn(() => this.#begin(id, launch));
      const { historyBytes } = launch;
      const facts = factsOf(state, { pid: await this.#begun(places), mark, historyBytes });
      await writeFacts(places, facts);
      return this.#session(places, id, facts);
    } catch (error) {
      await this.#client.ask(["kill-session", "-t", sessionTarget(id)]).catch(() => {});
      await rm(places.folder, { recursive: true, force: true, maxRetries: 3 });
      throw error;
    }
  }

  /** The ids of all sessions, also of those whose program has ended and of those that are gone but for their output. */
  async list(): Promise<string[]> {
    const there = await this.#client
      .ask(["list-sessions", "-F", "#{session_name}"])
      .catch((error: unknown) => {
        if (error instanceof TmuxFailure && error.kind === "gone") return Buffer.alloc(0);
        throw error;
      });
    const kept = await readdir(this.#logs);
    const ids = new Set([...there.toString("utf8").split("\n"), ...kept].filter(isSessionId));
    return [...ids].sort();
  }

  /** Takes over a session that an earlier host started. Rejects where there is none of that id, and where its server does
   * not answer. */
  async adopt(id: string): Promise<TmuxSession> {
    requireId(id);
    const places = new SessionPlaces(this.#logs, id);
    const known = readFacts(places);
    const state = await askState(this.#client, id, known?.pane).catch((error: unknown) => {
      if (error instanceof TmuxFailure && error.kind === "gone") return undefined;
      throw error;
    });
    const facts = state === undefined ? known : factsOf(state, known ?? noted(places));
    if (facts === undefined) throw new Error(`there is no tmux session ${id}`);
    await mkdir(places.folder, { mode: 0o700, recursive: true });
    return this.#session(places, id, facts);
  }

  /** Ends this host's part: its watches and readers. Sessions live on. */
  release(): void {
    for (const pty of [...this.#connected]) pty.release();
    this.#client.release();
  }

  #session(places: SessionPlaces, id: string, facts: Facts): TmuxSession {
    return new Session({
      pane: new Pane(this.#client, id, facts.pane),
      places,
      facts,
      clock: this.#clock,
      connected: (pty) => void this.#connected.add(pty),
      released: (pty) => void this.#connected.delete(pty),
    });
  }

  /** A server that has just lost its last session ends while it is asked; the next one is another. */
  async #begin(id: string, launch: TmuxLaunch): Promise<SessionState> {
    const commands = startCommands(id, launch);
    const said = await this.#client.begin(commands).catch((error: unknown) => {
      if (error instanceof TmuxFailure && error.kind === "gone") {
        return this.#client.begin(commands);
      }
      throw error;
    });
    const state = stateOf(said.toString("utf8"), id);
    if (state === undefined) throw new Error("tmux did not start the session");
    return state;
  }

  /** The program's process, once it is there. */
  async #begun(places: SessionPlaces): Promise<number> {
    const until = this.#clock.monotonic() + BEGIN_MS;
    for (;;) {
      const pid = Number(places.note("pid"));
      if (pid > 0) return pid;
      if (this.#clock.monotonic() >= until) {
        throw new Error("the program could not be started in a tmux session");
      }
      await new Promise<void>((resolve) => void this.#clock.schedule(BEGIN_LOOK_MS, resolve));
    }
  }

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const next = this.#last.then(task);
    this.#last = next.catch(() => {});
    return next;
  }
}

/** How long a program may take to begin once its session is there, and how often that is looked at, in milliseconds. */
const BEGIN_MS = 10_000;
const BEGIN_LOOK_MS = 2;

/** What is known of a session whose host ended before it had written more down. */
function noted(places: SessionPlaces): Known {
  return {
    pid: Number(places.note("pid")),
    mark: places.note("mark")?.trim() || "no mark",
    historyBytes: 8 * 1024 * 1024,
  };
}

function requireId(id: string): void {
  if (isSessionId(id)) return;
  const shown = JSON.stringify(id.slice(0, 200));
  throw new Error(
    `the id of a tmux session must be 1 to 128 letters, digits, "-" and "_" and begin with a letter or digit, got ${shown}`,
  );
}
