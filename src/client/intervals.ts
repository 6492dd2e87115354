/** How long an answer to a ping is waited for, and how long dialing and greeting may take together. */
export const ANSWER_MS = 10_000;

/** How long an answer is waited for after `wake`, when the connection is likely to be gone. */
export const WAKE_ANSWER_MS = 3_000;

/** How long a subscribe request may take. Its answer waits for a reading of every source, and a source has
 * seconds to fail in. */
export const SUBSCRIBE_MS = 30_000;

/** After how much quiet a missed frame counts as the first one again. Sooner ones are put off more and more,
 * so that a publisher that breaks its own chain is not asked for snapshots without end. */
export const HOLE_QUIET_MS = 30_000;

/** How much the rows of a subscription may take: some 100 000 terminals. It keeps a publisher gone wrong from
 * filling its readers' memory. */
export const HELD_BYTES = 128 * 1_048_576;
