import { Buffer } from "node:buffer";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** How much of a record is read. Its first line holds the instructions of the thread and takes some 30 KiB. */
const FIRST_LINE_BYTES = 64 * 1024;

const NEWLINE = 0x0a;

/** Not to wait for the other end where the path leads to a pipe. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/** Whether a thread was begun by another thread as its sub-agent, by the first line of its record:
 * `{"type":"session_meta","payload":{"id","source",...}}`, where `source` is a word for those that a person or a
 * program has begun, and `{"subagent": ...}` for sub-agents. What cannot be read or understood is none.
 * `undefined` as long as that line is not written. */
export async function isSubAgent(rollout: string): Promise<boolean | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await open(rollout, READ_FLAGS);
    if (!(await file.stat()).isFile()) return false;
    const { line, isWhole } = await firstLine(file);
    if (isWhole) return namesSubAgent(JSON.parse(line));
    return line.length < FIRST_LINE_BYTES ? undefined : BEGINS_AS_SUB_AGENT.test(line);
  } catch {
    return false;
  } finally {
    await file?.close().catch(() => {});
  }
}

/** The same in the beginning of a line that is too long to be read whole: `source` goes before what makes it long.
 * Inside a text its quotation mark would have a backslash in front. */
const BEGINS_AS_SUB_AGENT = /[{,]"source":\{"sub_?agent"/;

async function firstLine(file: FileHandle): Promise<{ line: string; isWhole: boolean }> {
  const bytes = Buffer.alloc(FIRST_LINE_BYTES);
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
    if (bytesRead === 0) break;
    const end = bytes.subarray(length, length + bytesRead).indexOf(NEWLINE);
    if (end >= 0) return { line: bytes.toString("utf8", 0, length + end), isWhole: true };
    length += bytesRead;
  }
  return { line: bytes.toString("latin1", 0, length), isWhole: false };
}

function namesSubAgent(record: unknown): boolean {
  const source = fieldOf(fieldOf(record, "payload"), "source");
  return typeof source === "object" && source !== null && Object.keys(source).some(isSubAgentKey);
}

const isSubAgentKey = (key: string) => /^sub_?agent$/i.test(key);

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
