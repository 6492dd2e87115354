import type { Command } from "commander";
import { FOLDERS } from "../help.ts";
import { collect, readPath } from "../options.ts";
import { readCells } from "../terminal/options.ts";
import { AWAITING, REQUESTS, RESULTS, STARTING, WAIT_EXIT_CODES } from "./help.ts";
import { AWAITED_WORDS, readAwaited, readBackend } from "./options.ts";
import { operation, waitOptions } from "./words.ts";

const asItStands = collect((text: string) => text);

export function addStart(supervise: Command): void {
  waitOptions(
    operation(
      supervise,
      "start",
      "Start a command in a session that outlives this one. Starts a host where none runs.",
    )
      .argument("[command...]", "what the shell runs; after --")
      .option(
        "--workspace <folder>",
        "where it is at home (default: here)",
        readPath("--workspace"),
      )
      .option(
        "--cwd <folder>",
        "where it begins, within the workspace (default: the workspace)",
        readPath("--cwd"),
      )
      .option(
        "--backend <name>",
        "native, or tmux to outlive the host (default: native)",
        readBackend,
      )
      .option(
        "--shell <path>",
        "a bash or zsh (default: SHELL where it is one, else /bin/bash)",
        readPath("--shell"),
      )
      .option(
        "--shell-argument <text>",
        "an argument of the shell before the command, such as --shell-argument=--norc; repeatable (default: none)",
        asItStands,
      )
      .option("--sandbox <json>", "confine it by this profile (default: not confined)")
      .option("--cols <number>", "its width (default: 80)", readCells("--cols"))
      .option("--rows <number>", "its height (default: 24)", readCells("--rows"))
      .option(
        "--monitor <json>",
        "the definition of a monitor that sees its first output; repeatable (default: none)",
        asItStands,
      )
      .option(
        "--wait <what>",
        `wait before the answer: ${AWAITED_WORDS} (default: started)`,
        readAwaited("--wait"),
      ),
  )
    .addHelpText("after", STARTING + AWAITING + REQUESTS + RESULTS + FOLDERS + WAIT_EXIT_CODES)
    .action(async (command, options) => (await import("./start.ts")).start(command, options));
}
