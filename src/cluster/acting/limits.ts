import { LEASE_MS } from "../limits.ts";

/** How long the other side of a call or a view may say nothing, in milliseconds, before it counts as gone. */
export const SILENCE_MS = LEASE_MS;

/** How often it says that it is there while there is nothing else to say. */
export const ALIVE_MS = 5_000;

/** How long an instance may take to take up a call or a view, in milliseconds. */
export const TAKE_UP_MS = 5_000;

/** Views that the subscribers of one other instance may have of terminals here. */
export const MAX_VIEWS_OF_ONE = 256;

/** How much of what is typed may be on its way to another instance, in bytes, before whoever types is held up. */
export const TYPED_WINDOW_BYTES = 262_144;

/** How much output, or of what is typed, goes in one message, in bytes, where the bus takes as much. */
export const PIECE_BYTES = 65_536;

/** How long what is said beside those may be, in bytes: none of it has more than a title or a message in it. */
export const MAX_WORDS_BYTES = 65_536;

/** Calls of all other instances together that are under way here. Each of them has bounds of its own beside that. */
export const MAX_CALLS = 4_096;
