import type { ProcessTable } from "../../processes/types.ts";
import type { Clock } from "../../time/clock.ts";
import type { TerminalLimits } from "../terminal-limits.ts";
import type { HostPlaces } from "./places.ts";
import type { HostFace, KeptTerminals } from "./run.ts";
import type { ListedTerminals } from "./topic.ts";

/** What the core of a host is given by its process. */
export interface HostGround {
  readonly clock: Clock;
  readonly table: ProcessTable;
  /** The state folder. */
  readonly state: string;
  /** All folders of termtopic: its state and its sockets. */
  readonly own: readonly string[];
  /** The build. */
  readonly version: string;
  readonly limits: TerminalLimits;
  /** Where the host is, and what outlives it. */
  readonly places: HostPlaces;
  /** Tells whoever keeps the host. The message holds nothing of a terminal's. */
  warn(message: string): void;
  /** Somebody who may has asked the host to end. */
  end(): void;
}

/** The core of a host: its terminals, and how they are worked with. */
export interface HostCore {
  readonly terminals: KeptTerminals;
  /** Those that the host states in its topic. */
  readonly listed: ListedTerminals;
  readonly channel: HostFace;
  readonly supervisor: HostFace;
}

/** Makes the core. Rejects in words where terminals cannot be had on this machine. */
export type OpenCore = (ground: HostGround) => Promise<HostCore>;
