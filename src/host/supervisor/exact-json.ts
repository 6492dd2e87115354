import { randomUUID } from "node:crypto";
import { endOfString } from "../json-parts.ts";
import { ProtocolError } from "./errors.ts";

const QUOTE = 0x22;
const COLON = 0x3a;
/** Of whole numbers with fewer digits each is a number of its own; longer ones are beyond 64 bits. */
const LEAST_DIGITS = 16;
const MOST_DIGITS = 20;

/** How many of them one text may have. No message of the dialect has ten. */
const MAX_LONG = 64;

/** Reads JSON as `JSON.parse` does, but for whole numbers from 2^53 on, of at most 20 digits: they are bigints, since a
 * number would be a neighbour of theirs. The dialect has unsigned integers of 64 bits. Throws a SyntaxError, and a
 * ProtocolError where there are too many of them. */
export function parseExact(json: Uint8Array): unknown {
  const { buffer, byteOffset, length } = json;
  const bytes = Buffer.from(buffer, byteOffset, length);
  const found = longIntegers(bytes);
  if (found.length === 0) return JSON.parse(bytes.toString("utf8"));
  // Nobody can have written a text that begins so.
  const mark = randomUUID();
  let text = "";
  let at = 0;
  for (const [from, to] of found) {
    text += `${bytes.toString("utf8", at, from)}"${mark}${bytes.toString("latin1", from, to)}"`;
    at = to;
  }
  return unmarked(JSON.parse(text + bytes.toString("utf8", at)), mark);
}

/** Puts numbers where texts stand that begin with the mark. A reviver would take ten times as long. */
function unmarked(root: unknown, mark: string): unknown {
  const whole: Record<string, unknown> = { root };
  const open = [whole];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    for (const key of Object.keys(one)) {
      const value = one[key];
      if (isHolder(value)) open.push(value);
      else if (typeof value === "string" && value.startsWith(mark)) {
        one[key] = exact(value.slice(mark.length));
      }
    }
  }
  return whole["root"];
}

/** Lists too: their places are names. */
const isHolder = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

const TOO_MANY = `a frame must hold at most ${MAX_LONG} whole numbers of ${LEAST_DIGITS} digits or more`;

function exact(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
}

/** Where whole numbers stand that have many digits and no sign. */
function longIntegers(json: Uint8Array): [number, number][] {
  const found: [number, number][] = [];
  for (let at = 0; at < json.length; at += 1) {
    if (json[at] === QUOTE) at = endOfString(json, at + 1);
    else if (isDigit(json[at])) {
      const from = at;
      while (isDigit(json[at + 1])) at += 1;
      if (!isLong(json, from, at + 1)) continue;
      if (found.length === MAX_LONG) throw new ProtocolError("decode", TOO_MANY);
      found.push([from, at + 1]);
    }
  }
  return found;
}

function isLong(json: Uint8Array, from: number, to: number): boolean {
  const digits = to - from;
  if (digits < LEAST_DIGITS || digits > MOST_DIGITS || json[from] === 0x30) return false;
  let next = to;
  while (isSpace(json[next])) next += 1;
  // What is no JSON stays none: a number is no name of a field.
  return json[next] !== COLON && !isOfFraction(json[from - 1]) && !isOfFraction(json[to]);
}

const isDigit = (byte = 0) => byte >= 0x30 && byte <= 0x39;
const isSpace = (byte = 0) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
/** `+`, `-`, `.`, `E` and `e`: what is beside them is no whole number, or one below 0. */
const isOfFraction = (byte = 0) => [0x2b, 0x2d, 0x2e, 0x45, 0x65].includes(byte);
