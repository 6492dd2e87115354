/** How much may wait to be sent to a viewer, in bytes, before it is given up: output stops at the window, and what else there
 * is to tell is little. */
export const MAX_WAITING_BYTES = 1024 * 1024;

/** How long a terminal may take to be reached, in milliseconds: its row is found, and its manager asked, within some
 * seconds each. Nothing is read of the peer meanwhile. */
export const OPEN_MS = 15_000;

/** How long a terminal may take nothing of what is typed, in milliseconds, before the view of it ends. A program that reads
 * nothing is no reason: its manager says so at once. */
export const BLOCKED_MS = 30_000;

/** How long a request of a viewer may be, in bytes: none of them has more than a few numbers in it. */
export const MAX_REQUEST_BYTES = 4096;
