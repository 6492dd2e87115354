/** The commands that a harness is started as: the last path segment of `command[0]`. A harness that
 * is not among them is recognised only once it appears in the `agents` topic. */
export const HARNESS_COMMANDS = ["claude", "codex"] as const;

const HARNESSES: ReadonlySet<string> = new Set(HARNESS_COMMANDS);

/** What the derivations read of a `terminals` row. */
export interface TerminalRow {
  readonly instance: string;
  readonly pid?: number;
  readonly command?: readonly string[];
}

/** What the derivations read of an `agents` row. */
export interface AgentRow {
  readonly instance: string;
  readonly pid: number;
  readonly sid?: string;
}

/** Pids are numbers of one host, so a process is named by instance and pid together. */
const processKey = (row: { readonly instance: string; readonly pid: number }): string =>
  `${row.instance}/${row.pid}`;

const terminalProcess = ({ instance, pid }: TerminalRow): string | undefined =>
  pid === undefined ? undefined : processKey({ instance, pid });

const runsHarness = (terminal: TerminalRow): boolean => {
  const program = terminal.command?.[0];
  return program !== undefined && HARNESSES.has(program.slice(program.lastIndexOf("/") + 1));
};

/** The terminals that a session is in: those whose `instance` and `pid` are a run of it. Several
 * where the session runs more than once. Linear in both lists. */
export function terminalsOf<T extends TerminalRow>(
  sid: string,
  agents: readonly AgentRow[],
  terminals: readonly T[],
): T[] {
  const runs = new Set<string>();
  for (const agent of agents) if (agent.sid === sid) runs.add(processKey(agent));
  return terminals.filter((terminal) => {
    const process = terminalProcess(terminal);
    return process !== undefined && runs.has(process);
  });
}

/** The terminals that no run is in, those that state no pid included. Linear in both lists. */
export function unattachedTerminals<T extends TerminalRow>(
  agents: readonly AgentRow[],
  terminals: readonly T[],
): T[] {
  const runs = new Set(agents.map(processKey));
  return terminals.filter((terminal) => {
    const process = terminalProcess(terminal);
    return process === undefined || !runs.has(process);
  });
}

/** The terminals whose process is a harness that no run has been stated for yet: an agent on its way
 * up. A part of `unattachedTerminals`; note that the arguments stand the other way round. Linear in
 * both lists. */
export function starting<T extends TerminalRow>(
  terminals: readonly T[],
  agents: readonly AgentRow[],
): T[] {
  return unattachedTerminals(agents, terminals).filter(
    (terminal) => terminal.pid !== undefined && runsHarness(terminal),
  );
}

/** A terminal that one or more runs are in, and their sessions. `sids` is empty where none of the
 * runs has a session yet. */
export interface AttachedTerminal<T> {
  readonly terminal: T;
  readonly sids: readonly string[];
}

/** Every terminal in exactly one of three lists, each in the order of the rows. */
export interface Classification<T> {
  readonly starting: readonly T[];
  /** Those that are neither attached nor starting. */
  readonly unattached: readonly T[];
  readonly attached: readonly AttachedTerminal<T>[];
}

/** Sorts all terminals at once, for readers that hold thousands: what `terminalsOf` for every session,
 * `unattachedTerminals` and `starting` say, in one pass over each list. */
export function classify<T extends TerminalRow>(
  terminals: readonly T[],
  agents: readonly AgentRow[],
): Classification<T> {
  const sidsByProcess = new Map<string, Set<string>>();
  for (const agent of agents) {
    const process = processKey(agent);
    const sids = sidsByProcess.get(process) ?? new Set();
    if (agent.sid !== undefined) sids.add(agent.sid);
    sidsByProcess.set(process, sids);
  }
  const startingRows: T[] = [];
  const unattached: T[] = [];
  const attached: AttachedTerminal<T>[] = [];
  for (const terminal of terminals) {
    const process = terminalProcess(terminal);
    const sids = process === undefined ? undefined : sidsByProcess.get(process);
    if (sids !== undefined) attached.push({ terminal, sids: [...sids] });
    else if (process !== undefined && runsHarness(terminal)) startingRows.push(terminal);
    else unattached.push(terminal);
  }
  return { starting: startingRows, unattached, attached };
}
