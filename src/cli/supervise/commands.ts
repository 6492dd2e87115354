import type { Command } from "commander";
import { EXIT_CODES } from "../help.ts";
import { readCells, readCount } from "../terminal/options.ts";
import { AWAITING, OPERATION_EXIT_CODES, REQUESTS, RESULTS, WAIT_EXIT_CODES } from "./help.ts";
import {
  AWAITED_WORDS,
  KEY_WORDS,
  readAwaited,
  readBackend,
  readSignal,
  readWhole,
  SIGNAL_WORDS,
} from "./options.ts";
import { addStart } from "./start-command.ts";
import { operation, waitOptions } from "./words.ts";

/** Adds the command that does the operations of the supervisor dialect. */
export function addSuperviseCommands(program: Command): void {
  const supervise = program
    .command("supervise")
    .description(
      "Do one operation on supervised sessions, for scripts and tests. Only start starts a host where none runs.",
    )
    .helpCommand("help [operation]", "print the help of an operation")
    .addHelpText("after", RESULTS + EXIT_CODES);
  addStart(supervise);
  addRead(supervise);
  addScreen(supervise);
  addWrite(supervise);
  addWait(supervise);
  addMonitor(supervise);
  addInspect(supervise);
  addList(supervise);
  addResize(supervise);
  addSignal(supervise);
  addClose(supervise);
  addHost(supervise);
}

const BELOW = REQUESTS + RESULTS + OPERATION_EXIT_CODES;

const operations = () => import("./operations.ts");

function ofSession(supervise: Command, name: string, description: string): Command {
  return operation(supervise, name, description).argument("[session]", "its id");
}

function addRead(supervise: Command): void {
  ofSession(
    supervise,
    "read",
    "Print a page of a session's output as it came, and count it as read.",
  )
    .option(
      "--from <offset>",
      "begin there, in bytes of the output (default: where the last read ended)",
      readCount("--from"),
    )
    .option("--segment <number>", "the segment of --from (default: 1)", readCount("--segment"))
    .option("--all", "read page after page, up to the end that the output has by then")
    .addHelpText("after", BELOW)
    .action(async (text, options) => (await import("./read.ts")).read(text, options));
}

function addScreen(supervise: Command): void {
  ofSession(supervise, "screen", "Print the rows that a session shows.")
    .addHelpText("after", BELOW)
    .action(async (text, options) => (await operations()).screen(text, options));
}

function addWrite(supervise: Command): void {
  ofSession(supervise, "write", "Type text into a session, as it stands.")
    .argument("[words...]", "what to type; after -- where it begins with a dash")
    .option("--keys", `the words are keys to press: ${KEY_WORDS}`)
    .option("--controls", "the words are characters to press with Ctrl: ?, @ to _, a to z")
    .option("--paste", "paste the text: nothing in it can press a key")
    .addHelpText("after", BELOW)
    .action(async (text, words, options) => (await operations()).write(text, words, options));
}

function addWait(supervise: Command): void {
  waitOptions(
    ofSession(supervise, "wait", "Wait for something of a session.").argument(
      "[what]",
      `${AWAITED_WORDS} (default: exit, or match with --pattern)`,
      readAwaited("what is waited for"),
    ),
  )
    .addHelpText("after", AWAITING + REQUESTS + RESULTS + WAIT_EXIT_CODES)
    .action(async (text, what, options) => (await operations()).wait(text, what, options));
}

function addMonitor(supervise: Command): void {
  ofSession(
    supervise,
    "monitor",
    "Change a session's monitors by their definitions; see also `termtopic monitor`.",
  )
    .argument("[change]", "add, update, pause, resume or remove")
    .argument("[monitor]", "its id; add makes one")
    .option("--definition <json>", "what it looks for, as docs/monitors.md has it")
    .addHelpText("after", BELOW)
    .action(async (text, change, id, options) =>
      (await import("./monitor.ts")).monitor(text, change, id, options),
    );
}

function addInspect(supervise: Command): void {
  ofSession(
    supervise,
    "inspect",
    "Print what a session is and what its monitors told of, also for a while after it was closed.",
  )
    .option(
      "--after <event>",
      "only events after this one (default: after those that were acknowledged)",
      readCount("--after"),
    )
    .option("--acknowledge <event>", "forget events up to this one", readWhole("--acknowledge", 1))
    .option("--max <number>", "so many events at most (default: 256)", readWhole("--max", 1))
    .addHelpText("after", BELOW)
    .action(async (text, options) => (await operations()).inspect(text, options));
}

function addList(supervise: Command): void {
  operation(supervise, "list", "List the sessions that are not closed.")
    .option("--backend <name>", "only those of native or tmux (default: all)", readBackend)
    .addHelpText("after", BELOW)
    .action(async (options) => (await operations()).list(options));
}

function addResize(supervise: Command): void {
  ofSession(supervise, "resize", "Give a session another size.")
    .argument("[cols]", "its width", readCells("the width"))
    .argument("[rows]", "its height", readCells("the height"))
    .addHelpText("after", BELOW)
    .action(async (text, cols, rows, options) =>
      (await operations()).resize(text, cols, rows, options),
    );
}

function addSignal(supervise: Command): void {
  ofSession(
    supervise,
    "signal",
    "Send a signal: interrupt and quit to the job in front, the others to everything in the session.",
  )
    .argument("[signal]", `${SIGNAL_WORDS}, or INT and the like`, readSignal("the signal"))
    .addHelpText("after", BELOW)
    .action(async (text, name, options) => (await operations()).signal(text, name, options));
}

function addClose(supervise: Command): void {
  ofSession(supervise, "close", "End what runs in a session and take it away.")
    .option("--force", "kill it at once (default: by SIGHUP, SIGTERM and SIGKILL in turn)")
    .addHelpText("after", BELOW)
    .action(async (text, options) => (await operations()).close(text, options));
}

/** What is asked of the host and of no session. */
function addHost(supervise: Command): void {
  supervise
    .command("hello")
    .description(
      "Print the version that the host and this command speak, and which start of it it is.",
    )
    .option("--json", "print one line of JSON, as the wire has it")
    .addHelpText("after", EXIT_CODES)
    .action(async (options) => (await operations()).hello(options));
  supervise
    .command("ping")
    .description("Ask the host whether it answers.")
    .option("--json", "print one line of JSON, as the wire has it")
    .addHelpText("after", EXIT_CODES)
    .action(async (options) => (await operations()).ping(options));
}
