import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Draws the whole screen for its size whenever that changes, and counts in a file how often it was told so. */
const PROGRAM = `
const { writeFileSync } = require("node:fs");
let told = 0;
const draw = () => {
  const [cols, rows] = process.stdout.getWindowSize();
  const lines = Array.from({ length: rows }, (_, row) => {
    const text = "row " + row + " of " + cols + "x" + rows + " ";
    return "\\x1b[3" + (row % 8) + "m" + text.repeat(Math.ceil(cols / text.length)).slice(0, cols - 1) + "\\x1b[0m";
  });
  process.stdout.write("\\x1b[H\\x1b[2J" + lines.join("\\r\\n"));
};
process.on("SIGWINCH", () => {
  told += 1;
  writeFileSync(process.argv[2], String(told));
});
process.stdout.on("resize", draw);
setInterval(() => {}, 60_000);
draw();
`;

/** A program that uses the whole screen, as an editor does. */
export class Redraw {
  readonly command: readonly [file: string, ...args: string[]];
  readonly #count: string;

  constructor(folder: string, name: string) {
    const program = join(folder, "redraw.cjs");
    writeFileSync(program, PROGRAM);
    this.#count = join(folder, `${name}.count`);
    writeFileSync(this.#count, "0");
    this.command = [process.execPath, program, this.#count];
  }

  /** How many SIGWINCH it has had. */
  get told(): number {
    return Number(readFileSync(this.#count, "utf8"));
  }
}
