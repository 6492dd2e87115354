import { resolve } from "node:path";
import { HARNESSES, nameOf } from "../agents/names.ts";
import { HARNESS_COMMANDS } from "../contract/derivations.ts";
import { UsageError } from "./failure.ts";

export const DEFAULT_HOST = "127.0.0.1";
export const DEFAULT_PORT = 7117;

/** The sources of terminals by name. Each but `ttys`, whose terminals are `tty:`, is the scheme of its ids. */
export const SOURCE_NAMES = [
  "pty",
  "tmux",
  "hyoui",
  "screen",
  "zellij",
  "wezterm",
  "kitty",
  "ttys",
] as const;
export type SourceName = (typeof SOURCE_NAMES)[number];

/** From everything to nothing, as pino names them. */
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Which terminals and agents are looked for. */
export interface InventoryOptions {
  /** Where terminals are looked for. Absent: all sources. */
  readonly source?: readonly SourceName[];
  /** Absolute paths. Absent: every tmux server of the user. */
  readonly tmuxSocket?: readonly string[];
  /** Absolute paths of configuration folders of Claude Code, beside those that are in use. */
  readonly claudeHome?: readonly string[];
  /** Other publishers of this host whose agents are taken over. */
  readonly agentsFrom?: readonly AgentsFrom[];
  /** The absolute path of the token for those of them that are reached over WebSocket. */
  readonly agentsTokenFile?: string;
  /** Names of commands each of whose processes is a run of an agent, without a session. */
  readonly agentCommand?: readonly string[];
}

/** A publisher whose agents are taken over: where it is reached. */
export type AgentsFrom =
  | ({ readonly kind: "url" } & PublisherAddress)
  | { readonly kind: "socket"; readonly path: string };

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

/** A time in seconds that a person states, in milliseconds. */
export function readSeconds(option: string): (text: string) => number {
  return (text) => {
    const ms = /^\d{1,7}(?:\.\d{1,3})?$/.test(text) ? Math.round(Number(text) * 1_000) : 0;
    if (ms > 0) return ms;
    throw new UsageError(`${option} must be a number of seconds above 0, got "${text}"`);
  };
}

/** `tty` is what the ids of `ttys` begin with, as those of the others do with their names. */
export const readSource = (text: string): SourceName =>
  text === "tty" ? "ttys" : oneOf(SOURCE_NAMES, "--source", "the name of a source", text);

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

const ADDRESS = `an http or https address such as http://127.0.0.1:${DEFAULT_PORT}/`;

export function readAddress(text: string): PublisherAddress {
  const address = addressIn(text);
  if (address !== undefined) return address;
  throw new UsageError(`--url must be ${ADDRESS}, got "${withoutFragment(text)}"`);
}

/** A path is told from an address by how it begins or ends. */
export function readAgentsFrom(text: string): AgentsFrom {
  if (/^[./]|\.sock$/.test(text) && !/^https?:/.test(text)) {
    return { kind: "socket", path: resolve(text) };
  }
  const address = addressIn(text);
  if (address !== undefined) return { kind: "url", ...address };
  throw new UsageError(
    `--agents-from must be ${ADDRESS} or the path of a Unix socket, got "${withoutFragment(text)}"`,
  );
}

/** Throws where options of which one needs the other do not come together. */
export function requireTogether({ agentsFrom = [], agentsTokenFile }: InventoryOptions): void {
  if (agentsTokenFile === undefined || agentsFrom.some(({ kind }) => kind === "url")) return;
  throw new UsageError(
    "--agents-token-file is for an --agents-from with an http or https address, which was not given",
  );
}

/** The name of a command whose processes are agents, as theirs are named: `aider.exe` is `aider`. A harness is none of
 * them: its processes are runs as soon as they begin, so that no terminal could be starting. */
export function readAgentCommand(text: string): string {
  const name = nameOf(text);
  if (HARNESSES.has(name) && !text.includes("/")) {
    throw new UsageError(
      `--agent-command must not be a harness that is known by itself (${HARNESS_COMMANDS.join(", ")}), got "${text}": each of its processes would count as a run at once, and none as starting`,
    );
  }
  if (/^[^\s/]+$/.test(text)) return name;
  throw new UsageError(
    `--agent-command must be the name of a command, without a path and arguments, got "${text}"`,
  );
}

/** An endpoint, or the address of a page there as `termtopic url` prints it. */
function addressIn(text: string): PublisherAddress | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== "") return undefined;
  const token = /^#token=(.+)$/.exec(url.hash)?.[1];
  const path = url.pathname.endsWith("/") ? url.pathname : `${url.pathname}/`;
  return { endpoint: `${url.origin}${path}`, ...(token === undefined ? {} : { token }) };
}

/** What may be repeated of an address: the fragment may be a token. */
const withoutFragment = (text: string) => text.replace(/#.*/s, "");
