import type { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { hostClaim, type RunningHost } from "../../inventory/host/claim.ts";
import { type Claim, claim } from "../../processes/claim.ts";
import type { ProcessTable } from "../../processes/types.ts";
import type { Cancel, Clock } from "../../time/clock.ts";
import { within } from "../../time/within.ts";
import { IDLE_MS, Idle } from "./idle.ts";
import { type HostPlaces, requireHostFolders } from "./places.ts";
import { HostSockets } from "./sockets.ts";

/** How often it is looked whether the host can still be found, in milliseconds. */
const REPAIR_MS = 30_000;

/** Turns of the event loop within which everybody is accepted who connected before the names went. */
const ACCEPTING_TURNS = 3;

/** How long after the work was done the peers may take to read what they were sent last, in milliseconds. */
const CLOSING_MS = 2_000;

/** What the process needs to know of its terminals. */
export interface KeptTerminals {
  /** Those for which a host has to be there: that run or have ended, are not closed, and do not go on without it. */
  readonly all: readonly unknown[];
  /** Calls the listener when one came or went, until the answer is called. */
  readonly changed: { on(listener: () => void): () => void };
  /** Takes over those of earlier hosts, once this one is the host and before anybody can connect. Absent: there are none. */
  adopt?(): Promise<void>;
  /** Ends what runs in them, and takes them away, but for what goes on without a host. */
  closeAll(): Promise<void>;
}

/** How one kind of client is served. */
export interface HostFace {
  accept(socket: Socket): void;
  /** Says to one that comes beyond the limit of connections why it is not served. */
  refusal(why: string): Uint8Array;
  /** Tells those who are connected that the host ends, and closes them. */
  close(): Promise<void>;
}

export interface HostProcessOptions {
  readonly places: HostPlaces;
  readonly table: ProcessTable;
  readonly clock: Clock;
  /** The build. */
  readonly version: string;
  readonly terminals: KeptTerminals;
  readonly topics: HostFace;
  readonly channel: HostFace;
  readonly supervisor: HostFace;
  /** Default IDLE_MS. */
  readonly idleMs?: number | undefined;
  readonly maxConnections?: number;
  /** Something went wrong and was coped with. */
  readonly failed: (error: unknown) => void;
}

/** Another host runs already. */
class HostTaken extends Error {
  override readonly name = "HostTaken";
  readonly holder: RunningHost;

  constructor(folder: string, holder: RunningHost) {
    super(
      `a terminal host runs in ${folder} already: pid ${holder.pid}; use that one, or name another folder with TERMTOPIC_RUNTIME_DIR`,
    );
    this.holder = holder;
  }
}

/** A host that listens. */
export interface HostProcess {
  /** Resolves once it has ended, of itself or by `end`. */
  readonly ended: Promise<void>;
  /** Closes every terminal, then every connection. Calling it again waits for the same end. */
  end(): Promise<void>;
  /** Makes the host findable again where somebody took its sockets or its claim away. */
  repair(): Promise<void>;
}

/** Becomes the host of a runtime folder and listens. Throws `HostTaken` where another one is, and in words where the
 * folder is not ours alone. It ends itself once it has had neither terminals nor connections for `idleMs`. */
export async function runHostProcess(options: HostProcessOptions): Promise<HostProcess> {
  const { places } = options;
  await requireHostFolders(places);
  const claimed = await claimHost(options);
  if (!("state" in claimed)) throw new HostTaken(places.folder, claimed);
  const host = new Running(options);
  await host.open(claimed);
  return host;
}

async function claimHost({
  places,
  table,
}: HostProcessOptions): Promise<Claim<HostPlacesSaid> | RunningHost> {
  const { claim: ours, holder } = await claim<HostPlacesSaid>(hostClaim(places.folder, table));
  return ours ?? holder;
}

type HostPlacesSaid = Required<Pick<RunningHost, "version" | "topics" | "channel" | "supervisor">>;

class Running implements HostProcess {
  readonly ended: Promise<void>;
  readonly #options: HostProcessOptions;
  readonly #sockets: HostSockets;
  readonly #idle: Idle;
  readonly #unlisten: () => void;
  #repairAt: Cancel | undefined;
  #ending: Promise<void> | undefined;
  #resolve = () => {};

  constructor(options: HostProcessOptions) {
    const { places, clock, terminals, failed, idleMs = IDLE_MS } = options;
    this.#options = options;
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#sockets = new HostSockets({
      clock,
      sockets: [
        { path: places.topics, allowHalfOpen: true, ...served(options.topics) },
        { path: places.channel, allowHalfOpen: false, ...served(options.channel) },
        { path: places.supervisor, allowHalfOpen: true, ...served(options.supervisor) },
      ],
      maxConnections: options.maxConnections,
      changed: () => this.#idle.look(),
      failed,
    });
    this.#idle = new Idle({
      clock,
      afterMs: idleMs,
      isIdle: () => this.#ending === undefined && this.#isUnused(),
      end: () => void this.#leave().catch(failed),
    });
    this.#unlisten = terminals.changed.on(() => this.#idle.look());
  }

  async open(claimed: Claim<HostPlacesSaid>): Promise<void> {
    const { terminals, failed } = this.#options;
    try {
      await terminals.adopt?.().catch(failed);
      await this.#sockets.open();
      await this.#say(claimed);
    } catch (error) {
      await this.#sockets.close();
      this.#unlisten();
      throw error;
    }
    this.#repairLater();
    this.#idle.look();
  }

  end(): Promise<void> {
    this.#ending ??= this.#end().finally(() => this.#resolve());
    return this.#ending;
  }

  async repair(): Promise<void> {
    if (this.#ending !== undefined) return;
    await requireHostFolders(this.#options.places);
    const claimed = await claimHost(this.#options);
    // It is ours as before, or whoever took it up meanwhile keeps it.
    if ("state" in claimed) await this.#say(claimed);
    else if (claimed.pid !== process.pid) return;
    await this.#sockets.repair();
  }

  #isUnused(): boolean {
    return this.#options.terminals.all.length === 0 && this.#sockets.connections === 0;
  }

  #say(claimed: Claim<HostPlacesSaid>): Promise<void> {
    const { version, places } = this.#options;
    const { topics, channel, supervisor } = places;
    return claimed.state({ version, topics, channel, supervisor });
  }

  /** Ends, unless somebody came at the last moment: once the names are gone nobody can come any more, and who came
   * before is accepted within some turns. */
  async #leave(): Promise<void> {
    await this.#sockets.hide();
    for (let turns = 0; turns < ACCEPTING_TURNS; turns += 1) await turn();
    if (this.#ending !== undefined) return;
    if (this.#isUnused()) await this.end();
    else await this.#sockets.repair();
  }

  #repairLater(): void {
    const { clock, failed } = this.#options;
    this.#repairAt = clock.schedule(REPAIR_MS, () => {
      this.#repairLater();
      void this.repair().catch(failed);
    });
  }

  async #end(): Promise<void> {
    const { terminals, topics, channel, supervisor, failed, clock } = this.#options;
    this.#idle.stop();
    this.#repairAt?.();
    // One part that cannot be ended keeps no other.
    const step = (work: Promise<unknown>) => work.catch(failed);
    await step(this.#sockets.hide());
    await step(terminals.closeAll());
    this.#unlisten();
    const faces = [topics, channel, supervisor];
    const closed = Promise.all(faces.map((face) => step(face.close())));
    await within(clock, CLOSING_MS, closed);
    await step(this.#sockets.close());
  }
}

const served = (face: HostFace) => ({
  accept: (socket: Socket) => face.accept(socket),
  refusal: (why: string) => face.refusal(why),
});
