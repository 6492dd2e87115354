import type { ReadCursors } from "../../cursors.ts";
import type { TreeRoot } from "../../pty/tree.ts";
import { primerOf } from "../../vt/primer.ts";
import type { Launched, Session } from "../session.ts";
import { recordText, type SessionRecord } from "./record.ts";

/** What is written down of a session that is about to be started: should this host end before it has begun, the next one
 * knows what it is. */
export function announcedText(launched: Launched, exec: readonly string[], now: number): string {
  const record: SessionRecord = {
    format: 1,
    index: 1,
    name: null,
    created_at_ms: now,
    ...launchedFields(launched),
    exec: [...exec],
    root: null,
    is_ended: false,
    end: 0,
    output_at_ms: now,
    read_offset: 0,
    channel_offset: 0,
    primer: "",
  };
  return recordText(record, null);
}

/** What is written down of a session. `outputAt` in epoch milliseconds. */
export function sessionText(session: Session, cursors: ReadCursors, outputAt: number): string {
  const { terminal, launched, monitors, readOffset } = session;
  const { options, name, createdAt, root, ring, state } = terminal;
  const record: SessionRecord = {
    format: 1,
    index: options.index,
    name: name ?? null,
    created_at_ms: createdAt,
    ...launchedFields(launched),
    exec: [...options.command],
    root: rootFields(root),
    is_ended: state !== "running",
    end: ring.end,
    output_at_ms: outputAt,
    read_offset: readOffset,
    channel_offset: cursors.of(terminal),
    primer: primerOf(terminal),
  };
  return recordText(record, monitors.save());
}

const launchedFields = ({ workspaceRoot, cwd, shell, command, sandbox }: Launched) => ({
  workspace_root: workspaceRoot,
  cwd,
  shell,
  command,
  sandbox: sandbox === undefined ? null : [...sandbox],
});

const rootFields = ({ pid, startTick, tty, session, endedAt }: TreeRoot) => ({
  pid,
  start_tick: startTick ?? null,
  tty: tty ?? null,
  session: session ?? null,
  ended_at_ms: endedAt ?? null,
});
