/** The versions of the dialect that are spoken here. */
export const PROTOCOL_MINIMUM = 6;
export const PROTOCOL_CURRENT = 6;

/** What a side can do, as bits. Frames of JSON are a must on both sides. */
export const CAPABILITY_FRAMED_JSON = 1;
export const CAPABILITY_TERMINAL_SESSIONS = 2;
export const CAPABILITY_CANCELLATION = 4;
export const CAPABILITY_TERMINAL_MONITORS = 8;

/** The longest payload of a frame, in bytes; the shortest is 1. */
export const MAXIMUM_FRAME_BYTES = 1024 * 1024;

/** How many values a request may hold: JSON of nothing but empty lists takes fifty times as long as text of its size. */
export const MAX_REQUEST_PARTS = 20_000;

/** How many operations of one connection may be under way at once. */
export const MAX_OPERATIONS = 32;

/** How many sessions there may be at once, ended ones that are not closed among them. */
export const MAX_SESSIONS = 32;

/** How much output of a session is kept, in bytes. */
export const HISTORY_BYTES = 8 * 1024 * 1024;

/** How much output one `read` answers, in bytes. A control character takes 6 bytes in `structured` and 7 in the text of
 * `content`: also a page of nothing else leaves room in its frame for the session's facts. */
export const READ_PAGE_BYTES = 64 * 1024;

/** The longest texts, in bytes. */
export const MAX_COMMAND_BYTES = 64 * 1024;
export const MAX_ARGUMENTS_BYTES = 64 * 1024;
export const MAX_ARGUMENTS = 64;
export const MAX_PROFILE_BYTES = 64 * 1024;
/** PATH_MAX of Linux, with its NUL. */
export const MAX_PATH_BYTES = 4_095;
export const MAX_PATTERN_BYTES = 4_096;
export const MAX_TEXT_BYTES = 64 * 1024;
/** Keys and controls of one `write`. */
export const MAX_KEYS = 4_096;

/** The largest screen. */
export const MAX_ACROSS = 4_096;
export const MAX_CELLS = 262_144;

export const MAX_INITIAL_MONITORS = 32;
export const MAX_INSPECTED_EVENTS = 256;

/** How long a closed session's last events can be inspected, in milliseconds, and of how many sessions at most. */
export const TOMBSTONE_MS = 10 * 60_000;
export const MAX_TOMBSTONES = 64;
