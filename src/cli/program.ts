import { Command, CommanderError, Option } from "commander";
import { HARNESS_COMMANDS } from "../contract/derivations.ts";
import { DEFAULT_MAX_TERMINALS } from "../host/terminal-limits.ts";
import { clusterOptions } from "./cluster-options.ts";
import { EXIT, tellFailure, UsageError } from "./failure.ts";
import {
  COLUMNS,
  EXIT_CODES,
  FOLDERS,
  HOST_LIMITS,
  HOST_SIGNALS,
  LS_DOCUMENT,
  ON_EXAMPLE,
  OWN_EXIT_CODES,
  RULES,
  SIGNALS,
} from "./help.ts";
import { readMaxTerminals } from "./host-limits.ts";
import { addManyHosts } from "./many-hosts.ts";
import { addMonitorCommands } from "./monitor/commands.ts";
import {
  collect,
  DEFAULT_HOST,
  DEFAULT_PORT,
  LOG_LEVELS,
  readAddress,
  readAgentCommand,
  readAgentsFrom,
  readHostName,
  readLogLevel,
  readOrigin,
  readPath,
  readPort,
  readSeconds,
  readSource,
  requireTogether,
  SOURCE_NAMES,
} from "./options.ts";
import { addSuperviseCommands } from "./supervise/commands.ts";
import { addTerminalCommands } from "./terminal/commands.ts";
import { VERSION } from "./version.ts";

/** Runs the command that the arguments name. Faults are told in plain words and set the exit code. */
export async function run(args: readonly string[]): Promise<void> {
  const program = createProgram();
  const named = namedBy(args, program);
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    // Commander has said already what was wrong, and throws as well where it only printed help.
    if (error instanceof UsageError) tellFailure(new UsageError(withHelp(error.message, named)));
    else if (!(error instanceof CommanderError)) tellFailure(error);
    else if (error.exitCode !== 0) process.exitCode = EXIT.usage;
  }
}

/** What was wrong, and where it says how it is right. */
function withHelp(message: string, command: Command): string {
  return `${message}; see ${calledBy(command)} --help`;
}

/** The command that arguments begin with, or the one of a command. */
function namedBy([first, ...others]: readonly string[], command: Command): Command {
  const found = command.commands.find((one) => one.name() === first);
  return found === undefined ? command : namedBy(others, found);
}

/** How a command is called, from the program on. */
const calledBy = (command: Command): string =>
  command.parent === null ? command.name() : `${calledBy(command.parent)} ${command.name()}`;

