import { type Fields, integerIn, isFields, jsonOf, textIn, textsIn } from "../fields.ts";

/** A session as hyoui lists it. */
export interface ListedSession {
  readonly session: string;
  /** Absent where the generation knows no namespaces, or it is the default one. */
  readonly namespace: string | undefined;
  /** What the child is doing, in hyoui's words; where it does not say, how the daemon stands. */
  readonly state: string;
  readonly childPid: number | undefined;
  readonly startedAt: number | undefined;
  readonly command: readonly string[] | undefined;
  readonly cwd: string | undefined;
  readonly clients: number | undefined;
  /** `key=value`, or the key alone where its value is empty. */
  readonly tags: readonly string[];
}

const MAX_NAME = 256;

/** How long lines are read before others get to run, in milliseconds. */
const SLICE_MS = 3;

/** The sessions that `hyoui list --format=jsonl` states, one object a line, of any generation. A line that cannot be
 * read is dropped alone; `undefined` where there are lines and none can be. `now` is of a monotonic clock. */
export async function parseSessions(
  stdout: Buffer,
  now: () => number,
): Promise<ListedSession[] | undefined> {
  const sessions: ListedSession[] = [];
  let isEmpty = true;
  let sliceBegan = now();
  for (const line of linesOf(stdout)) {
    if (now() - sliceBegan >= SLICE_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      sliceBegan = now();
    }
    const text = line.toString("utf8").trim();
    if (text === "") continue;
    isEmpty = false;
    const fields = jsonOf(text);
    const session = isFields(fields) ? sessionOf(fields) : undefined;
    if (session !== undefined) sessions.push(session);
  }
  return sessions.length > 0 || isEmpty ? sessions : undefined;
}

function* linesOf(bytes: Buffer): Iterable<Buffer> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf("\n", from);
    const to = end < 0 ? bytes.length : end;
    yield bytes.subarray(from, to);
    from = to + 1;
  }
}

function sessionOf(fields: Fields): ListedSession | undefined {
  const session = nameIn(fields, "session") ?? nameIn(fields, "session_id");
  const state = wordIn(fields, "child_state") ?? wordIn(fields, "status");
  if (session === undefined || state === undefined) return undefined;
  const namespace = nameIn(fields, "namespace");
  return {
    session,
    namespace: namespace === "default" ? undefined : namespace,
    state,
    childPid: integerIn(fields, "child_pid", 1),
    startedAt: integerIn(fields, "started_unix_ms", 1),
    command: Array.isArray(fields["argv"]) ? textsIn(fields, "argv") : undefined,
    cwd: textIn(fields, "cwd"),
    clients: integerIn(fields, "clients", 0),
    tags: tagsOf(fields["tags"]),
  };
}

/** Names are a part of ids. hyoui itself allows 64 characters. */
function nameIn(fields: Fields, field: string): string | undefined {
  const name = textIn(fields, field);
  return name !== undefined && name.length <= MAX_NAME ? name : undefined;
}

/** A state, of a set that is open. */
function wordIn(fields: Fields, field: string): string | undefined {
  return /^[A-Za-z0-9_-]{1,64}$/.exec(textIn(fields, field) ?? "")?.[0];
}

function tagsOf(tags: unknown): string[] {
  if (!isFields(tags)) return [];
  return Object.entries(tags).flatMap(([key, value]) => {
    if (typeof value !== "string") return [];
    return value === "" ? key : `${key}=${value}`;
  });
}
