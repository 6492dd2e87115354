import type { SandboxCommandLine } from "./command-line.ts";

/** The command line that is run for a command, in its sandbox where it has one. */
export function commandLineOf({
  command,
  sandbox,
}: {
  readonly command: readonly [file: string, ...args: string[]];
  readonly sandbox?: SandboxCommandLine | undefined;
}): readonly [file: string, ...args: string[]] {
  return sandbox === undefined ? command : [...sandbox, ...command];
}
