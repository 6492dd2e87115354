import { resolve } from "node:path";
import { UsageError } from "./failure.ts";

export const DEFAULT_HOST = "127.0.0.1";
export const DEFAULT_PORT = 7117;

/** The sources of terminals by name, which is the scheme of their ids. */
export const SOURCE_NAMES = ["tmux"] as const;
export type SourceName = (typeof SOURCE_NAMES)[number];

/** From everything to nothing, as pino names them. */
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Which terminals are looked for. */
export interface InventoryOptions {
  /** Absent: all sources. */
  readonly source?: readonly SourceName[];
  /** Absolute paths. Absent: every tmux server of the user. */
  readonly tmuxSocket?: readonly string[];
}

/** Which publisher is asked. Absent: the one of the state folder. */
export interface PublisherOptions {
  readonly url?: PublisherAddress;
  readonly tokenFile?: string;
}

/** A publisher's endpoint, and the token where the address held one. */
export interface PublisherAddress {
  readonly endpoint: string;
  readonly token?: string;
}

/** What repeated options are collected with. */
export const collect =
  <T>(read: (text: string) => T) =>
  (text: string, before: readonly T[] = []): readonly T[] => [...before, read(text)];

export function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new UsageError(`--port must be an integer from 0 to 65535, got "${text}"`);
}

export const readSource = (text: string): SourceName =>
  oneOf(SOURCE_NAMES, "--source", "the name of a source", text);

export const readLogLevel = (text: string): LogLevel =>
  oneOf(LOG_LEVELS, "--log-level", "a level", text);

function oneOf<T extends string>(
  known: readonly T[],
  option: string,
  what: string,
  text: string,
): T {
  const found = known.find((one) => one === text);
  if (found !== undefined) return found;
  throw new UsageError(`${option} must be ${what} (${known.join(", ")}), got "${text}"`);
}

export function readPath(option: string): (text: string) => string {
  return (text) => {
    if (text !== "") return resolve(text);
    throw new UsageError(`${option} must be a path, got ""`);
  };
}

/** A name that a `Host` header may hold, without a port. */
export function readHostName(text: string): string {
  if (/^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)$/i.test(text)) return text;
  throw new UsageError(`--allow-host must be a host's name without a port, got "${text}"`);
}

export function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  // An origin with a path, a query or a fragment is longer than itself.
  if (url !== undefined && isWeb && url.href === `${url.origin}/`) return url.origin;
  throw new UsageError(`--allow-origin must be an origin such as https://name:8443, got "${text}"`);
}

/** An endpoint, or the address of a page there as `termtopic url` prints it. */
export function readAddress(text: string): PublisherAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== "") {
    const got = text.replace(/#.*/s, "");
    throw new UsageError(
      `--url must be an http or https address such as http://127.0.0.1:${DEFAULT_PORT}/, got "${got}"`,
    );
  }
  const token = /^#token=(.+)$/.exec(url.hash)?.[1];
  const path = url.pathname.endsWith("/") ? url.pathname : `${url.pathname}/`;
  return { endpoint: `${url.origin}${path}`, ...(token === undefined ? {} : { token }) };
}
