import type { ProcessTable } from "../../../processes/types.ts";

/** Where sessions that outlive a host are kept. */
export interface DurablePlaces {
  /** The tmux server's folder, and the one of what is written down. Both are the host's, closed to others. */
  readonly tmux: string;
  readonly records: string;
  readonly table: ProcessTable;
  /** Tells whoever keeps the host, in words that hold nothing of a terminal's. */
  warn(message: string): void;
}
