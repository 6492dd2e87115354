/** How many monitors one session has at most. */
export const MAX_MONITORS = 32;

/** How many events of one session are kept: the oldest go first. */
export const MAX_EVENTS = 1_024;

/** How many events one page of an inspection has at most. */
export const MAX_PAGE_EVENTS = 256;

/** The shortest and the longest time between two checks or two notifications, and of silence, in milliseconds: 24 hours. */
export const MIN_INTERVAL_MS = 10;
export const MAX_INTERVAL_MS = 24 * 60 * 60 * 1_000;

/** How long a monitor may live, in milliseconds: 365 days. */
export const MAX_LIFETIME_MS = 365 * 24 * 60 * 60 * 1_000;

/** The most checks that one notification may stand for. */
export const MAX_CHECKS = 1_000_000;

/** How long texts may be, in bytes of UTF-8. */
export const MAX_PATTERN_BYTES = 256;
export const MAX_PLACE_BYTES = 4_096;
export const MAX_COMMAND_BYTES = 64 * 1024;

/** How many probes of all sessions are under way at once, with those that have turned out to be slow. */
export const MAX_PROBES = 64;

/** How long one probe may take, whatever it does, in milliseconds. */
export const PROBE_LIMIT_MS = 2_000;

/** How much a probe reads of what it is answered, in bytes. */
export const PROBE_ANSWER_BYTES = 16 * 1024;

/** How many addresses of a name are tried, and how long each has to accept a connection, in milliseconds. */
export const MAX_ADDRESSES = 4;
export const CONNECT_LIMIT_MS = 250;

/** How long an HTTP server may say nothing, in milliseconds. */
export const HTTP_SILENCE_MS = 500;
