/** A thread of Codex that a process has open: what it runs as a session. */
export interface OpenThread {
  /** Its UUID, which is its session's id. */
  readonly id: string;
  /** The file in which it is recorded. Absent where only its lock is open, as long as nothing was said in it. */
  readonly rollout?: string;
  /** The time in the name of that file, by which those of one home can be ordered. */
  readonly recordedAt?: string;
}

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const DELETED = "(?: \\(deleted\\))?";

/** `rollout-<time>-<thread>.jsonl`; where the history of a thread was compacted, `_<window>` stands behind it. */
const ROLLOUT = new RegExp(`/rollout-([^/]+?)-(${UUID})(?:_[^/]*)?\\.jsonl${DELETED}$`);

/** `.coordination.lock` beside them is no thread. */
const LOCK = new RegExp(`/thread-writer-locks/(${UUID})\\.lock${DELETED}$`);

/** The threads that these open files are of, each once. */
export function threadsAmong(files: readonly string[]): OpenThread[] {
  const threads = new Map<string, OpenThread>();
  for (const file of files) {
    const [, recordedAt, recorded] = ROLLOUT.exec(file) ?? [];
    const [, locked] = LOCK.exec(file) ?? [];
    if (recorded !== undefined && recordedAt !== undefined) {
      threads.set(recorded, { id: recorded, rollout: file, recordedAt });
    } else if (locked !== undefined && !threads.has(locked)) threads.set(locked, { id: locked });
  }
  return [...threads.values()];
}

/** What is known of a thread. `unsettled`: it is not known yet whether it is a sub-agent's. */
export type ThreadRank = "main" | "unsettled" | "subagent";

/** The thread that a process with several runs for its person: the newest that is no sub-agent's; of sub-agents alone
 * the newest. `undefined` as long as that cannot be said; then `current` goes on if it is still open. */
export function chooseThread(
  threads: readonly OpenThread[],
  rankOf: (thread: OpenThread) => ThreadRank,
  current: string | undefined,
): string | undefined {
  if (threads.length <= 1) return threads[0]?.id;
  const ranked = threads.map((thread) => ({ thread, rank: rankOf(thread) }));
  const isUnsettled = ranked.some(({ rank }) => rank === "unsettled");
  if (isUnsettled && threads.some(({ id }) => id === current)) return current;
  const mains = ranked.filter(({ rank }) => rank === "main").map(({ thread }) => thread);
  if (mains.length > 0) return newest(mains);
  return isUnsettled ? undefined : newest(threads);
}

function newest(threads: readonly OpenThread[]): string | undefined {
  return threads.toSorted((a, b) => (isNewer(a, b) ? -1 : 1))[0]?.id;
}

function isNewer(a: OpenThread, b: OpenThread): boolean {
  const [aMade, bMade] = [madeAt(a), madeAt(b)];
  if (aMade !== bMade) return aMade > bMade;
  const [aRecorded, bRecorded] = [a.recordedAt ?? "", b.recordedAt ?? ""];
  return aRecorded === bRecorded ? a.id > b.id : aRecorded > bRecorded;
}

/** When a thread was made, in epoch milliseconds: a UUID of version 7 begins with it (RFC 9562, 5.7). 0 where the
 * id is of another version and does not say. */
function madeAt({ id }: OpenThread): number {
  return id[14] === "7" ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : 0;
}
