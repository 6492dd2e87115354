import { hasLongLine, LONGEST_LINE_BYTES, readLineMode } from "../pty/line-mode.ts";
import type { Terminal } from "../terminal.ts";
import { OperationError } from "./errors.ts";
import { requireRunning } from "./operations/running.ts";

/** How much may wait for what is typed into one terminal before it, in bytes: as much as a terminal takes at once. */
const WAITING_BYTES = 1024 * 1024;

/** What waits to be typed into one terminal. */
interface Queue {
  readonly last: Promise<unknown>;
  readonly bytes: number;
}

/** Of terminals that are being asked whether they edit lines. */
const queues = new WeakMap<Terminal, Queue>();

/** Types into a terminal, in the order of the calls. Answers how many bytes it took. Rejects with an OperationError where
 * the terminal would lose a part of a line, or its program has ended meanwhile. */
export async function type(terminal: Terminal, bytes: Uint8Array): Promise<number> {
  const queue = queues.get(terminal);
  if (queue === undefined && !hasLongLine(bytes)) return terminal.write(bytes);
  const { last, bytes: waiting } = queue ?? { last: Promise.resolve(), bytes: 0 };
  if (waiting > 0 && waiting + bytes.length > WAITING_BYTES) {
    throw new OperationError(
      "capacity_exceeded",
      `${waiting} bytes wait to be typed into the session; try again when they have been`,
    );
  }
  const typed = last.then(() => typeLines(terminal, bytes));
  const done = typed.catch(() => {}).then(() => leave(terminal, bytes.length));
  queues.set(terminal, { last: done, bytes: waiting + bytes.length });
  return typed;
}

function leave(terminal: Terminal, bytes: number): void {
  const queue = queues.get(terminal);
  const left = (queue?.bytes ?? 0) - bytes;
  if (queue === undefined || left <= 0) queues.delete(terminal);
  else queues.set(terminal, { ...queue, bytes: left });
}

async function typeLines(terminal: Terminal, bytes: Uint8Array): Promise<number> {
  requireRunning(terminal);
  if (hasLongLine(bytes) && (await readLineMode(terminal.tty))?.canonical === true) {
    throw new OperationError(
      "invalid_request",
      `write must have no line longer than ${LONGEST_LINE_BYTES} bytes while the terminal edits lines itself, which loses the rest; put it in a file and have that read`,
    );
  }
  requireRunning(terminal);
  return terminal.write(bytes);
}
