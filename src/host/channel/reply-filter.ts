import type { Question } from "../vt/queries.ts";
import { beginsReply, beginsReplyString, beginsSureReply, replyIn } from "../vt/replies.ts";

/** How long a viewer may take to answer a question, in milliseconds, before what looks like the answer is a key. */
const ANSWER_MS = 5_000;

/** How many questions of one kind may be open: each takes one answer that looks like a key. */
const OPEN_QUESTIONS = 16;

/** How long the beginning of a sequence is held back for its end, in milliseconds: where a key may have been meant, which
 * is only done while an answer is due, and where none was. */
const KEY_MS = 20;
const REPLY_MS = 250;

/** How much is held back, in bytes. Of a longer string the rest is left out as it comes. */
const HELD_BYTES = 4_096;

const ESC = "\x1b";
const PASTE_BEGIN = "\x1b[200~";
const PASTE_END = "\x1b[201~";

/** A control sequence or a string of controls (ECMA-48 5.4, 5.6). */
const SEQUENCE = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]P_][^\x07\x1b]*(?:\x07|\x1b\\))/y;

const NOTHING = Buffer.alloc(0);

/** Leaves out of what a viewer types the answers of its own terminal: the host has answered the program, which would have
 * two answers, or as many as there are viewers. Keys, pointers and all that is in a paste pass, and at once: only the
 * beginning of what could be an answer waits, for a moment. */
export class ReplyFilter {
  readonly #now: () => number;
  /** Until when answers are due, by what was asked. */
  readonly #due = new Map<Question, number[]>();
  /** The beginning of a sequence at the end of what came, and how much of it has been let go. */
  #open = "";
  #gone = 0;
  #isPaste = false;
  /** Whether the rest of a long answer is being left out. */
  #isLong = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The program asked something, which the viewer's terminal may answer too. */
  asked(question: Question): void {
    const due = this.#due.get(question) ?? [];
    this.#due.set(question, [...due, this.#now() + ANSWER_MS].slice(-OPEN_QUESTIONS));
  }

  /** How long to wait for the end of what is held back before it is let go, in milliseconds. Absent where nothing is. */
  get heldMs(): number | undefined {
    if (this.#isLong) return REPLY_MS;
    if (this.#gone === this.#open.length) return undefined;
    return beginsSureReply(this.#open) ? REPLY_MS : KEY_MS;
  }

  /** What of the bytes passes now. */
  take(bytes: Uint8Array): Uint8Array {
    if (this.#open === "" && !this.#isLong && !bytes.includes(0x1b)) return bytes;
    const typed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
    const passed = this.#isLong ? this.#afterLong(typed) : this.#cut(this.#open + typed);
    return Buffer.from(passed, "latin1");
  }

  /** Nothing more came: what is held back was typed. */
  flush(): Uint8Array {
    if (this.#isLong) {
      this.#isLong = false;
      this.#open = "";
      this.#gone = 0;
      return NOTHING;
    }
    const held = this.#open.slice(this.#gone);
    // It is still known, as what comes later may show it to have begun a paste.
    this.#gone = this.#open.length;
    return Buffer.from(held, "latin1");
  }

  #cut(text: string): string {
    const gone = this.#gone;
    this.#open = "";
    this.#gone = 0;
    let passed = "";
    let at = 0;
    const passTo = (end: number) => {
      passed += text.slice(Math.max(at, gone), Math.max(end, gone));
      at = end;
    };
    while (at < text.length) {
      const mark = text.indexOf(this.#isPaste ? PASTE_END : ESC, at);
      if (mark < 0) {
        if (this.#isPaste) this.#open = endingLike(text.slice(at), PASTE_END);
        this.#gone = this.#open.length;
        passTo(text.length);
      } else if (this.#isPaste) {
        this.#isPaste = false;
        passTo(mark + PASTE_END.length);
      } else {
        passTo(mark);
        const sequence = sequenceAt(text, mark);
        if (sequence === undefined && beginsReply(text.slice(mark))) {
          return passed + this.#hold(text.slice(mark), Math.max(0, gone - mark));
        }
        this.#isPaste = sequence === PASTE_BEGIN;
        const end = mark + (sequence ?? ESC).length;
        const isLeftOut = sequence !== undefined && this.#answers(sequence) && gone <= mark;
        if (isLeftOut) at = end;
        else passTo(end);
      }
    }
    return passed;
  }

  /** Whether nobody typed it. Of a sequence whose beginning was let go the rest is let go too. */
  #answers(sequence: string): boolean {
    const reply = replyIn(sequence);
    if (reply === undefined) return false;
    const due = this.#dueNow(reply.to);
    this.#due.set(reply.to, due.slice(1));
    return reply.isSure || due.length > 0;
  }

  #dueNow(question: Question): number[] {
    const now = this.#now();
    return (this.#due.get(question) ?? []).filter((until) => until > now);
  }

  /** Answers what of the beginning passes: what a key begins with waits only while an answer is due. */
  #hold(text: string, gone: number): string {
    this.#open = text;
    this.#gone = gone;
    const isDue = [...this.#due.keys()].some((question) => this.#dueNow(question).length > 0);
    const isHeld = gone === 0 && (isDue || beginsSureReply(text));
    if (isHeld && text.length <= HELD_BYTES) return "";
    if (isHeld && beginsReplyString(text)) {
      this.#isLong = true;
      this.#open = text.endsWith(ESC) ? ESC : "";
      return "";
    }
    this.#gone = text.length;
    // What has gone is known for the sake of a paste, whose beginning is short.
    if (text.length > HELD_BYTES) this.#open = "";
    if (text.length > HELD_BYTES) this.#gone = 0;
    return text.slice(gone);
  }

  /** Leaves out up to the string's end. */
  #afterLong(typed: string): string {
    const text = this.#open + typed;
    const end = text.search(/[\x07\x1b]/);
    const isCut = end === text.length - 1 && text[end] === ESC;
    this.#open = isCut ? ESC : "";
    if (end < 0 || isCut) return "";
    this.#isLong = false;
    this.#open = "";
    const isTerminator = text.startsWith("\x1b\\", end);
    const next = isTerminator ? end + 2 : text[end] === ESC ? end : end + 1;
    return this.#cut(text.slice(next));
  }
}

function sequenceAt(text: string, at: number): string | undefined {
  SEQUENCE.lastIndex = at;
  return SEQUENCE.exec(text)?.[0];
}

/** The longest end of a text that the mark begins with. */
function endingLike(text: string, mark: string): string {
  for (let length = Math.min(text.length, mark.length - 1); length > 0; length -= 1) {
    if (mark.startsWith(text.slice(-length))) return text.slice(-length);
  }
  return "";
}
