/** The subprotocol of the contract over WebSocket. The publisher selects it. */
const SUBPROTOCOL = "ccmsg.v1";

/** What RFC 9110 calls a token, of which a subprotocol's name is one. */
const TOKEN_CHARACTERS = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The WebSocket of a publisher: `<endpoint>ws`, with the scheme that sockets have. Throws a `TypeError`
 * where `endpoint` is no `http` or `https` base URL ending in `/`. */
export function socketAddress(endpoint: string): string {
  return `${socketBase(endpoint)}ws`;
}

/** Which terminal is viewed, and how. */
export interface ViewedAt {
  readonly id: string;
  readonly instance?: string;
  readonly readOnly?: boolean;
}

/** The WebSocket of a view of a terminal. Throws as `socketAddress` does. */
export function viewAddress(
  endpoint: string,
  { id, instance, readOnly = false }: ViewedAt,
): string {
  const query = [
    ...(instance === undefined ? [] : [`instance=${encodeURIComponent(instance)}`]),
    ...(readOnly ? ["read_only=true"] : []),
  ].join("&");
  const path = `${socketBase(endpoint)}terminals/${encodeURIComponent(id)}`;
  return query === "" ? path : `${path}?${query}`;
}

function socketBase(endpoint: string): string {
  if (!/^https?:\/\/[^/?#\s][^?#\s]*\/$/.test(endpoint)) {
    throw new TypeError(
      `\`endpoint\` must be an http or https URL that ends in "/", without query and fragment, got ${JSON.stringify(endpoint)}`,
    );
  }
  return `ws${endpoint.slice("http".length)}`;
}

/** The subprotocols to offer. A browser can set no header on a WebSocket, so the token travels as one of
 * them. Throws a `TypeError`, which does not show the token, where it cannot be one. */
export function subprotocols(token: string | undefined): string[] {
  if (token === undefined) return [SUBPROTOCOL];
  if (!TOKEN_CHARACTERS.test(token)) {
    throw new TypeError("`token` must be of letters, digits and !#$%&'*+.^_`|~-");
  }
  return [SUBPROTOCOL, `ccmsg.token.${token}`];
}
