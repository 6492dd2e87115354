import type { ProcessInfo, ProcessSnapshot } from "../processes/types.ts";

/** A terminal as far as it takes to say what is in it. */
export interface Place {
  readonly id: string;
  /** The process that its manager started. Absent where that has ended or is not known. */
  readonly root: ProcessInfo | undefined;
}

/** A tty that counts as a part of a terminal. */
export interface Part {
  /** The id of that terminal. */
  readonly into: string;
  readonly leader: ProcessInfo;
}

/** Which terminal each process is in. A process is in one at most. */
export interface Places {
  /** Those in the terminal of that id, its root included. */
  in(id: string): readonly ProcessInfo[];
  /** The id of the terminal that a process is in. */
  of(pid: number): string | undefined;
}

/** What a terminal is to the kernel: a device, and the one session that has it as controlling terminal. Devices of
 * containers have the same numbers as ours, sessions do not. */
export const ttySession = ({ ttyDevice, session }: ProcessInfo): string | undefined =>
  ttyDevice === 0 ? undefined : `${ttyDevice} ${session}`;

/** Says which terminal each process of a snapshot is in: the one that it is the root of, else the one that is its
 * controlling terminal or has that as a part, else, where it has none or one that nobody states, its parent's. */
export function placesOf(
  { terminals, folded = [] }: { terminals: readonly Place[]; folded?: readonly Part[] },
  snapshot: ProcessSnapshot,
): Places {
  const byRoot = new Map<number, string>();
  const bySession = new Map<string, string>();
  const byPid = new Map<number, string | undefined>();
  const inside = new Map<string, ProcessInfo[]>();
  for (const { id, root } of terminals) {
    if (root === undefined) continue;
    const session = ttySession(root);
    byRoot.set(root.pid, id);
    if (session !== undefined) bySession.set(session, id);
    // One that the snapshot does not show, being younger, is alone in its terminal.
    const shown = snapshot.get(root.pid);
    if (shown?.startTick !== root.startTick) inside.set(id, [root]);
  }
  for (const { into, leader } of folded) bySession.set(ttySession(leader) ?? "", into);
  const find = (process: ProcessInfo): string | undefined => {
    if (byPid.has(process.pid)) return byPid.get(process.pid);
    // Parents were read one after another, so a reused number can close a circle: it leads nowhere.
    byPid.set(process.pid, undefined);
    const session = ttySession(process);
    const parent = snapshot.get(process.parent);
    const id =
      byRoot.get(process.pid) ??
      (session === undefined ? undefined : bySession.get(session)) ??
      (parent === undefined ? undefined : find(parent));
    byPid.set(process.pid, id);
    return id;
  };
  for (const process of snapshot.all()) {
    const id = find(process);
    if (id === undefined) continue;
    const processes = inside.get(id);
    if (processes === undefined) inside.set(id, [process]);
    else processes.push(process);
  }
  return { in: (id) => inside.get(id) ?? [], of: (pid) => byPid.get(pid) };
}
