import { existsSync } from "node:fs";
import { reasonOf } from "../../../files/reason.ts";
import type { Cancel } from "../../../time/clock.ts";
import { within } from "../../../time/within.ts";
import type { Begun } from "../../begun.ts";
import type { Host } from "../../host.ts";
import type { SandboxCommandLine } from "../../sandbox/command-line.ts";
import { isConfined } from "../../sandbox/enter.ts";
import type { Terminal } from "../../terminal.ts";
import type { TmuxServer } from "../../tmux/tmux.ts";
import { HISTORY_BYTES } from "../limits.ts";
import type { Launched, SavedSession } from "../session.ts";
import { CHANNEL_SESSION, type Sessions } from "../sessions.ts";
import type { DurablePlaces } from "./places.ts";
import { type ReadRecord, readRecord, type SessionRecord } from "./record.ts";
import { cwdOf, rootOf } from "./root.ts";
import { isDurableId, type RecordStore } from "./store.ts";

/** How long clients of a new host wait for it to take sessions over, in milliseconds. What takes longer goes on. */
const WAIT_MS = 5_000;

/** When what could not be taken over is tried again, in milliseconds. */
const AGAIN_MS = 30_000;

export interface AdoptionParts {
  readonly host: Host;
  readonly sessions: Sessions;
  readonly places: DurablePlaces;
  readonly store: RecordStore;
  server(): Promise<TmuxServer>;
  /** Whether this host is about to start the session itself. */
  isStarting(id: string): boolean;
}

/** Takes over sessions that earlier hosts have begun. */
export class Adoption {
  readonly #parts: AdoptionParts;
  /** What was told last of what cannot be done. */
  #told = "";
  #again: Cancel | undefined;

  constructor(parts: AdoptionParts) {
    this.#parts = parts;
  }

  /** Resolves when all are there that can be, with the output that an earlier host has told of, or that takes too long. Never
   * rejects: what cannot be told is not gone. */
  run(): Promise<void> {
    return within(this.#parts.host.clock, WAIT_MS, this.#run());
  }

  async #run(): Promise<void> {
    const { clock } = this.#parts.host;
    try {
      const adopted = await this.#adoptAll();
      this.#told = "";
      await Promise.all(adopted.map(caughtUp));
    } catch (error) {
      const why = reasonOf(error);
      if (why !== this.#told) {
        this.#parts.places.warn(`sessions of earlier hosts cannot be taken over now: ${why}`);
      }
      this.#told = why;
      this.#again = clock.schedule(AGAIN_MS, () => void this.run());
    }
  }

  stop(): void {
    this.#again?.();
  }

  /** Rejects where some of them cannot be taken over; the others are, then. */
  async #adoptAll(): Promise<Adopted[]> {
    const { store, places, server: find } = this.#parts;
    const records = await store.all();
    // Nothing is asked where there never was one.
    if (records.size === 0 && !existsSync(places.tmux)) return [];
    const server = await find();
    const ids = new Set((await server.list()).filter(isDurableId));
    const tried = await Promise.allSettled(
      [...ids].filter((id) => this.#isNew(id)).map((id) => this.#adopt(id, server, records)),
    );
    for (const id of records.keys()) if (!ids.has(id) && this.#isNew(id)) await this.#forget(id);
    const failed = tried.find((one) => one.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    return tried.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  }

  #isNew(id: string): boolean {
    const { host, isStarting } = this.#parts;
    return !isStarting(id) && host.terminals.get(id) === undefined;
  }

  /** Neither its session is there nor any of its output: it was closed, or never begun. */
  async #forget(id: string): Promise<void> {
    await this.#parts.store.remove(id);
    this.#parts.places.warn(`the session ${id} is forgotten: it is not there any more`);
  }

  async #adopt(
    id: string,
    server: TmuxServer,
    records: ReadonlyMap<string, string | undefined>,
  ): Promise<Adopted> {
    const { warn } = this.#parts.places;
    const record = readRecord(records.get(id) ?? "");
    if (record.isDamaged) {
      const left = record.session === undefined ? "" : "monitors of the ";
      warn(`the ${left}session ${id} cannot be made out of what is written down`);
    }
    const begun = await server.adopt(id);
    const terminal = this.#open(id, begun, record.session);
    this.#add(terminal, record);
    const { end = 0, is_ended = false } = record.session ?? {};
    return { terminal, end, isEnded: is_ended };
  }

  #open(id: string, begun: Begun, record: SessionRecord | undefined): Terminal {
    const { host, places } = this.#parts;
    const { table } = places;
    const now = host.clock.now();
    const [file = "?", ...args] = record?.exec ?? [];
    const sandbox = sandboxOf(record, begun);
    const root = rootOf(begun, record, { table, now });
    const terminal = host.adopt(
      {
        id,
        sessionId: CHANNEL_SESSION,
        index: record?.index ?? 1,
        ...(record?.name ? { name: record.name } : {}),
        isAgents: true,
        command: [file, ...args],
        ...(sandbox === undefined ? {} : { sandbox }),
        cwd: record?.cwd ?? cwdOf(root, table),
        environmentName: null,
        ...begun.size,
        historyBytes: HISTORY_BYTES,
        adopted: {
          createdAt: record?.created_at_ms ?? now,
          root,
          primer: record?.primer,
          end: record?.end,
        },
      },
      begun,
    );
    host.cursors.move(terminal, record?.channel_offset ?? 0);
    return terminal;
  }

  #add(terminal: Terminal, { session: record, monitors }: ReadRecord): void {
    const { host, sessions, places } = this.#parts;
    const launched: Launched = {
      workspaceRoot: record?.workspace_root ?? terminal.options.cwd,
      cwd: terminal.options.cwd,
      shell: record?.shell ?? "",
      command: record?.command ?? null,
      sandbox: terminal.options.sandbox,
    };
    const saved: SavedSession = {
      readOffset: record?.read_offset ?? 0,
      end: record?.end ?? 0,
      outputAt: record?.output_at_ms ?? host.clock.now(),
    };
    try {
      sessions.add(terminal, launched, { ...saved, monitors });
    } catch (error) {
      const { id } = terminal.options;
      places.warn(`the monitors of the session ${id} are left out: ${reasonOf(error)}`);
      sessions.add(terminal, launched, saved);
    }
  }
}

/** Where nothing can be made out of what is written down, the process tells whether it is confined: what is run for the
 * session is to be so as well. */
function sandboxOf(
  record: SessionRecord | undefined,
  { pid }: Begun,
): SandboxCommandLine | undefined {
  if (record === undefined) return isConfined(pid) ? ["bwrap"] : undefined;
  const [file, ...args] = record.sandbox ?? [];
  return file === undefined ? undefined : [file, ...args];
}

interface Adopted {
  readonly terminal: Terminal;
  /** The end of the output and whether it was the last, as an earlier host has told. */
  readonly end: number;
  readonly isEnded: boolean;
}

/** Resolves when everything is there that was told of. */
function caughtUp({ terminal, end, isEnded }: Adopted): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (terminal.state === "running" && (isEnded || terminal.ring.end < end)) return;
      unlisten();
      resolve();
    };
    const unlisten = terminal.output.on(look);
    look();
  });
}
