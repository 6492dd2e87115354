import { createColors } from "picocolors";
import { errorCode } from "../files/reason.ts";
import { tellFailure } from "./failure.ts";

export type Colors = ReturnType<typeof createColors>;

/** Whether the output is a terminal that can be drawn on. */
export function isScreen(): boolean {
  return process.stdout.isTTY === true && process.env["TERM"] !== "dumb";
}

/** Colours for a terminal; elsewhere, or with NO_COLOR set (https://no-color.org), none. */
export function outputColors(): Colors {
  return createColors(isScreen() && !process.env["NO_COLOR"]);
}

/** Whoever read the output has seen enough, such as `head`: that ends the program and is no failure. */
export function endWithOutput(): void {
  process.stdout.on("error", endQuietly);
}

/** For a program whose output is only a greeting: it goes on when nobody reads that. */
export function outliveOutput(): void {
  process.stdout.off("error", endQuietly);
  for (const output of [process.stdout, process.stderr]) output.on("error", () => {});
}

function endQuietly(error: Error): void {
  if (errorCode(error) !== "EPIPE") tellFailure(error);
  process.exit();
}
