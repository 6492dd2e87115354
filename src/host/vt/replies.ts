import type { Question } from "./queries.ts";

/** What a terminal sent that has the form of an answer. */
export interface Reply {
  /** What it answers. */
  readonly to: Question;
  /** Whether nothing else has this form, neither a key nor a pointer. Where it is not set, only a question that has been
   * asked tells an answer from a key. */
  readonly isSure: boolean;
}

/** A colour as xterm states it ("Xterm Control Sequences", OSC 4 and 10 to 19). */
const COLOUR = "(?:rgba?:[\\da-fA-F/]+|#[\\da-fA-F]+)";
const TEXT = "[^\\x07\\x1b]*";
const ST = "\\x1b\\\\";

/** Answers that nothing else looks like, without ESC. */
const SURE: readonly string[] = [
  // Device attributes: no key has a `?` or `>` in front.
  "\\[[?>][\\d;]*c",
  // Status, and what DECDSR and the colour scheme (997) are answered with.
  "\\[[03]n",
  "\\[\\?[\\d;]+n",
  // Modes (DECRPM).
  "\\[\\??\\d+;[0-4]\\$y",
  // Window state, position and sizes. `48;` is none: it tells of a resize that happened (mode 2048).
  "\\[[12]t",
  "\\[[345689];\\d+;\\d+t",
  // Keyboard flags of kitty, and of xterm's modifyOtherKeys.
  "\\[\\?\\d+u",
  "\\[>\\d+(?:;\\d*)?m",
  // Graphics (XTSMGRAPHICS), terminal parameters (DECREPTPARM).
  "\\[\\?[\\d;]+S",
  "\\[[23](?:;\\d+){6}x",
  // Colours, further ones of kitty, the font, the clipboards.
  `\\](?:[45];\\d+|1\\d);${COLOUR}(?:;\\d+;${COLOUR})*(?:\\x07|${ST})`,
  `\\](?:2[1-9]|50|5522);${TEXT}(?:\\x07|${ST})`,
  `\\]52;\\w*;[\\w+/=]*(?:\\x07|${ST})`,
  // Of kitty what became of a notification or a file, and iTerm2's variables, capabilities and sizes.
  `\\](?:99|5113|1337);${TEXT}(?:\\x07|${ST})`,
  // Settings (DECRQSS), capabilities (XTGETTCAP), the version, the unit (DA3), a checksum, what DECRQPSR asks for.
  `P[01]\\$r${TEXT}${ST}`,
  `P[01]\\+r${TEXT}${ST}`,
  `P>\\|${TEXT}${ST}`,
  `P!\\|[\\da-fA-F]*${ST}`,
  `P\\d*!~[\\da-fA-F]*${ST}`,
  `P[12]\\$u${TEXT}${ST}`,
  // Pictures of kitty.
  `_G[a-zA-Z]=${TEXT}${ST}`,
];

/** A report of the cursor. */
const CURSOR = /^\x1b\[\??(\d+);\d+(?:;\d+)?R$/;

/** In the first row it looks as F3 with modifiers does (xterm, "PC-Style Function Keys"). */
const AS_KEY = /^\x1b\[1;\d+R$/;

/** The title, which after Alt and `]` anybody could have typed. */
const TITLE = new RegExp(`^\\x1b\\][lL]${TEXT}(?:\\x07|${ST})$`);

/** What answers end with. */
const LAST = new Set("cnytumSxR\x07\\");

const SURE_REPLY = new RegExp(`^\\x1b(?:${SURE.join("|")})$`);

/** What a sequence that a terminal sent answers; `undefined` where it is a key, or whatever else is no answer. Bytes are
 * the characters of the text, one each. */
export function replyIn(sequence: string): Reply | undefined {
  // Most keys end as no answer does.
  if (!LAST.has(sequence.at(-1) ?? "")) return undefined;
  if (CURSOR.test(sequence)) return { to: "cursor", isSure: !AS_KEY.test(sequence) };
  if (TITLE.test(sequence)) return { to: "title", isSure: false };
  return SURE_REPLY.test(sequence) ? { to: "other", isSure: true } : undefined;
}

/** The heads of strings that answer. */
const HEAD = `(?:\\](?:[45]|1\\d|2[1-9]|5[02]|99|1337|5113|5522);|P(?:[01][$+]r|>\\||!\\||\\d*!~|[12]\\$u)|_G[a-zA-Z]=)`;

const BEGINNING = new RegExp(
  `^\\x1b(?:\\[[?>]?[\\d;]*\\$?|\\](?:\\d{0,4}|[lL]${TEXT}\\x1b?)|P(?:\\d{0,8}[$+!]?|>)|_(?:G[a-zA-Z]?)?|${HEAD}${TEXT}\\x1b?)?$`,
);

/** Whether an answer may begin so, with ESC first. Many keys begin so too. */
export const beginsReply = (text: string): boolean => BEGINNING.test(text);

const SURE_BEGINNING = new RegExp(`^\\x1b(?:\\[[?>]|${HEAD})`);

/** Whether of what may begin an answer no key begins so. */
export const beginsSureReply = (text: string): boolean => SURE_BEGINNING.test(text);

/** Whether it begins a string that answers, which may be of any length. */
export const beginsReplyString = (text: string): boolean => REPLY_STRING.test(text);

const REPLY_STRING = new RegExp(`^\\x1b${HEAD}`);
