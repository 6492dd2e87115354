/** How often an instance writes that it is there, in milliseconds. Readers of the contract know it: HEARTBEAT_MS there. */
export { HEARTBEAT_MS, LEASE_MS } from "../contract/instances.ts";

/** How much later than due a heartbeat may come before what its instance stated counts as out of date, in milliseconds. */
export const STALE_MARGIN_MS = 2_500;

/** The shortest time between two writes of one key, in milliseconds: 20 a second. */
export const WRITE_PERIOD_MS = 50;

/** How long a subscriber waits for the first readings of other instances, in milliseconds. */
export const FIRST_READING_MS = 1_000;

/** How long the bus may take to answer, in milliseconds. */
export const ANSWER_MS = 2_000;

/** How soon a connection that could not be made or was refused is tried again, in milliseconds, doubling up to the latter. */
export const RETRY_MS = 500;
export const MAX_RETRY_MS = 10_000;

/** After how long a value that is not written again is thrown away by the bus, in milliseconds. Far beyond a lease, so that it
 * never decides which instance is alive. */
export const MAX_AGE_MS = 60_000;

/** How many versions of a key the bus keeps. With one, a key that is rewritten while a watch begins may be missed by it. */
export const HISTORY = 2;

/** The longest value that is written as one, compressed, in bytes: half of what a nats-server takes in one message unless it is
 * told otherwise. */
export const PART_BYTES = 524_288;

/** How many parts a value may have. */
export const MAX_PARTS = 64;

/** The longest value once it is decompressed, in bytes. */
export const MAX_VALUE_BYTES = 32 * 1_048_576;

/** How many instances are listed at most. Those beyond are refused and counted. */
export const MAX_INSTANCES = 5_000;
