import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

/** A program that writes a mark whenever it is told to, with the time at which it does. It is told through a pipe, so
 * that no terminal has a part in when that is. */
export class Marks {
  readonly command: readonly [file: string, script: string];
  readonly #pipe: number;
  #asked = 0;

  /** `last`: it ends after its first mark. */
  constructor(folder: string, name: string, { last = false } = {}) {
    const pipe = join(folder, `${name}.pipe`);
    const script = join(folder, `${name}.sh`);
    execFileSync("mkfifo", [pipe]);
    writeFileSync(
      script,
      `LC_ALL=C; exec 3<${pipe}; while read -r word <&3; do\n` +
        `printf 'mark-%s-%s-end\\n' "$word" "$EPOCHREALTIME"; ${last ? "exit" : ""}\ndone\n`,
    );
    this.command = ["bash", script];
    // Opened for both, it waits for no reader.
    this.#pipe = openSync(pipe, constants.O_RDWR);
  }

  /** Has the next mark written; answers a pattern that matches it and nothing before. */
  next(): { readonly pattern: string; tell(): void } {
    this.#asked += 1;
    const word = this.#asked;
    return {
      pattern: `mark-${word}-([0-9.]+)-end`,
      tell: () => writeSync(this.#pipe, `${word}\n`),
    };
  }

  end(): void {
    closeSync(this.#pipe);
  }
}

/** When a mark was written, in epoch milliseconds; undefined where the text has none. */
export function markedAt(text: string, pattern: string): number | undefined {
  const seconds = new RegExp(pattern).exec(text)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}
