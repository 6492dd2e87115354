/** What a document may do beside showing text: load its own files and connect to where it came from. The host is spelled out
 * too, since not every browser takes `'self'` for a WebSocket; it has passed the list of hosts. */
const policy = (host: string, more: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src 'self' ws://${host} wss://${host}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...more,
  ].join("; ");

/** The list never makes markup of text. */
export const listPolicy = (host: string): string =>
  policy(host, ["require-trusted-types-for 'script'"]);

/** xterm.js writes the sizes and colours of its cells into style elements of its own: without that, text that is drawn
 * without WebGL cannot be seen. A style can neither load anything here nor run anything. */
export const terminalPolicy = (host: string): string =>
  policy(host, ["style-src-elem 'self' 'unsafe-inline'"]);

/** What every answer says: it is not to be kept, guessed about, framed, or told to others. */
export const COMMON_HEADERS = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

/** What every document says beside that. */
export const DOCUMENT_HEADERS = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy":
    "clipboard-read=(self), clipboard-write=(self), camera=(), geolocation=(), microphone=()",
} as const;
