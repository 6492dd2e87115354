/** How much may wait to be sent to a viewer, in bytes, before it is given up: output stops at the window, and what else there
 * is to tell is little. */
export const MAX_WAITING_BYTES = 1024 * 1024;
