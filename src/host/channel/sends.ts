import { HostError } from "../failure.ts";
import { keyBytes, submitWrites } from "../keys/keys.ts";
import { hasLongLine, LONGEST_LINE_BYTES, readLineMode } from "../pty/line-mode.ts";
import type { Terminal } from "../terminal.ts";
import type { HostCall } from "./messages.ts";

/** Keys that stop or end a program (termios(3): INTR, SUSP, QUIT). */
const INTERRUPTS: ReadonlySet<number> = new Set([0x03, 0x1a, 0x1c]);

/** Whether these are nothing but keys that stop or end a program: they go before all that waits to be read. */
export function isInterrupt(bytes: Uint8Array): boolean {
  return bytes.length > 0 && bytes.every((byte) => INTERRUPTS.has(byte));
}

/** How much may wait for what is typed into one terminal before it, in UTF-16 units: as much as a terminal takes at once.
 * What submits waits longest, and may be megabytes. */
const WAITING_UNITS = 1024 * 1024;

type Send = Extract<HostCall, { op: "send" }>;

/** What is to be typed into one terminal. */
interface Queue {
  readonly last: Promise<void>;
  /** How much waits, and what is being typed. */
  readonly units: number;
}

/** Types what calls send, for each terminal in the order of the calls: nothing comes between a text and the Enter that
 * submits it. */
export class Sends {
  readonly #pause: (ms: number) => Promise<void>;
  readonly #queues = new WeakMap<Terminal, Queue>();

  constructor(pause: (ms: number) => Promise<void>) {
    this.#pause = pause;
  }

  /** Rejects with a `HostError` where not all of it could be typed. */
  send(terminal: Terminal, send: Send): Promise<void> {
    const { last, units } = this.#queues.get(terminal) ?? EMPTY;
    const more = send.keys.reduce((sum, { length }) => sum + length, 0);
    if (units > 0 && units + more > WAITING_UNITS) {
      const why = `${units} characters wait to be typed into the terminal; try again when they have been`;
      return Promise.reject(new HostError("busy", why));
    }
    const sent = last.then(() => this.#type(terminal, send));
    const done = sent.catch(() => {}).then(() => this.#typed(terminal, more));
    this.#queues.set(terminal, { last: done, units: units + more });
    return sent;
  }

  #typed(terminal: Terminal, units: number): void {
    const queue = this.#queues.get(terminal);
    if (queue === undefined) return;
    this.#queues.set(terminal, { ...queue, units: queue.units - units });
  }

  async #type(terminal: Terminal, { keys, literal, submit }: Send): Promise<void> {
    const { modes } = terminal;
    if (submit !== true) return write(terminal, keyBytes(keys, { literal, modes }));
    for (const { bytes, afterMs } of submitWrites(keys.join(""), { modes })) {
      if (afterMs > 0) await this.#pause(afterMs);
      await write(terminal, bytes);
    }
  }
}

const EMPTY: Queue = { last: Promise.resolve(), units: 0 };

async function write(terminal: Terminal, bytes: Uint8Array): Promise<void> {
  requireRunning(terminal);
  if (isInterrupt(bytes)) {
    terminal.interrupt(bytes);
    return;
  }
  if (hasLongLine(bytes) && (await readLineMode(terminal.tty))?.canonical === true) {
    throw longLine("keys");
  }
  requireRunning(terminal);
  const taken = terminal.write(bytes);
  if (taken === bytes.length) return;
  throw new HostError(
    "busy",
    `the program does not read: ${taken} of ${bytes.length} bytes were taken; try again when it does`,
  );
}

function requireRunning(terminal: Terminal): void {
  if (terminal.state === "running") return;
  throw new HostError("ended", "the program in the terminal has ended, so nothing can be typed");
}

/** Refuses a command that a shell would not get whole: it is typed before the shell has taken over the editing of lines. */
export function requireShortLines(command: string): void {
  if (hasLongLine(Buffer.from(command))) throw longLine("command");
}

const longLine = (field: string) =>
  new HostError(
    "invalid",
    `${field} must have no line longer than ${LONGEST_LINE_BYTES} bytes while the terminal edits lines itself, which loses the rest; put it in a file and run that`,
  );
