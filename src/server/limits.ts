/** WebSockets at most, over all addresses. */
export const MAX_CONNECTIONS = 4_096;

/** WebSockets at most from one address: behind a proxy, or on a host of one's own, everybody comes from one. */
export const MAX_CONNECTIONS_PER_ADDRESS = 2_048;

/** Sockets beside the WebSockets: requests for the page and for metrics, and upgrades on their way. */
export const SPARE_SOCKETS = 256;

// A request of ours is a line and some headers. Who takes longer for that is holding a socket.
export const HEADERS_TIMEOUT_MS = 10_000;
export const REQUEST_TIMEOUT_MS = 15_000;
export const KEEP_ALIVE_MS = 5_000;
export const MAX_HEADER_BYTES = 16 * 1024;
