import { encodeKey } from "../../keys/encode.ts";
import { pasteBytes } from "../../keys/keys.ts";
import type { NamedKey } from "../../keys/names.ts";
import type { Terminal } from "../../terminal.ts";
import { InvalidArgument } from "../errors.ts";
import { MAX_KEYS, MAX_TEXT_BYTES } from "../limits.ts";
import type { TerminalKey, TerminalWrite, WriteResult } from "../messages.ts";
import type { Operation } from "../operation.ts";
import { type } from "../typing.ts";
import type { Ground } from "./ground.ts";
import { requireRunning } from "./running.ts";

const KEYS: Readonly<Record<TerminalKey, NamedKey>> = {
  enter: "Enter",
  tab: "Tab",
  escape: "Escape",
  backspace: "BSpace",
  delete: "DC",
  insert: "IC",
  arrow_up: "Up",
  arrow_down: "Down",
  arrow_left: "Left",
  arrow_right: "Right",
  home: "Home",
  end: "End",
  page_up: "PPage",
  page_down: "NPage",
};

/** Types into a session. `accepted_bytes` is less than what was given where its program does not read. */
export async function write(
  { session_id, write: wanted }: Operation<"write">,
  { sessions }: Ground,
): Promise<WriteResult> {
  requireWrite(wanted);
  const session = sessions.get(session_id);
  const { terminal } = session;
  requireRunning(terminal);
  const bytes = bytesOf(wanted, terminal);
  const isInterrupt = wanted.kind === "controls" && bytes.every((byte) => INTERRUPTS.has(byte));
  // Where the program does not read, whoever wants to stop it would wait behind all that was typed.
  if (isInterrupt) terminal.interrupt(bytes);
  const accepted = isInterrupt ? bytes.length : await type(terminal, bytes);
  return { session: session.facts(), accepted_bytes: accepted };
}

/** INTR, SUSP and QUIT (termios(3)). */
const INTERRUPTS: ReadonlySet<number> = new Set([0x03, 0x1a, 0x1c]);

function requireWrite(write: TerminalWrite): void {
  const [name, size, most] =
    write.kind === "keys"
      ? ["keys", write.keys.length, MAX_KEYS]
      : write.kind === "controls"
        ? ["controls", write.controls.length, MAX_KEYS]
        : ["text", Buffer.byteLength(write.text), MAX_TEXT_BYTES];
  if (size >= 1 && size <= most) return;
  throw new InvalidArgument(`write.${name} must have from 1 to ${most}, got ${size}`);
}

function bytesOf(write: TerminalWrite, { modes }: Terminal): Buffer {
  switch (write.kind) {
    case "text":
      return Buffer.from(write.text);
    case "paste":
      return pasteBytes(write.text, { modes });
    case "keys": {
      const none = { shift: false, meta: false, control: false };
      const sent = write.keys.map((key) => encodeKey({ ...none, named: KEYS[key] }, modes ?? {}));
      return Buffer.from(sent.join(""));
    }
    case "controls":
      return Buffer.from(write.controls.map(controlOf));
  }
}

/** What a character makes with Ctrl. */
function controlOf(code: number): number {
  if (code === 0x3f) return 0x7f;
  if ((code >= 0x40 && code <= 0x5f) || (code >= 0x61 && code <= 0x7a)) return code & 0x1f;
  throw new InvalidArgument(`write.controls must be the codes of ?, @ to _ or a to z, got ${code}`);
}
