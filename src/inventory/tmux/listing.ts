import { constants } from "node:os";

/** The fields that are asked for. Ids, numbers and a device path only: no text that a person or a program
 * chose, since some versions print such text raw, newlines and separators included. */
const FIELDS = [
  "pane_id",
  "pane_pid",
  "pane_tty",
  "pane_dead",
  "pane_dead_status",
  "pane_dead_signal",
  "pane_width",
  "pane_height",
  "session_id",
  "session_attached",
  "window_index",
  "window_active",
  "window_bell_flag",
  "window_activity",
  "pane_index",
  "pid",
  "start_time",
] as const;

type Field = (typeof FIELDS)[number];

/** The command whose output `parseListing` reads. */
export const LISTING_COMMAND = [
  "list-panes",
  "-a",
  "-F",
  FIELDS.map((field) => `#{${field}}`).join(":"),
];

/** One pane, whatever number of windows it is linked into. */
export interface Pane {
  /** The number behind `%`; unique within the life of the server and never given again. */
  readonly number: number;
  readonly pid: number | undefined;
  /** The process that a dead pane had. */
  readonly endedPid: number | undefined;
  readonly tty: string | undefined;
  readonly dead: boolean;
  readonly exitCode: number | undefined;
  readonly exitSignal: string | undefined;
  readonly cols: number | undefined;
  readonly rows: number | undefined;
  /** The session that people know it by: one that somebody is attached to, else the oldest. */
  readonly sessionId: string;
  readonly windowIndex: number;
  readonly paneIndex: number;
  /** Clients whose current window shows it. */
  readonly viewers: number;
  readonly bell: boolean;
  /** Epoch milliseconds. */
  readonly activityAt: number | undefined;
}

export interface Listing {
  readonly panes: readonly Pane[];
  /** The server's pid and start in epoch seconds, which together tell it from every other. Absent where it
   * has no pane to state them. */
  readonly server: { readonly pid: number; readonly startTime: number } | undefined;
}

/** A field that this version does not know comes out empty. Ids and the server's own have so many digits at the
 * most as tmux and the kernel have for them. */
const LINE =
  /^%(?<pane_id>\d{1,10}):(?<pane_pid>\d*):(?<pane_tty>[^:]*):(?<pane_dead>[01]?):(?<pane_dead_status>\d*):(?<pane_dead_signal>[A-Za-z0-9]*):(?<pane_width>\d*):(?<pane_height>\d*):\$(?<session_id>\d{1,10}):(?<session_attached>\d*):(?<window_index>\d*):(?<window_active>[01]?):(?<window_bell_flag>[01]?):(?<window_activity>\d*):(?<pane_index>\d*):(?<pid>\d{1,10}):(?<start_time>\d{1,15})$/;

/** Reads a listing. `undefined` where a line of it is not one: another version's default output, or half an
 * answer. Nothing can then be said of any pane. */
export function parseListing(stdout: Buffer): Listing | undefined {
  const byNumber = new Map<number, Record<Field, string>[]>();
  let server: Listing["server"];
  const lines = stdout.toString("latin1").split("\n");
  // Each line ends in a newline, so what follows the last one is nothing, or half a line.
  if (lines.pop() !== "") return undefined;
  for (const line of lines) {
    const fields = LINE.exec(line)?.groups as Record<Field, string> | undefined;
    if (fields === undefined) return undefined;
    const number = Number(fields.pane_id);
    byNumber.set(number, [...(byNumber.get(number) ?? []), fields]);
    server = { pid: Number(fields.pid), startTime: Number(fields.start_time) };
  }
  return { panes: [...byNumber].map(([number, links]) => paneOf(number, links)), server };
}

/** A window that is linked into several sessions, or a group of sessions, lists its panes once for each. */
function paneOf(number: number, links: readonly Record<Field, string>[]): Pane {
  const shown = links.toSorted(byPreference)[0] as Record<Field, string>;
  const dead = shown.pane_dead === "1";
  const activity = Math.max(...links.map(({ window_activity }) => Number(window_activity)));
  return {
    number,
    // A dead pane keeps the numbers of its process and device after others got them.
    pid: dead ? undefined : positive(shown.pane_pid),
    endedPid: dead ? positive(shown.pane_pid) : undefined,
    tty: dead || !shown.pane_tty.startsWith("/") ? undefined : shown.pane_tty,
    dead,
    exitCode: dead && shown.pane_dead_status !== "" ? Number(shown.pane_dead_status) : undefined,
    exitSignal: dead ? signalName(shown.pane_dead_signal) : undefined,
    cols: positive(shown.pane_width),
    rows: positive(shown.pane_height),
    sessionId: shown.session_id,
    windowIndex: Number(shown.window_index),
    paneIndex: Number(shown.pane_index),
    viewers: links.reduce(
      (sum, link) => sum + (link.window_active === "1" ? Number(link.session_attached) : 0),
      0,
    ),
    bell: links.some(({ window_bell_flag }) => window_bell_flag === "1"),
    activityAt: activity > 0 ? activity * 1_000 : undefined,
  };
}

function byPreference(a: Record<Field, string>, b: Record<Field, string>): number {
  const attached = Number(isAttached(b)) - Number(isAttached(a));
  return attached !== 0 ? attached : Number(a.session_id) - Number(b.session_id);
}

const isAttached = ({ session_attached }: Record<Field, string>) => Number(session_attached) > 0;

function positive(digits: string): number | undefined {
  const number = Number(digits);
  return number > 0 && Number.isSafeInteger(number) ? number : undefined;
}

/** tmux states a signal by its number, and by its name without `SIG` from 3.4 on. */
function signalName(signal: string): string | undefined {
  if (signal === "" || signal === "0") return undefined;
  if (!/^\d+$/.test(signal)) return `SIG${signal.replace(/^SIG/i, "").toUpperCase()}`;
  const known = Object.entries(constants.signals).find(([, number]) => number === Number(signal));
  return known?.[0] ?? `SIG${signal}`;
}
