import { statSync } from "node:fs";
import type { ProcessInfo, ProcessSnapshot } from "../processes/types.ts";
import type { Reading } from "../sources/source.ts";
import { idPart } from "../sources/text.ts";
import { ttySession } from "./places.ts";
import type { ObservedTerminal, TerminalSource } from "./terminal.ts";

/** Where devices are. An id names one by its path below. */
const DEVICES = "/dev/";

/** The terminals that processes have as controlling tty, whoever opened them: ssh logins, terminal windows, programs
 * that open a pseudo-terminal, virtual consoles. A pseudo-terminal that no process has is none. They are stated as
 * bare: those that a manager states, or that are a part of another terminal, are told apart where rows are made. */
export class TtySource implements TerminalSource {
  readonly scheme = "tty";
  #onReading: ((reading: Reading<ObservedTerminal>) => void) | undefined;
  /** Of each leader that was seen whether its tty is one of this host, by pid and start. */
  #isOurs = new Map<string, boolean>();

  start(onReading: (reading: Reading<ObservedTerminal>) => void): void {
    this.#onReading = onReading;
  }

  stop(): void {
    this.#onReading = undefined;
    this.#isOurs = new Map();
  }

  /** Everything it states it sees in the processes, which are read for every snapshot and bookmark anyway. */
  async read(): Promise<void> {}

  tick(): void {}

  see(snapshot: ProcessSnapshot): void {
    const leaders = new Map<string, ProcessInfo>();
    for (const process of snapshot.all()) {
      const session = ttySession(process);
      if (session === undefined || process.tty === undefined) continue;
      if (isBetterLeader(process, leaders.get(session))) leaders.set(session, process);
    }
    const known = new Map<string, boolean>();
    const items = [...leaders.values()].flatMap((leader) => {
      const { pid, startTick, tty = "" } = leader;
      const key = `${pid} ${startTick} ${tty}`;
      const isOurs = this.#isOurs.get(key) ?? isOfThisHost(leader);
      known.set(key, isOurs);
      return isOurs ? [terminalOf(leader, tty)] : [];
    });
    this.#isOurs = known;
    this.#onReading?.({ at: snapshot.takenAt, finding: { kind: "rows", items } });
  }
}

/** The leader of a session goes before all others in it; where it cannot be seen the oldest stands for it. */
function isBetterLeader(process: ProcessInfo, other: ProcessInfo | undefined): boolean {
  if (other === undefined) return true;
  if (other.pid === other.session) return false;
  if (process.pid === process.session) return true;
  return BigInt(process.startTick) < BigInt(other.startTick);
}

function terminalOf({ pid, startTick }: ProcessInfo, tty: string): ObservedTerminal {
  const name = tty.startsWith(DEVICES) ? tty.slice(DEVICES.length) : tty;
  return {
    id: `tty:${idPart(name)}@${pid}.${startTick}`,
    state: "running",
    isBare: true,
    rootPid: pid,
    tty,
  };
}

/** Whether a process's terminal is a device of this host. A container counts its own devices from 0 again, and what
 * the kernel tells of a process does not say whose the number is: the device that the process sees does. */
function isOfThisHost({ pid, tty = "" }: ProcessInfo): boolean {
  const ours = deviceOf(tty);
  const theirs = deviceOf(`/proc/${pid}/root${tty}`);
  // That of another user's process cannot be looked at.
  return ours !== undefined && (theirs === undefined || theirs === ours);
}

/** What names a device file: the file system that it is on, and its number there. `undefined` where there is none, or we
 * may not look. */
function deviceOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return undefined;
  }
}
