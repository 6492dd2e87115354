import { userInfo } from "node:os";

/** What a program on a terminal may know of the host's own environment: who the user is, where things are, the language
 * and the time zone. Everything else stays behind: settings of Node and npm, marks of another terminal, tokens. */
const PASSED: ReadonlySet<string> = new Set([
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "PATH",
  "LANG",
  "TZ",
  "TMPDIR",
]);

/** The categories of locale(7). Other variables begin with `LC_` as well, because ssh passes those on: some tell of
 * the terminal that the host was started in. */
const LOCALE =
  /^LC_(ALL|ADDRESS|COLLATE|CTYPE|IDENTIFICATION|MEASUREMENT|MESSAGES|MONETARY|NAME|NUMERIC|PAPER|TELEPHONE|TIME)$/;

const XDG = /^XDG_[A-Z_]+$/;

/** Where programs are on every system (hier(7)), for a host that was started without a `PATH`. */
const DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

export interface ShellEnvironment {
  /** The host's own environment. */
  readonly base: Readonly<Record<string, string | undefined>>;
  /** Variables that the user has given a name as a whole. They go before all others. */
  readonly named?: Readonly<Record<string, string>> | undefined;
  /** The version of termtopic. */
  readonly version: string;
  /** Whether the user's ssh agent is passed on: whoever reaches it may log in elsewhere. Default: no. */
  readonly sshAgent?: boolean | undefined;
}

/** The environment of a program on a terminal. */
export function shellEnvironment({
  base,
  named = {},
  version,
  sshAgent = false,
}: ShellEnvironment): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    if (value === undefined || value === "") continue;
    if (isPassed(name) || (sshAgent && name === "SSH_AUTH_SOCK")) passed[name] = value;
  }
  const known = { PATH: DEFAULT_PATH, ...userVariables(), ...passed };
  return {
    ...known,
    ...characters(known),
    TERM: "xterm-256color",
    COLORTERM: "truecolor",
    TERM_PROGRAM: "termtopic",
    TERM_PROGRAM_VERSION: version,
    ...named,
  };
}

const isPassed = (name: string): boolean => PASSED.has(name) || LOCALE.test(name) || XDG.test(name);

/** What a service manager may leave out, from the user database. A user without an entry there, as in containers, has
 * none of it. */
function userVariables(): Record<string, string> {
  try {
    const { username, homedir, shell } = userInfo();
    return {
      HOME: homedir,
      USER: username,
      LOGNAME: username,
      ...(shell === null ? {} : { SHELL: shell }),
    };
  } catch {
    return {};
  }
}

/** Terminals are UTF-8, so without a language, or with the one of the standard that knows ASCII alone, programs are told
 * so. A language that somebody chose is kept. */
function characters(known: Readonly<Record<string, string>>): Record<string, string> {
  const utf8 = process.platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8";
  const decisive = ["LC_ALL", "LC_CTYPE", "LANG"].find((name) => known[name] !== undefined);
  if (decisive === undefined) return { LANG: utf8 };
  if (!/^(C|POSIX)$/.test(known[decisive] ?? "")) return {};
  return decisive === "LC_ALL" ? { LC_ALL: utf8 } : { LC_CTYPE: utf8 };
}
