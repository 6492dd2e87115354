import type { Buffer } from "node:buffer";
import { ttyPath } from "./device.ts";
import type { ProcessInfo } from "./types.ts";

/** Longer than any `/proc/<pid>/stat`: 52 numbers of at most 20 digits, and a name of at most 64
 * bytes. */
export const STAT_BYTES = 2048;

const OPEN = 0x28;
const CLOSE = 0x29;

/** Fields 3 (state) to 22 (start tick): those that are looked at, and the ones between them. */
const FIELDS = 20;
const INTEGER = /^-?\d{1,20}$/;
const TICK = /^\d{1,20}$/;

/** Reads the text of `/proc/<pid>/stat` (proc(5)): `pid (name) state parent group …`. The name is
 * any bytes but NUL, parentheses included, so the numbers begin after the last `)`. Undefined when
 * the text is none of that kind, or speaks of a process that has ended. */
export function parseStat(bytes: Buffer, length: number): ProcessInfo | undefined {
  const open = bytes.indexOf(OPEN);
  const close = length > 0 ? bytes.lastIndexOf(CLOSE, length - 1) : -1;
  if (open < 2 || open >= close) return undefined;
  const pid = Number(bytes.toString("latin1", 0, open - 1));
  const fields = bytes.toString("latin1", close + 2, length).split(" ", FIELDS);
  const [state, parent, group, session, tty, foregroundGroup] = fields;
  const threads = fields[17];
  const startTick = fields[19]?.trimEnd();
  if (!Number.isSafeInteger(pid) || pid < 1) return undefined;
  if (state?.length !== 1 || startTick === undefined || !TICK.test(startTick)) return undefined;
  if (hasEnded(state, Number(threads))) return undefined;
  for (let i = 1; i <= 5; i++) if (!INTEGER.test(fields[i] ?? "")) return undefined;
  // Field 7 is printed as a signed integer, and minors from 2^19 on set its highest bit.
  const ttyDevice = Number(tty) >>> 0;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    ttyDevice,
    tty: ttyPath(ttyDevice),
    foregroundGroup: Number(foregroundGroup),
    state,
    startTick,
    name: bytes.toString("utf8", open + 1, close),
  };
}

/** A zombie has ended: what is left is a number that its parent has yet to ask for. A process whose
 * first thread has ended while others run is shown as `Z` too, but counts more than that one
 * thread. */
function hasEnded(state: string, threads: number): boolean {
  return state === "X" || state === "x" || (state === "Z" && !(threads > 1));
}
