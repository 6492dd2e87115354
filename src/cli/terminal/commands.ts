import { type Command, Option } from "commander";
import { EXIT_CODES, FOLDERS, OWN_EXIT_CODES } from "../help.ts";
import { readPath, readSeconds } from "../options.ts";
import {
  DETACHING,
  KEYS,
  OPEN_EXAMPLES,
  TARGETS,
  TARGETS_AND_PANES,
  WAIT_EXIT_CODES,
  WAITING,
} from "./help.ts";
import { readCells, readCount, readSignal, readUntil, WAITS } from "./options.ts";
import { DETACH_KEYS, readDetachKeys } from "./typing.ts";

/** Adds the commands on terminals of the host, of which some are for panes of tmux too. */
export function addTerminalCommands(program: Command): void {
  addOpen(program);
  addAttach(program);
  addSend(program);
  addRead(program);
  addWait(program);
  addCapture(program);
  addResize(program);
  addRename(program);
  addClose(program);
  addSignal(program);
}

function addOpen(program: Command): void {
  program
    .command("open")
    .description(
      "Open a terminal that outlives this one, and show it here. Starts a host where none runs.",
    )
    .argument("[command...]", "what to type at its shell, or to run with --exec; after --")
    .option("--exec", "run the command in place of a shell")
    .option("--name <name>", "what to call it (default: nothing)")
    .option("--cwd <folder>", "where it begins (default: here)", readPath("--cwd"))
    .option(
      "--env <name>",
      "take the variables in environments/<name>.env of the state folder too (default: none)",
    )
    .option("--session <id>", 'the session that it belongs to (default: "cli")')
    .option(
      "--cols <number>",
      "its width (default: that of this terminal, else 80)",
      readCells("--cols"),
    )
    .option(
      "--rows <number>",
      "its height (default: that of this terminal, else 24)",
      readCells("--rows"),
    )
    .option("--detach", "print its id and do not show it (default: where this is no terminal)")
    .addOption(detachKeys())
    .option("--json", "print one JSON document and do not show it")
    .addHelpText("after", OPEN_EXAMPLES + FOLDERS + EXIT_CODES)
    .action(async (command, options) => (await import("./open.ts")).open(command, options));
}

function addAttach(program: Command): void {
  onTerminal(program, "attach", "Show a terminal on this one and type into it, until it is left.")
    .option("--read-only", "type nothing, and leave its size as it is")
    .addOption(detachKeys())
    .addHelpText("after", DETACHING + TARGETS + OWN_EXIT_CODES)
    .action(async (text, options) => (await import("./attach.ts")).attach(text, options));
}

function addSend(program: Command): void {
  onTerminal(program, "send", "Type keys and text into a terminal.")
    .argument("<keys...>", "names of keys as tmux has them, and text")
    .option("--literal", "take everything for text")
    .option(
      "--submit",
      "paste the words as one text, and press Enter once the program has taken it in, as prompts of agents need it",
    )
    .addHelpText("after", KEYS + TARGETS_AND_PANES + OWN_EXIT_CODES)
    .action(async (text, keys, options) => (await import("./send.ts")).send(text, keys, options));
}

function addRead(program: Command): void {
  waitOptions(
    onTerminal(
      program,
      "read",
      "Print a terminal's output since the last read as plain text; where a program has the whole screen, and of a pane of tmux, what it shows.",
    )
      .option(
        "--from <offset>",
        "begin there, in bytes of the output (default: where the last read ended)",
        readCount("--from"),
      )
      .option("--peek", "let the next read begin where this one does")
      .option(
        "--wait <what>",
        `wait before that: ${WAITS.join(", ")} (default: for nothing)`,
        readUntil("--wait"),
      ),
  )
    .addHelpText("after", WAITING + TARGETS_AND_PANES + OWN_EXIT_CODES)
    .action(async (text, options) => (await import("./read.ts")).read(text, options));
}

function addWait(program: Command): void {
  waitOptions(
    onTerminal(program, "wait", "Wait for something to happen in a terminal.").argument(
      "[what]",
      `${WAITS.join(", ")} (default: exit, or match with --pattern)`,
      readUntil("what is waited for"),
    ),
  )
    .addHelpText("after", WAITING + TARGETS + WAIT_EXIT_CODES)
    .action(async (text, until, options) => (await import("./wait.ts")).wait(text, until, options));
}

function addCapture(program: Command): void {
  onTerminal(program, "capture", "Print what a terminal shows.")
    .option("--scrollback <lines>", "with so many lines before it", readCount("--scrollback"), 0)
    .option("--escapes", "with its colours, as escape sequences")
    .option("--join", "with rows that the width broke as one line")
    .addHelpText("after", TARGETS_AND_PANES + OWN_EXIT_CODES)
    .action(async (text, options) => (await import("./capture.ts")).capture(text, options));
}

function addResize(program: Command): void {
  onTerminal(program, "resize", "Give a terminal another size.")
    .argument("<cols>", "its width", readCells("the width"))
    .argument("<rows>", "its height", readCells("the height"))
    .addHelpText("after", TARGETS + OWN_EXIT_CODES)
    .action(async (text, cols, rows, options) =>
      (await import("./resize.ts")).resize(text, cols, rows, options),
    );
}

function addRename(program: Command): void {
  onTerminal(program, "rename", "Give a terminal another name.")
    .argument("[name]", "the name; without one it has none")
    .addHelpText("after", TARGETS + OWN_EXIT_CODES)
    .action(async (text, name, options) =>
      (await import("./rename.ts")).rename(text, name, options),
    );
}

function addClose(program: Command): void {
  onTerminal(program, "close", "End what runs in a terminal and take it away.")
    .option("--force", "also where a job is in front of its shell")
    .addHelpText("after", TARGETS_AND_PANES + OWN_EXIT_CODES)
    .action(async (text, options) => (await import("./close.ts")).close(text, options));
}

function addSignal(program: Command): void {
  onTerminal(program, "signal", "Send a signal to the job in front of a terminal.")
    .argument("<signal>", "its name, such as INT", readSignal)
    .addHelpText("after", TARGETS_AND_PANES + OWN_EXIT_CODES)
    .action(async (text, signal, options) =>
      (await import("./signal.ts")).signal(text, signal, options),
    );
}

function onTerminal(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .argument("<terminal>", "its id, its number or its name")
    .option("--session <id>", "only terminals of this session (default: see below)")
    .option("--json", "print one JSON document");
}

function waitOptions(command: Command): Command {
  return command
    .option("--pattern <regex>", "what a match is, in JavaScript's way; ^ and $ are of lines")
    .option("--ignore-case", "upper and lower case are the same to --pattern")
    .option("--quiet <seconds>", "how long is quiet (default: 0.5)", readSeconds("--quiet"))
    .option(
      "--timeout <seconds>",
      "how long to wait (default: as long as it takes)",
      readSeconds("--timeout"),
    );
}

const detachKeys = () =>
  new Option("--detach-keys <keys>", "the keys to leave it by, none for no such keys")
    .argParser(readDetachKeys)
    .default(readDetachKeys(DETACH_KEYS), JSON.stringify(DETACH_KEYS));
