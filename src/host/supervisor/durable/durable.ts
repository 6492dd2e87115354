import { reasonOf } from "../../../files/reason.ts";
import type { Begin } from "../../begun.ts";
import type { Host, OpenRequest } from "../../host.ts";
import { Signal } from "../../signal.ts";
import type { Terminal } from "../../terminal.ts";
import { TmuxServer, TmuxUnavailable } from "../../tmux/tmux.ts";
import { OperationError } from "../errors.ts";
import type { Launched, Session } from "../session.ts";
import type { Sessions } from "../sessions.ts";
import { Adoption } from "./adoption.ts";
import { Keeper } from "./keeper.ts";
import type { DurablePlaces } from "./places.ts";
import { RecordStore } from "./store.ts";
import { announcedText, sessionText } from "./written.ts";

/** How long what was written last may be behind the output, in milliseconds and as a part of what is kept: what monitors
 * have seen must still be there when the next host goes on from it. */
const OUTPUT_MS = 1_000;
const OUTPUT_PART = 1 / 8;

/** The sessions that outlive a host: they run in a tmux server of its own, and what is known of them is on disk before it is
 * told to anybody. */
export class DurableSessions {
  /** Whether the host is needed may be another. */
  readonly changed = new Signal();
  readonly #host: Host;
  readonly #sessions: Sessions;
  readonly #places: DurablePlaces;
  readonly #store: RecordStore;
  readonly #adoption: Adoption;
  readonly #keepers = new Map<string, Keeper>();
  /** Up to where the output was when each was written. */
  readonly #written = new Map<string, number>();
  /** Those that are about to be there. */
  readonly #starting = new Set<string>();
  /** What is being taken away. */
  readonly #removing = new Map<string, Promise<void>>();
  #server: Promise<TmuxServer> | undefined;

  constructor(host: Host, sessions: Sessions, places: DurablePlaces) {
    this.#host = host;
    this.#sessions = sessions;
    this.#places = places;
    this.#store = new RecordStore(places.records);
    this.#adoption = new Adoption({
      host,
      sessions,
      places,
      store: this.#store,
      server: () => this.#find(),
      isStarting: (id) => this.#starting.has(id),
    });
    sessions.added.on((session) => {
      if (session.terminal.isDurable) this.#keep(session);
    });
    host.cursors.moved.on((terminal) => this.#keepers.get(terminal.options.id)?.touch());
    host.terminals.changed.on((terminal) => this.#changed(terminal));
  }

  /** How many are about to be there. */
  get starting(): number {
    return this.#starting.size;
  }

  /** Whether somebody has to be there for them: the sessions run on without, their monitors do not. */
  get needHost(): boolean {
    if (this.#starting.size > 0) return true;
    return this.#sessions.all.some(
      ({ terminal, monitors }) => terminal.isDurable && monitors.activeCount > 0,
    );
  }

  /** Throws an OperationError where this machine has no tmux for them. */
  async requireSupported(): Promise<void> {
    try {
      await this.#find();
    } catch (error) {
      if (!(error instanceof TmuxUnavailable)) throw error;
      throw new OperationError("unsupported_host", error.message);
    }
  }

  /** Starts one. Rejects with words for people. */
  async open(
    request: OpenRequest & { readonly id: string },
    launched: Launched,
  ): Promise<Terminal> {
    const { id, exec = [] } = request;
    const server = await this.#find();
    const begin: Begin = (launch) => server.start(id, launch);
    this.#starting.add(id);
    try {
      await this.#store.write(id, announcedText(launched, exec, this.#host.clock.now()));
      return await this.#host.open(request, begin);
    } catch (error) {
      await this.#store.remove(id).catch(() => {});
      throw error;
    } finally {
      this.#starting.delete(id);
    }
  }

  /** Takes over those of earlier hosts. What cannot be taken over now stays as it is, and is tried again. */
  adopt(): Promise<void> {
    return this.#adoption.run();
  }

  /** Resolves when what has been done with a session is on disk. */
  async settle(id: string): Promise<void> {
    await this.#removing.get(id);
    const keeper = this.#keepers.get(id);
    const end = this.#host.terminals.get(id)?.ring.end;
    // No answer may be ahead of what is known later.
    if (this.#written.get(id) !== end) keeper?.touch();
    await keeper?.settle();
  }

  /** Resolves when everything is on disk, and lets go of the server. */
  async release(): Promise<void> {
    this.#adoption.stop();
    await Promise.all([...this.#keepers.keys()].map((id) => this.settle(id)));
    const server = await this.#server?.catch(() => undefined);
    server?.release();
  }

  /** One that is not there may be installed at any time. */
  #find(): Promise<TmuxServer> {
    const { clock } = this.#host;
    this.#server ??= TmuxServer.find({ folder: this.#places.tmux, clock }).catch((error) => {
      this.#server = undefined;
      throw error;
    });
    return this.#server;
  }

  #keep(session: Session): void {
    const { id, terminal } = session;
    const { clock, cursors } = this.#host;
    const { ring } = terminal;
    let isFailing = false;
    const keeper = new Keeper({
      clock,
      text: () => {
        this.#written.set(id, ring.end);
        const outputAt = clock.now() + session.outputAt - clock.monotonic();
        return sessionText(session, cursors, Math.round(outputAt));
      },
      write: async (text) => {
        await this.#store.write(id, text);
        isFailing = false;
      },
      failed: (error) => {
        if (!isFailing)
          this.#places.warn(`the session ${id} is not written down: ${reasonOf(error)}`);
        isFailing = true;
      },
    });
    this.#keepers.set(id, keeper);
    session.read.on(() => keeper.touch());
    session.monitors.changed.on(() => {
      keeper.touch();
      this.changed.emit();
    });
    terminal.output.on(() => {
      const behind = ring.end - (this.#written.get(id) ?? 0);
      keeper.touch(behind > ring.limit * OUTPUT_PART ? 0 : OUTPUT_MS);
    });
    keeper.touch();
  }

  #changed(terminal: Terminal): void {
    const { id } = terminal.options;
    const keeper = this.#keepers.get(id);
    if (keeper === undefined) return;
    if (terminal.state !== "closed") {
      keeper.touch();
      return;
    }
    this.#keepers.delete(id);
    this.#written.delete(id);
    const removing = this.#remove(id, keeper).finally(() => this.#removing.delete(id));
    this.#removing.set(id, removing);
  }

  /** Whoever finds it without its session takes it away as well. */
  async #remove(id: string, keeper: Keeper): Promise<void> {
    await keeper.stop();
    await this.#store.remove(id).catch((error: unknown) => {
      this.#places.warn(
        `what is written down of the closed session ${id} stays: ${reasonOf(error)}`,
      );
    });
  }
}