/** The command line. What a command needs is loaded when it runs. */
export function createProgram(): Command {
  const program = new Command("termtopic")
    .description("Knows every terminal of this host, and tells the moment one changes.")
    .version(VERSION, "--version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .exitOverride()
    .addHelpText("after", FOLDERS + EXIT_CODES);
  addServe(program);
  addLs(program);
  addWatch(program);
  addExplain(program);
  addUrl(program);
  addHost(program);
  addTerminalCommands(program);
  addManyHosts(program);
  addSuperviseCommands(program);
  addMonitorCommands(program);
  tellErrorsOf(program);
  return program;
}

/** Puts what commander says of a mistake into our form, on one line: of a command and of those in it. */
function tellErrorsOf(command: Command): void {
  for (const one of command.commands) tellErrorsOf(one);
  command.configureOutput({
    outputError: (text, write) => {
      const message = text
        .trim()
        .replace(/^error: /, "")
        .replaceAll("\n", " ");
      write(`termtopic: ${withHelp(message, command)}\n`);
    },
  });
}

function addServe(program: Command): void {
  const serve = program
    .command("serve")
    .description("Publish the terminals of this host until a signal ends it.")
    .option("--host <address>", "where to listen", DEFAULT_HOST)
    .option("--port <number>", "where to listen; 0 takes any free port", readPort, DEFAULT_PORT)
    .option("--public", "allow a --host that other hosts can reach (default: loopback only)")
    .option(
      "--allow-host <name>",
      "answer to this name too, such as a proxy's; repeatable (default: loopback names and the address)",
      collect(readHostName),
    )
    .option(
      "--allow-origin <origin>",
      "let web pages of this origin connect; repeatable (default: its own pages only)",
      collect(readOrigin),
    )
    .option(
      "--ready-file <path>",
      "write {pid, instance, endpoint, socket, port} here as JSON once it listens, removed on a clean stop (default: none)",
      readPath("--ready-file"),
    )
    .addOption(logLevel());
  inventoryOptions(clusterOptions(serve))
    .addHelpText("after", SIGNALS + FOLDERS + EXIT_CODES)
    .action(async (options) => (await import("./serve.ts")).serve(options));
}

function addLs(program: Command): void {
  publisherOptions(
    inventoryOptions(
      program
        .command("ls")
        .description(
          "List the terminals by whose they are: those that a running publisher knows, else those of one look at this host.\nWith an option that says where to look it always looks itself.",
        )
        .option("--json", "print one JSON document (default: tables)"),
    ),
  )
    .addHelpText("after", COLUMNS + LS_DOCUMENT + FOLDERS + EXIT_CODES)
    .action(async (options) => (await import("./ls.ts")).ls(options));
}

function addWatch(program: Command): void {
  publisherOptions(
    program
      .command("watch")
      .description(
        "Show the terminals and agents of a running publisher as they change: live tables on a terminal, else a line per change.",
      )
      .argument("[command...]", "what to run with --on, after --")
      .option(
        "--json",
        "print each frame of the topics terminals and agents, bookmarks included, as a line of JSON",
      )
      .option(
        "--on <state>",
        "run the command when a terminal enters this state, with its row as JSON on the command's input; changes are not shown. With --json frames are printed all the same, and what the command prints goes to stderr",
      ),
  )
    .addHelpText("after", ON_EXAMPLE + COLUMNS + FOLDERS + EXIT_CODES)
    .action(async (command, options) => (await import("./watch.ts")).watch(command, options));
}

function addExplain(program: Command): void {
  inventoryOptions(
    program
      .command("explain")
      .description(
        "Say how the row of a terminal came to be: what each source said, what runs in it, and which rule chose the process that it is about.\nIt always looks at this host itself, and says where a running publisher states otherwise.",
      )
      .argument(
        "<terminal>",
        "an id, a name or a short id as `ls` shows them, a device such as /dev/pts/3 or pts/3, or the pid of any process in it",
      )
      .option("--json", "print one JSON document (default: text)"),
  )
    .addHelpText("after", RULES + FOLDERS + OWN_EXIT_CODES)
    .action(async (terminal, options) => (await import("./explain.ts")).explain(terminal, options));
}

function addUrl(program: Command): void {
  program
    .command("url")
    .description(
      "Print the address of the running publisher with its token, for a browser. Who has it has your terminals.",
    )
    .option(
      "--read-only",
      "with the token that lets in to look and not to act (default: with the one that lets in to everything)",
    )
    .addHelpText("after", FOLDERS + EXIT_CODES)
    .action(async (options) => (await import("./url.ts")).url(options));
}

function addHost(program: Command): void {
  program
    .command("host")
    .description(
      "Keep the terminals that termtopic opens, until a signal ends it or nobody needs it. Commands that need a host start one themselves.",
    )
    .option(
      "--idle <seconds>",
      "end after this long with neither terminals nor connections (default: 30)",
      readSeconds("--idle"),
    )
    .option(
      "--max-terminals <number>",
      `hold so many terminals at most, ended ones that are not closed included (default: ${DEFAULT_MAX_TERMINALS})`,
      readMaxTerminals("--max-terminals"),
    )
    .option(
      "--max-session-terminals <number>",
      "hold so many of one session at most (default: half of --max-terminals)",
      readMaxTerminals("--max-session-terminals"),
    )
    .addOption(logLevel())
    .addHelpText("after", HOST_SIGNALS + FOLDERS + HOST_LIMITS + EXIT_CODES)
    .action(async (options) => {
      const [{ host }, { openCore }] = await Promise.all([
        import("./host.ts"),
        import("../host/core.ts"),
      ]);
      await host(options, openCore);
    });
}

function logLevel(): Option {
  return new Option(
    "--log-level <level>",
    `what to log on stderr, as JSON lines: ${LOG_LEVELS.join(", ")}`,
  )
    .argParser(readLogLevel)
    .default("warn", "warn");
}

function inventoryOptions(command: Command): Command {
  return command
    .option(
      "--source <name>",
      `look for terminals there: ${SOURCE_NAMES.join(", ")}; repeatable (default: all)`,
      collect(readSource),
    )
    .option(
      "--tmux-socket <path>",
      "keep to the tmux server on this socket, or to those in this folder; repeatable (default: every server of the user)",
      collect(readPath("--tmux-socket")),
    )
    .option(
      "--claude-home <folder>",
      "look for agents of Claude Code with this configuration folder too; repeatable (default: ~/.claude, and what running ones have as CLAUDE_CONFIG_DIR)",
      collect(readPath("--claude-home")),
    )
    .option(
      "--agents-from <address>",
      "take over the agents that another publisher of this host states: its http or https address, which may end in #token=..., or the path of its Unix socket; in one direction only, for two publishers that name each other keep each other observing; repeatable (default: none)",
      collect(readAgentsFrom),
    )
    .option(
      "--agents-token-file <path>",
      "the token for every --agents-from address without one, in a file (default: none)",
      readPath("--agents-token-file"),
    )
    .option(
      "--agent-command <name>",
      `take each process of this command for an agent, without a session; not for ${HARNESS_COMMANDS.join(", ")}; repeatable (default: none)`,
      collect(readAgentCommand),
    )
    .hook("preAction", (_, action) => requireTogether(action.opts()));
}

function publisherOptions(command: Command): Command {
  return command
    .option(
      "--url <address>",
      "ask the publisher there, over WebSocket (default: the one of the state folder, over its Unix socket)",
      readAddress,
    )
    .option(
      "--token-file <path>",
      "the token for --url, in a file (default: the one in the fragment of --url)",
      readPath("--token-file"),
    );
}
