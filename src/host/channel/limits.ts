/** Output that a viewer may have unacknowledged, in bytes: what an echo waits behind on a link of 5 Mbit/s is then under
 * half a second, and a fast reader still has several acknowledgements in flight. */
export const TERMINAL_OUTPUT_WINDOW = 256 * 1024;

/** How many bytes may wait for one connection before it is given up. */
export const MAX_BACKLOG = 8 * 1024 * 1024;

/** How much text a read gives, in UTF-16 units: its end. */
export const READ_TEXT_LIMIT = 256 * 1024;

/** The largest frame, in bytes: its kind and its body. */
export const MAX_FRAME = 16 * 1024 * 1024;

/** After how many consumed bytes a viewer acknowledges: four times in a window. */
export const ACKNOWLEDGE_BYTES = 64 * 1024;

/** The same for a viewer on a slow link, of which the host then has little on its way, so that what a key does shows at
 * once. */
export const SLOW_LINK_ACKNOWLEDGE_BYTES = 8 * 1024;

/** How much of a client's JSON the host reads in one frame, in bytes, and how many values may be in it. Input of 1 MiB,
 * all that a terminal takes at once, fits; JSON of one such frame is parsed in some milliseconds, where one of MAX_FRAME
 * would hold everybody up for half a second. */
export const MAX_REQUEST_BYTES = 2 * 1024 * 1024;
export const MAX_REQUEST_PARTS = 20_000;

/** The largest screen: its columns and rows, and its cells. A screen of more cells than a wall of displays shows would
 * take its memory for nothing. */
export const MAX_CELLS_ACROSS = 65_535;
export const MAX_CELLS = 262_144;

/** The longest wait, in milliseconds: what a timer holds (2^31 - 1). */
export const MAX_WAIT_MS = 2_147_483_647;
