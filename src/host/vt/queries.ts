import type { Sequence } from "./sequence.ts";

/** What a program may ask the terminal, as far as answers differ in how surely they are told from keys: where its cursor
 * is, what its title is, and all else. */
export type Question = "cursor" | "title" | "other";

const QUESTION = 0x3f;
const DOLLAR = 0x24;

const code = (character: string) => character.charCodeAt(0);

/** Finals of sequences that ask by themselves: device attributes, status, terminal parameters. */
const ASKING = new Set(["c", "n", "x"].map(code));

/** What a window is asked for: its state, position, sizes, and titles (XTWINOPS). */
const WINDOW_QUESTIONS = new Set([11, 13, 14, 15, 16, 18, 19, 20, 21]);

const TITLE_QUESTIONS = new Set([20, 21]);
const CURSOR_STATUS = 6;

/** With an intermediate: modes, checksums, presentation state. */
const ASKING_MORE = new Set(["$p", "*y", "$w"]);

/** Operating system commands that state colours and fonts, or ask for them with a question mark. */
const ASKABLE = /^(?:4|5|1\d|2[1-9]|50);(?:.*;)?\?/;

/** How much of a command may stand before the question, in bytes. */
const QUESTION_BYTES = 256;

/** Whether a control sequence asks the terminal something. */
export function isQuestion(sequence: Sequence): boolean {
  const { prefix, intermediate, final } = sequence;
  if (intermediate > 0) {
    return ASKING_MORE.has(String.fromCharCode(intermediate, final));
  }
  if (final === code("t")) return prefix === 0 && WINDOW_QUESTIONS.has(sequence.value(0, 0));
  if (final === code("q")) return prefix === code(">");
  if (final === code("u") || final === code("m")) return prefix === QUESTION;
  return ASKING.has(final) && !(final === code("n") && prefix === code(">"));
}

/** What a control sequence asks that is a question. */
export function questionOf(sequence: Sequence): Question {
  const { intermediate, final } = sequence;
  const what = intermediate === 0 ? sequence.value(0, 0) : 0;
  if (final === code("n") && what === CURSOR_STATUS) return "cursor";
  return final === code("t") && TITLE_QUESTIONS.has(what) ? "title" : "other";
}

/** Whether the head of a device control string is that of a question: for a setting (DECRQSS) or a capability (XTGETTCAP). */
export function isDeviceQuestion(sequence: Sequence): boolean {
  const { intermediate, final } = sequence;
  return final === code("q") && (intermediate === DOLLAR || intermediate === code("+"));
}

/** Whether an operating system command asks for what it could state. */
export function isCommandQuestion(body: Uint8Array): boolean {
  return ASKABLE.test(String.fromCharCode(...body.subarray(0, QUESTION_BYTES)));
}
