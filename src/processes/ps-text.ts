import type { ProcessInfo } from "./types.ts";

/** The columns that are asked for, in this order. Free text is last, so that it cannot shift
 * another. */
export const PS_COLUMNS = [
  "pid",
  "ppid",
  "pgid",
  "tpgid",
  "sess",
  "tty",
  "stat",
  "lstart",
  "comm",
] as const;

/** One process as `ps` prints it. */
export interface PsLine {
  readonly info: ProcessInfo;
  /** `comm` as printed: the kernel's short name on Linux, the path of the executable on macOS. */
  readonly command: string;
}

export interface PsTextOptions {
  readonly platform: NodeJS.Platform;
  /** The device number of a tty's file; undefined when there is none. */
  readonly deviceOf: (path: string) => number | undefined;
}

const LINE =
  /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(-?\d+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\w{3} +\w{3} +\d{1,2} +\d\d:\d\d:\d\d +\d{4})(?: +(.*))?$/s;

/** macOS letters that Linux spells otherwise: an uninterruptible wait, and a sleep of more than 20
 * seconds (ps(1)). */
const DARWIN_STATES: Readonly<Record<string, string>> = { U: "D", I: "S" };

/** Reads what `ps` printed for `PS_COLUMNS` in the C locale and in UTC. Lines of another shape (a
 * name with a newline goes on in one) and zombies are left out. */
export function parsePs(text: string, options: PsTextOptions): PsLine[] {
  const lines = text.split("\n").map((line) => parseLine(line, options));
  const live = lines.filter((line) => line !== undefined);
  return options.platform === "darwin" ? withSessions(live) : live;
}

function parseLine(text: string, { platform, deviceOf }: PsTextOptions): PsLine | undefined {
  const fields = LINE.exec(text);
  if (fields === null) return undefined;
  const [, pid, parent, group, foreground, session, tty, stat, start, command = ""] = fields;
  const startSeconds = Date.parse(`${start} UTC`) / 1000;
  const state = stat?.charAt(0) ?? "";
  if (Number.isNaN(startSeconds) || state === "Z") return undefined;
  const isDarwin = platform === "darwin";
  const path = ttyFile(tty ?? "");
  const device = path === undefined ? undefined : deviceOf(path);
  const foregroundGroup = Number(foreground);
  const isLeader = stat?.includes("s") === true;
  return {
    command,
    info: {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: isDarwin ? (isLeader ? Number(pid) : 0) : Number(session),
      ttyDevice: device ?? 0,
      tty: device === undefined ? undefined : path,
      foregroundGroup: foregroundGroup > 0 ? foregroundGroup : -1,
      state: (isDarwin ? DARWIN_STATES[state] : undefined) ?? state,
      startTick: String(startSeconds),
      name: isDarwin ? command.slice(command.lastIndexOf("/") + 1) : command,
    },
  };
}

/** `pts/3`, `ttys003`; `?`, `??` and `-` stand for none. */
function ttyFile(column: string): string | undefined {
  return /^[?-]+$/.test(column) ? undefined : `/dev/${column}`;
}

/** macOS prints no session ids, but marks leaders; and a controlling tty belongs to one session. */
function withSessions(lines: readonly PsLine[]): PsLine[] {
  const leaders = new Map<number, number>();
  for (const { info } of lines) {
    if (info.session !== 0 && info.ttyDevice !== 0) leaders.set(info.ttyDevice, info.pid);
  }
  return lines.map(({ info, command }) => ({
    command,
    info: { ...info, session: info.session || (leaders.get(info.ttyDevice) ?? 0) },
  }));
}
