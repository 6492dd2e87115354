import type { Command } from "commander";
import { EXIT_CODES } from "../help.ts";
import { readCount } from "../terminal/options.ts";
import { CONDITIONS, MONITOR_EXAMPLES, SESSIONS } from "./help.ts";

/** Adds the command on the monitors of supervised sessions. */
export function addMonitorCommands(program: Command): void {
  const monitor = program
    .command("monitor")
    .description("Have something looked for in a supervised session while nobody waits.")
    .helpCommand("help [command]", "print the help of a command")
    .addHelpText("after", SESSIONS + EXIT_CODES);
  addAdd(monitor);
  addList(monitor);
  addRm(monitor);
  addEvents(monitor);
}

function addAdd(monitor: Command): void {
  monitor
    .command("add")
    .description("Add a monitor to a session, and print its id.")
    .argument("<session>", "its id, or the beginning of it")
    .argument("[value]", "what the condition needs, in place of its option")
    .option("--on <condition>", "what it looks for: see below")
    .option("--code <code>", "an exit code")
    .option("--signal <name>", "the name of a signal")
    .option("--text <text>", "a text, or a glob")
    .option("--ms <milliseconds>", "how long is quiet")
    .option("--address <host:port>", "where connections are taken")
    .option("--url <url>", "an address that begins with http://")
    .option("--path <path>", "a file or a folder")
    .option("--bytes <number>", "how many a file has at least")
    .option("--command <command>", "a command that is run each time")
    .option("--cwd <folder>", "where that is run (default: the workspace)")
    .option("--every <milliseconds>", "how often is looked, where that is needed (default: 1000)")
    .option("--notify <what>", "what it tells of: see below (default: match)")
    .option("--checks <number>", "tell of one in so many looks (default: of each)")
    .option("--interval <milliseconds>", "how often it tells with --notify interval")
    .option(
      "--until <what>",
      "how long it lives: match or end, that of the session (default: match with --notify match, else end)",
    )
    .option("--for <milliseconds>", "let it live so long at most, in place of --until")
    .option("--json", "print one line of JSON, as the wire has it")
    .addHelpText("after", CONDITIONS + SESSIONS + MONITOR_EXAMPLES + EXIT_CODES)
    .action(async (text, value, options) =>
      (await import("./monitor.ts")).add(text, value, options),
    );
}

function addList(monitor: Command): void {
  monitor
    .command("list")
    .description(
      "List the monitors of a session, how each stands, and what it told of last that nobody has acknowledged.",
    )
    .argument("[session]", "its id, or the beginning of it (default: all sessions)")
    .option(
      "--json",
      "print one JSON document: {monitors: [{session_id, monitor_id, state, last_event}]}",
    )
    .addHelpText("after", SESSIONS + EXIT_CODES)
    .action(async (text, options) => (await import("./monitor.ts")).list(text, options));
}

function addRm(monitor: Command): void {
  monitor
    .command("rm")
    .description("Take monitors of a session away.")
    .argument("<session>", "its id, or the beginning of it")
    .argument("<monitors...>", "their ids, such as monitor-1")
    .option("--json", "print a line of JSON for each, as the wire has it")
    .addHelpText("after", SESSIONS + EXIT_CODES)
    .action(async (text, ids, options) => (await import("./monitor.ts")).rm(text, ids, options));
}

function addEvents(monitor: Command): void {
  monitor
    .command("events")
    .description(
      "Print what the monitors of a session have told of and nobody has acknowledged, also for a while after it was closed.",
    )
    .argument("<session>", "its id, or the beginning of it; whole where it is closed")
    .option("--follow", "go on as events come, until the session is closed or a signal ends it")
    .option("--acknowledge", "have the events forgotten that were printed")
    .option(
      "--after <event>",
      "only events after this one (default: after those that were acknowledged)",
      readCount("--after"),
    )
    .option("--json", "print each event as a line of JSON, as the wire has it")
    .addHelpText("after", SESSIONS + EXIT_CODES)
    .action(async (text, options) => (await import("./events.ts")).events(text, options));
}
