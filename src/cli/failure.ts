import { clean } from "./text.ts";

/** How the program ends: `ok`; `failed`, it could not do what was asked; `usage`, it was asked wrongly. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

/** The program was asked for something that does not exist or does not fit together. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Says something to a person beside the output. One line, whoever the words come from. */
export function tell(message: string): void {
  process.stderr.write(`termtopic: ${clean(message)}\n`);
}

/** Says why it ends, in the error's own words, and sets the exit code. */
export function tellFailure(error: unknown): void {
  tell(messageOf(error));
  process.exitCode = error instanceof UsageError ? EXIT.usage : EXIT.failed;
}

/** What nobody caught leaves a program in a state that nobody knows: it is told by `tellIt` alone, and ends it. */
export function endOnFault(tellIt: (fault: Error) => void): void {
  process.removeAllListeners("uncaughtException");
  process.on("uncaughtException", (fault) => {
    tellIt(fault);
    process.exit(EXIT.failed);
  });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
