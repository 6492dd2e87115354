import { randomBytes } from "node:crypto";
import { HostError } from "../../host/failure.ts";
import { keyBytes, submitWrites } from "../../host/keys/keys.ts";
import type { KeyModes } from "../../host/keys/modes.ts";
import { pasteBytes } from "../../host/keys/paste.ts";
import { hasLongLine, LONGEST_LINE_BYTES, readLineMode } from "../../host/pty/line-mode.ts";
import { ActingError } from "../failure.ts";
import type { SendInput } from "../terminal.ts";
import type { Pane } from "./pane.ts";

/** How many keys are typed in one command, in bytes. Its server takes 10 ms for so many and 400 ms for eight times as
 * many, in which it does nothing else for anybody. */
const CHUNK_BYTES = 512;

/** Text that buffers of tmux keep as it is in every version: without control characters. */
const PLAIN = /^[^\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$/;

/** How much is typed at once at most, in bytes: what a terminal of our own takes. */
const MOST_BYTES = 1024 * 1024;

/** Types keys and text into a pane. Nothing is interpreted on the way: tmux gets bytes, and which bytes a key is, our own
 * table says. */
export async function typeKeys(
  pane: Pane,
  { keys, literal = false }: SendInput,
  tty: string | undefined,
): Promise<void> {
  await typeBytes(pane, await bytesOf(pane, keys, literal), tty);
}

/** Pastes a text, and presses Enter as a key of its own once the program has taken the text in. */
export async function submit(
  pane: Pane,
  { keys }: SendInput,
  tty: string | undefined,
  pause: (ms: number) => Promise<unknown>,
): Promise<void> {
  // The marks around a paste are left to tmux, which alone knows whether the program asked for them.
  const writes = submitWrites(keys.join(""), {});
  for (const [index, { bytes, afterMs }] of writes.entries()) {
    if (afterMs > 0) await pause(afterMs);
    if (index < writes.length - 1) await paste(pane, bytes, tty, "-p");
    else await typeBytes(pane, bytes, tty);
  }
}

/** Cursor keys and those of the keypad are other bytes in some modes; only then the pane is asked for these. */
async function bytesOf(pane: Pane, keys: readonly string[], literal: boolean): Promise<Buffer> {
  const plain = encoded(keys, literal, {});
  if (literal || encoded(keys, literal, APPLICATION).equals(plain)) return plain;
  const format = "#{keypad_cursor_flag}:#{keypad_flag}";
  const answer = await pane.run({
    need: "typing",
    commands: [`display-message -p -t ${pane.target} '${format}'`],
  });
  const [cursor, keypad] = answer.toString("latin1").trim().split(":");
  return encoded(keys, literal, {
    applicationCursor: cursor === "1",
    applicationKeypad: keypad === "1",
  });
}

const APPLICATION: KeyModes = { applicationCursor: true, applicationKeypad: true };

function encoded(keys: readonly string[], literal: boolean, modes: KeyModes): Buffer {
  try {
    return keyBytes(keys, { literal, modes });
  } catch (error) {
    if (error instanceof HostError) throw new ActingError("invalid", error.message);
    throw error;
  }
}

/** Types bytes as they are. */
export async function typeBytes(pane: Pane, bytes: Buffer, tty: string | undefined): Promise<void> {
  if (bytes.length > CHUNK_BYTES && PLAIN.test(bytes.toString("utf8"))) {
    return paste(pane, bytes, tty);
  }
  await requireTypable(bytes, tty);
  // Of nothing at all it is found out whether it could be typed.
  for (let at = 0; at === 0 || at < bytes.length; at += CHUNK_BYTES) {
    const chunk = bytes.subarray(at, at + CHUNK_BYTES);
    const hex = [...chunk].map((byte) => byte.toString(16).padStart(2, "0"));
    const commands = hex.length === 0 ? [] : [`send-keys -t ${pane.target} -H ${hex.join(" ")}`];
    await pane.run({ need: "typing", commands }).catch((error: unknown) => {
      throw at > 0 && error instanceof ActingError ? partly(error, at, bytes.length) : error;
    });
  }
}

const partly = ({ reason, message }: ActingError, at: number, of: number) =>
  new ActingError(reason, `${message}; ${at} of ${of} bytes had been typed before`);

/** Pastes a text as a terminal does: nothing in it ends the paste or presses a key, and it is marked where the program asked
 * for that. */
export async function pasteText(pane: Pane, text: string, tty: string | undefined): Promise<void> {
  const bytes = pasteBytes(text, {});
  if (bytes.length > 0) await paste(pane, bytes, tty, "-p");
}

/** Through a buffer of our own, which takes a text of any length, and with `-p` is marked as a paste where the program asked
 * for that, as tmux alone knows. It is there while the server does this one command, under a name that nobody has. */
async function paste(
  pane: Pane,
  bytes: Buffer,
  tty: string | undefined,
  mark?: "-p",
): Promise<void> {
  await requireTypable(bytes, tty);
  const buffer = `termtopic-${randomBytes(8).toString("hex")}`;
  const options = ["-d", "-r", ...(mark === undefined ? [] : [mark])].join(" ");
  await pane.run({
    need: "typing",
    prepare: {
      command: ["load-buffer", "-b", buffer, "-"],
      input: bytes,
      undo: `delete-buffer -b ${buffer}`,
    },
    commands: [`paste-buffer ${options} -b ${buffer} -t ${pane.target}`],
  });
}

async function requireTypable(bytes: Buffer, tty: string | undefined): Promise<void> {
  if (bytes.length > MOST_BYTES) {
    throw new ActingError(
      "invalid",
      `keys must be at most ${MOST_BYTES} bytes together, got ${bytes.length}; put the text in a file`,
    );
  }
  if (tty === undefined || !hasLongLine(bytes)) return;
  if ((await readLineMode(tty))?.canonical !== true) return;
  throw new ActingError(
    "invalid",
    `keys must have no line longer than ${LONGEST_LINE_BYTES} bytes while the terminal edits lines itself, which loses the rest; put it in a file and run that`,
  );
}
