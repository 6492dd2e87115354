import { closeSync, openSync } from "node:fs";
import pidusage, { type Status } from "pidusage";
import history from "pidusage/lib/history.js";

/** Longer than any call takes, in milliseconds. pidusage closes by itself what it remembers for longer; here everything is
 * closed as soon as a call has ended. */
const MAX_AGE_MS = 3_600_000;

/** What the system answers where there is no such process (any more), or none that we may look at. All else says nothing
 * of the process. */
const UNREADABLE: ReadonlySet<string | undefined> = new Set(["ENOENT", "ESRCH", "EACCES", "EPERM"]);

/** What pidusage says, by pid. A process that it could not read is missing or null, whatever its types say. */
export type Statuses = Readonly<Record<number, Status | null | undefined>>;

/** Asks pidusage, of procfs or of `ps`. Calls must not overlap, since what it remembers is one for all; nothing of that
 * remains afterwards: no descriptor, no timer.
 *
 * The descriptors that it reads in procfs are ours. It opens some itself, keeps each for a minute or more, and loses
 * those of processes that end while it reads them first; and its `clear` forgets all and closes none.
 *
 * It is told whatever it would else take from variables of the environment, of which one (`PIDUSAGE_MAXAGE=0`) would let
 * it read for ever. It writes on our own standard error unless one says no, and where `ps` prints seconds with a comma it
 * takes them for minutes. */
export async function askPidusage(pids: readonly number[], usePs: boolean): Promise<Statuses> {
  const descriptors: number[] = [];
  const restoreSilence = setVariable("PIDUSAGE_SILENT", "1");
  try {
    const readable = usePs ? [...pids] : handOver(pids, descriptors);
    // `ps` is started before the call returns. Whatever else is started has the user's language.
    const restoreLanguage = setVariable("LC_ALL", "C");
    // What it has no memory of it counts from the beginning, and `childrens` adds to what a process ran for what it has
    // waited for.
    const answer = pidusage(readable, { usePs, maxage: MAX_AGE_MS, childrens: true });
    restoreLanguage();
    return await answer;
  } finally {
    restoreSilence();
    for (const descriptor of descriptors) closeSync(descriptor);
    pidusage.clear();
  }
}

/** Sets a variable of our own environment; the answer puts it back. */
function setVariable(name: string, value: string): () => void {
  const before = process.env[name];
  process.env[name] = value;
  return () => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  };
}

/** Opens what can be read, for pidusage to find among what it remembers. Answers with the pids. */
function handOver(pids: readonly number[], descriptors: number[]): number[] {
  return pids.filter((pid) => {
    const fd = open(`/proc/${pid}/stat`);
    if (fd === undefined) return false;
    descriptors.push(fd);
    history.set(pid, { fd }, MAX_AGE_MS);
    return true;
  });
}

function open(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (UNREADABLE.has((error as NodeJS.ErrnoException).code)) return undefined;
    throw error;
  }
}
