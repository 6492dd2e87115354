import type { Command } from "commander";
import { UsageError } from "../failure.ts";
import { readSeconds } from "../options.ts";

/** A command for an operation. */
export function operation(supervise: Command, name: string, description: string): Command {
  return supervise
    .command(name)
    .description(description)
    .option("--request <json>", "the whole operation, - for the input (default: by the arguments)")
    .option("--json", "print one line of JSON, as the wire has it (default: text)")
    .hook("preAction", (_, action) => requireAlone(action));
}

/** Throws where something stands beside a request that is whole. */
function requireAlone(command: Command): void {
  if (command.opts()["request"] === undefined) return;
  const beside = command.options.filter(
    (option) =>
      !["--request", "--json"].includes(option.long ?? "") &&
      command.getOptionValueSource(option.attributeName()) !== undefined,
  );
  const [first = command.args[0]] = beside.map(({ long }) => long);
  if (first === undefined) return;
  throw new UsageError(`--request is the whole operation, ${first} has no part in it`);
}

/** How a wait is asked for. */
export function waitOptions(command: Command): Command {
  return command
    .option("--pattern <text>", "what a match is, letter by letter")
    .option("--quiet <seconds>", "how long is quiet (default: 0.5)", readSeconds("--quiet"))
    .option(
      "--timeout <seconds>",
      "how long to wait at most (default: as long as it takes)",
      readSeconds("--timeout"),
    );
}
