import type { ProcessInfo, ProcessSnapshot } from "../processes/types.ts";
import { type Part, type Place, ttySession } from "./places.ts";
import type { ObservedTerminal } from "./terminal.ts";
import { ancestorsOf } from "./whose.ts";

/** Why a tty counts as a part of another terminal: an agent there opened it for a tool of its own, or a wrapper such
 * as `script` stands between that terminal and its program. */
export type FoldReason = "tool" | "wrapper";

/** A tty without a row of its own. */
export interface Folded extends Part {
  readonly tty: string;
  readonly why: FoldReason;
}

/** A terminal, and the process that its manager started as far as that can be believed. */
export interface RootedTerminal extends Place {
  readonly terminal: ObservedTerminal;
}

export interface Merge {
  /** The terminals that get rows, each with its root. */
  readonly terminals: readonly RootedTerminal[];
  readonly folded: readonly Folded[];
}

export interface MergeContext {
  readonly snapshot: ProcessSnapshot;
  rootOf(terminal: ObservedTerminal): ProcessInfo | undefined;
  /** Whether a source states the terminals that this process opens. */
  isManager(process: ProcessInfo): boolean;
  /** Whether what a process opens is for tools: it is a harness or the run of an agent, and not the launcher of
   * `leader`. */
  opensForTools(process: ProcessInfo, leader: ProcessInfo): boolean;
}

/** Makes one terminal one row. Where several sources state one, the first counts. Bare ttys give way to every other
 * source; what is left of them are terminals of their own, but for those that are a part of another terminal. */
export function merge(stated: readonly ObservedTerminal[], context: MergeContext): Merge {
  const managed: RootedTerminal[] = [];
  const bare: Bare[] = [];
  const claimed = new Set<string>();
  const claims = ({ pid, startTick }: ProcessInfo) => `${pid} ${startTick}`;
  for (const terminal of [...stated].sort((a, b) => bareness(a) - bareness(b))) {
    const root = context.rootOf(terminal);
    const { id } = terminal;
    if (terminal.isBare === true) {
      const session = root && ttySession(root);
      if (root === undefined || session === undefined) continue;
      if (claimed.has(session) || claimed.has(claims(root))) continue;
      if (!isManaged(root, context)) bare.push({ id, root, session, terminal });
      continue;
    }
    if (root !== undefined) {
      if (claimed.has(claims(root))) continue;
      claimed.add(claims(root));
      const session = ttySession(root);
      if (session !== undefined) claimed.add(session);
    }
    managed.push({ id, root, terminal });
  }
  const { own, folded } = foldBare(bare, managed, context);
  return { terminals: [...managed, ...own], folded };
}

interface Bare extends RootedTerminal {
  readonly root: ProcessInfo;
  readonly session: string;
}

const bareness = ({ isBare }: ObservedTerminal) => Number(isBare === true);

function isManaged(leader: ProcessInfo, { snapshot, isManager }: MergeContext): boolean {
  const opener = snapshot.get(leader.parent);
  return opener !== undefined && isManager(opener);
}

/** Tells the ttys that are terminals of their own from those that are a part of another one. */
function foldBare(
  bare: readonly Bare[],
  managed: readonly RootedTerminal[],
  context: MergeContext,
): { own: readonly Bare[]; folded: readonly Folded[] } {
  const { snapshot, opensForTools } = context;
  const owners = new Map<string, string>();
  for (const { id, root } of managed) {
    if (root === undefined) continue;
    owners.set(String(root.pid), id);
    const session = ttySession(root);
    if (session !== undefined) owners.set(session, id);
  }
  const bySession = new Map(bare.map((tty) => [tty.session, tty]));
  const openings = new Map<number, number>();
  for (const { root } of bare) openings.set(root.parent, (openings.get(root.parent) ?? 0) + 1);
  const known = new Map<Bare, Folded | undefined>();

  /** The terminal that a process is in, seen from the tty that it or one below it has opened. */
  const terminalOf = (process: ProcessInfo): string | undefined => {
    for (const one of [process, ...ancestorsOf(process, snapshot)]) {
      const session = ttySession(one) ?? "";
      const owner = owners.get(String(one.pid)) ?? owners.get(session);
      if (owner !== undefined) return owner;
      const tty = bySession.get(session);
      if (tty !== undefined) return foldOf(tty)?.into ?? tty.id;
    }
    return undefined;
  };
  const foldOf = (tty: Bare): Folded | undefined => {
    if (known.has(tty)) return known.get(tty);
    // Ttys that seem to open each other, read one after another, are terminals of their own.
    known.set(tty, undefined);
    const fold = partOf(tty);
    known.set(tty, fold);
    return fold;
  };
  const partOf = ({ id, root, terminal }: Bare): Folded | undefined => {
    const opener = snapshot.get(root.parent);
    const into = opener && terminalOf(opener);
    if (opener === undefined || into === undefined || into === id) return undefined;
    const why = isForTools(root, into) ? "tool" : isWrapper(opener) ? "wrapper" : undefined;
    return why && { into, tty: terminal.tty ?? "", leader: root, why };
  };
  const isForTools = (leader: ProcessInfo, into: string): boolean => {
    for (const above of ancestorsOf(leader, snapshot)) {
      if (terminalOf(above) !== into) return false;
      if (opensForTools(above, leader)) return true;
    }
    return false;
  };
  const isWrapper = (opener: ProcessInfo) =>
    openings.get(opener.pid) === 1 && holdsItsTerminal(opener);
  const own = bare.filter((tty) => foldOf(tty) === undefined);
  const byId = new Map(bare.map((tty) => [tty.id, tty]));
  // One that was found to be a part of another tty before that was found to be one itself is a part of the same.
  const last = (into: string): string => {
    const outer = byId.get(into);
    const fold = outer && foldOf(outer);
    return fold === undefined ? into : last(fold.into);
  };
  const folded = bare.flatMap((tty) => foldOf(tty) ?? []);
  return { own, folded: folded.map((fold) => ({ ...fold, into: last(fold.into) })) };
}

/** Whether a process may be passing on what its terminal gets: it is of the job in front there, or that job is
 * suspended. A program in the background, such as a terminal window that a shell opened, cannot. */
function holdsItsTerminal({ ttyDevice, group, foregroundGroup, state }: ProcessInfo): boolean {
  return ttyDevice !== 0 && (group === foregroundGroup || state === "T");
}
