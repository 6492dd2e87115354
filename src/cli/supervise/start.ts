import { basename, isAbsolute } from "node:path";
import type { MonitorDefinition, TerminalBackend } from "../../host/supervisor/messages.ts";
import type { Operation } from "../../host/supervisor/operation.ts";
import { commandLine } from "../command-line.ts";
import { UsageError } from "../failure.ts";
import { ceilingOf, conditionOf, type SuperviseOptions, type WaitOptions } from "./options.ts";
import { exitOf, outcomeText } from "./outcome.ts";
import { perform } from "./perform.ts";
import { printLines } from "./print.ts";
import { onSupervisor } from "./reach.ts";
import { definitionIn, requestIn } from "./request.ts";

export interface StartOptions extends SuperviseOptions, WaitOptions {
  readonly backend?: TerminalBackend;
  /** Absolute paths. */
  readonly workspace?: string;
  readonly cwd?: string;
  readonly shell?: string;
  readonly shellArgument?: readonly string[];
  /** A profile as JSON. */
  readonly sandbox?: string;
  readonly rows?: number;
  readonly cols?: number;
  /** Definitions as JSON. */
  readonly monitor?: readonly string[];
  readonly wait?: "started" | "exit" | "quiet" | "match";
}

/** Starts a command in a session and waits as long as is asked for. Prints the session's id, and how the wait ended. */
export async function start(command: readonly string[], options: StartOptions): Promise<void> {
  const operation =
    options.request === undefined
      ? startOf(command, options)
      : await requestIn("start", options.request);
  const awaited = operation.return_when?.kind ?? "started";
  const done = await onSupervisor(true, (client) => perform(client, "start", operation, options));
  if (done === undefined) return;
  process.exitCode = exitOf(awaited, done.outcome);
  if (options.json === true) return;
  const how = awaited === "started" ? [] : [outcomeText(awaited, done.outcome)];
  printLines([done.session.session_id, ...how]);
}

/** The operation that a command line states. */
function startOf(command: readonly string[], options: StartOptions): Operation<"start"> {
  const { backend = "native", workspace, cwd, sandbox, rows = 24, cols = 80 } = options;
  const { shell = ownShell(), shellArgument = [], monitor = [], wait = "started" } = options;
  const condition = conditionOf(wait, options);
  const line = command.length === 0 ? null : commandLine(command);
  const root = workspace ?? process.cwd();
  const initial: MonitorDefinition[] = monitor.map((json) => definitionIn("--monitor", json));
  if (wait === "started" && options.timeout !== undefined) {
    throw new UsageError("--timeout is for --wait, which was not given");
  }
  return {
    action: "start",
    backend,
    workspace_root: root,
    cwd: cwd ?? root,
    initial_monitors: initial,
    command: line,
    shell,
    arguments: [...shellArgument, ...(line === null ? [] : ["-c", line])],
    sandbox_profile: sandbox ?? null,
    rows,
    columns: cols,
    return_when: condition,
    wait_ceiling_ms: wait === "started" ? null : ceilingOf(options),
  };
}

/** The person's own shell where a session may have it, else bash. */
function ownShell(): string {
  const shell = process.env["SHELL"] ?? "";
  return isAbsolute(shell) && ["bash", "zsh"].includes(basename(shell)) ? shell : "/bin/bash";
}
