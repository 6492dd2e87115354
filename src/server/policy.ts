/** What a document may do beside showing text: load its own files and connect to where it came from. It makes neither markup
 * nor code of text. The host is spelled out too, since not every browser takes `'self'` for a WebSocket; it has passed the
 * list of hosts. */
const policy = (host: string, more: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src 'self' ws://${host} wss://${host}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    ...more,
  ].join("; ");

export const listPolicy = (host: string): string => policy(host);

/** xterm.js writes the sizes and colours of its cells into style elements of its own: without that, text that is drawn
 * without WebGL cannot be seen. A style can neither load anything here nor run anything. */
export const terminalPolicy = (host: string): string =>
  policy(host, ["style-src-elem 'self' 'unsafe-inline'"]);

/** What every answer says: it is not to be kept, guessed about, framed, or told to others. Shown by itself, as a refusal or an
 * image may be, it loads and runs nothing. */
export const COMMON_HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

/** Copying and pasting, and nothing else that browsers ask a person for. Of notifications they ask in any case: no policy
 * knows them. */
const PERMISSIONS = [
  ...["clipboard-read", "clipboard-write"].map((feature) => `${feature}=(self)`),
  ...[
    ...[
      "accelerometer",
      "camera",
      "display-capture",
      "encrypted-media",
      "geolocation",
      "gyroscope",
    ],
    ...["hid", "idle-detection", "local-fonts", "magnetometer", "microphone", "midi", "payment"],
    ...["publickey-credentials-get", "screen-wake-lock", "serial", "usb", "xr-spatial-tracking"],
  ].map((feature) => `${feature}=()`),
].join(", ");

/** What every document says beside that. */
export const DOCUMENT_HEADERS = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": PERMISSIONS,
} as const;
