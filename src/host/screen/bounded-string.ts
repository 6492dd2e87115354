import type { Parser, StringHandler } from "./internals.ts";
import { PAYLOAD_CHARACTERS } from "./limits.ts";

/** Collects what comes in pieces up to a limit, so that a string without an end takes no memory. */
class Collected implements StringHandler {
  readonly #limit: number;
  #text = "";
  isCut = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  put(data: Uint32Array, start: number, end: number): void {
    for (let at = start; at < end; at += 1) {
      if (this.#text.length >= this.#limit) {
        this.isCut = true;
        return;
      }
      this.#text += String.fromCodePoint(data[at] ?? 0xfffd);
    }
  }

  take(): string {
    const text = this.#text;
    this.clear();
    return text;
  }

  clear(): void {
    this.#text = "";
    this.isCut = false;
  }
}

/** Lets `heed` have the payload of an OSC sequence, in place of whatever the parser did with it. One longer than the
 * limit, in characters, is passed over, or heeded up to the limit where `isCut` says so. */
export function heedOsc(
  parser: Parser,
  code: number,
  heed: (payload: string) => void,
  { limit = PAYLOAD_CHARACTERS, isCut = false } = {},
): void {
  const collected = new Collected(limit);
  parser.clearOscHandler(code);
  parser.registerOscHandler(code, {
    start: () => collected.clear(),
    put: (data, start, end) => collected.put(data, start, end),
    end(isWhole) {
      const passes = isWhole && (isCut || !collected.isCut);
      const payload = collected.take();
      if (passes) heed(payload);
      return true;
    },
  });
}

/** The same for DCS sequences `DCS <intermediates> <final> payload ST`. */
export function heedDcs(
  parser: Parser,
  id: { intermediates: string; final: string },
  heed: (payload: string) => void,
): void {
  const collected = new Collected(PAYLOAD_CHARACTERS);
  parser.clearDcsHandler(id);
  parser.registerDcsHandler(id, {
    hook: () => collected.clear(),
    put: (data, start, end) => collected.put(data, start, end),
    unhook(isWhole) {
      const passes = isWhole && !collected.isCut;
      const payload = collected.take();
      if (passes) heed(payload);
      return true;
    },
  });
}
