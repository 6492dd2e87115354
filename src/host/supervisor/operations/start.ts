import { randomBytes } from "node:crypto";
import { access, constants, stat } from "node:fs/promises";
import { basename, isAbsolute } from "node:path";
import { reasonOf } from "../../../files/reason.ts";
import { HostError } from "../../failure.ts";
import { type CheckedDefinition, checkedDefinition } from "../../monitors/check.ts";
import { FORCED } from "../../pty/kill-tree.ts";
import { PtyUnavailable } from "../../pty/unavailable.ts";
import type { SandboxCommandLine } from "../../sandbox/command-line.ts";
import { programThere } from "../../sandbox/program.ts";
import type { Terminal } from "../../terminal.ts";
import { requireCeiling, requireCondition, requireText, sizeFault } from "../arguments.ts";
import { InvalidArgument, OperationError } from "../errors.ts";
import * as limits from "../limits.ts";
import type { StartResult } from "../messages.ts";
import type { Operation } from "../operation.ts";
import { outcomeOf } from "../outcome.ts";
import type { Session } from "../session.ts";
import { CHANNEL_SESSION } from "../sessions.ts";
import { workspaceFolders } from "../workspace.ts";
import { profileOf, sandboxFor } from "./confined.ts";
import type { Ground } from "./ground.ts";

type Start = Operation<"start">;

/** Where a session works, and what keeps it there. */
interface Places {
  readonly root: string;
  readonly cwd: string;
  readonly sandbox: SandboxCommandLine | undefined;
}

/** Starts a program in a workspace and waits for what was asked for. A wait that is cancelled leaves it running. */
export async function start(start: Start, ground: Ground): Promise<StartResult> {
  const ceilingMs = checkArguments(start);
  const profile = profileOf(start);
  await requireSupported(start, ground);
  const { root, cwd } = await workspaceFolders(start.workspace_root, start.cwd);
  await requireShell(start.shell);
  const monitors = await checkedMonitors(start, root);
  const sandbox =
    profile && (await sandboxFor({ profile, workspaceRoot: root, cwd }, ground.sandboxes));
  const session = await open(start, { root, cwd, sandbox }, ground);
  try {
    for (const monitor of monitors) session.monitors.add(monitor);
  } catch (error) {
    await ground.host.close(session.terminal, FORCED);
    throw error;
  }
  if (sandbox !== undefined) await programThere(session.terminal, ground.host.clock);
  const condition = start.return_when ?? { kind: "started" };
  const wait = { condition, ceilingMs, from: 0, signal: ground.signal };
  const outcome = await outcomeOf(session, wait, ground.host.waiting);
  return { session: session.facts(), outcome };
}

/** Answers the ceiling of the wait, in milliseconds. */
function checkArguments(start: Start): number {
  const { command = null, arguments: args, shell, return_when, wait_ceiling_ms } = start;
  const fault = sizeFault(start.rows, start.columns);
  if (fault !== undefined) throw new InvalidArgument(fault);
  if (!isAbsolute(shell) || !["bash", "zsh"].includes(basename(shell))) {
    throw new InvalidArgument(
      `shell must be the absolute path of a bash or zsh, got ${JSON.stringify(shell.slice(0, 256))}`,
    );
  }
  requireText("shell", shell, limits.MAX_PATH_BYTES);
  if (args.length > limits.MAX_ARGUMENTS) {
    throw new InvalidArgument(
      `arguments must be at most ${limits.MAX_ARGUMENTS}, got ${args.length}`,
    );
  }
  const commandBytes = Buffer.byteLength(command ?? "");
  requireText("arguments", args.join(""), limits.MAX_ARGUMENTS_BYTES + commandBytes);
  requireCommand(command, args);
  if (typeof start.sandbox_profile === "string") {
    requireText("sandbox_profile", start.sandbox_profile, limits.MAX_PROFILE_BYTES);
  }
  if (start.initial_monitors.length > limits.MAX_INITIAL_MONITORS) {
    throw new InvalidArgument(
      `initial_monitors must be at most ${limits.MAX_INITIAL_MONITORS}, got ${start.initial_monitors.length}`,
    );
  }
  if (return_when == null || return_when.kind === "started") return Number(wait_ceiling_ms ?? 1);
  requireCondition(return_when);
  return requireCeiling(wait_ceiling_ms);
}

/** The command stands twice, so that what is shown of a session is what it runs. */
function requireCommand(command: string | null, args: readonly string[]): void {
  if (command === null) {
    if (!args.includes("-c")) return;
    throw new InvalidArgument("arguments must have no -c where there is no command");
  }
  requireText("command", command, limits.MAX_COMMAND_BYTES);
  if (args.at(-2) === "-c" && args.at(-1) === command) return;
  throw new InvalidArgument("arguments must end in -c and the same text as command");
}

async function requireSupported({ backend }: Start, { durable }: Ground): Promise<void> {
  if (backend === "tmux") {
    if (durable === undefined) {
      throw new OperationError(
        "unsupported_host",
        "this host has no sessions in tmux; start it with the backend native",
      );
    }
    await durable.requireSupported();
  }
}

async function requireShell(shell: string): Promise<void> {
  try {
    await access(shell, constants.X_OK);
    if ((await stat(shell)).isFile()) return;
  } catch (error) {
    throw new OperationError("shell_unavailable", `shell cannot be run: ${reasonOf(error)}`);
  }
  throw new OperationError("shell_unavailable", "shell must be a file");
}

function checkedMonitors({ initial_monitors }: Start, root: string): Promise<CheckedDefinition[]> {
  return Promise.all(initial_monitors.map((definition) => checkedDefinition(definition, root)));
}

/** Nothing is waited for between the start and whoever wants to see the first output. */
async function open(
  { backend, shell, arguments: args, command = null, rows, columns }: Start,
  { root, cwd, sandbox }: Places,
  { host, sessions, durable }: Ground,
): Promise<Session> {
  const open = host.terminals.in(CHANNEL_SESSION).length + (durable?.starting ?? 0);
  if (open >= limits.MAX_SESSIONS) {
    throw new OperationError(
      "capacity_exceeded",
      `there are ${limits.MAX_SESSIONS} sessions, as many as there may be; close one and try again`,
    );
  }
  const isDurable = backend === "tmux" && durable !== undefined;
  const request = {
    id: `terminal-${isDurable ? "t" : "n"}-${randomBytes(16).toString("hex")}`,
    sessionId: CHANNEL_SESSION,
    cwd,
    environmentName: null,
    isAgents: true,
    exec: [shell, ...args],
    sandbox,
    cols: columns,
    rows,
    historyBytes: limits.HISTORY_BYTES,
  };
  const launched = { workspaceRoot: root, cwd, shell, command, sandbox };
  const terminal = await opened(isDurable ? durable.open(request, launched) : host.open(request));
  return sessions.add(terminal, launched);
}

async function opened(opening: Promise<Terminal>): Promise<Terminal> {
  try {
    return await opening;
  } catch (error) {
    throw new OperationError(codeOf(error), reasonOf(error));
  }
}

function codeOf(error: unknown) {
  if (error instanceof PtyUnavailable) return "pty_unavailable";
  const isFull = error instanceof HostError && error.code === "too_many_terminals";
  return isFull ? "capacity_exceeded" : "startup_failed";
}
