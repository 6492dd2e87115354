import type { ProcessTable } from "../../../processes/types.ts";
import type { Begun } from "../../begun.ts";
import type { TreeRoot } from "../../pty/tree.ts";
import { unlessOut } from "../../root-process.ts";
import type { SessionRecord } from "./record.ts";

/** The process that a session was started with, told from whoever has its number by now. Where nothing was written down it is
 * the one of that number on the session's own terminal; another one is nobody's to signal. */
export function rootOf(
  { pid, tty }: Pick<Begun, "pid" | "tty">,
  record: SessionRecord | undefined,
  { table, now }: { readonly table: ProcessTable; readonly now: number },
): TreeRoot {
  const begunAt = record?.created_at_ms ?? now;
  const known = record?.root;
  if (known?.start_tick) {
    return {
      pid: known.pid,
      startTick: known.start_tick,
      tty: known.tty ?? undefined,
      session: known.session ?? undefined,
      begunAt,
      ...(known.ended_at_ms === null ? {} : { endedAt: known.ended_at_ms }),
    };
  }
  const process = pid > 0 && tty !== "" ? unlessOut(() => table.read(pid)) : undefined;
  if (process?.tty === tty) {
    const { startTick, session } = process;
    return { pid, tty, startTick, begunAt, ...(session === pid ? {} : { session }) };
  }
  return { pid, begunAt, endedAt: begunAt };
}

/** Where a session's program is, for want of what it was started in. */
export function cwdOf({ pid, startTick }: TreeRoot, table: ProcessTable): string {
  const cwd = startTick === undefined ? undefined : unlessOut(() => table.cwd(pid));
  return cwd?.path ?? "/";
}
