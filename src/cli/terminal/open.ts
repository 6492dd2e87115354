import { openTerminal } from "../../acting/open.ts";
import { ptyRowId } from "../../acting/pty-id.ts";
import { DEFAULT_COLS, DEFAULT_ROWS, DEFAULT_SESSION } from "../../contract/acting-limits.ts";
import type { TerminalInfo } from "../../host/channel/messages.ts";
import {
  connectHost,
  type HostConnection,
  type OpenFields,
} from "../../host/client/connect-host.ts";
import type { Viewer, ViewerOptions } from "../../host/client/viewer.ts";
import { commandLine } from "../command-line.ts";
import { tell, UsageError } from "../failure.ts";
import { requirePlatform } from "../platform.ts";
import { ourHost } from "../reach-host.ts";
import type { Looked } from "./look.ts";
import type { OwnTerminal } from "./own-terminal.ts";
import { printDocument } from "./print.ts";
import { ownTerminal, type ShowOptions, show, tellLooked } from "./show.ts";

export interface OpenOptions extends ShowOptions {
  /** Whether the command runs in place of a shell. */
  readonly exec?: boolean;
  readonly name?: string;
  /** An absolute path. */
  readonly cwd?: string;
  /** The name of an environment that somebody wrote down. */
  readonly env?: string;
  readonly session?: string;
  readonly cols?: number;
  readonly rows?: number;
  readonly detach?: boolean;
}

/** The size of a terminal that nobody looks at. */
const SIZE = { cols: DEFAULT_COLS, rows: DEFAULT_ROWS };

const OUTDATED =
  "the host that runs is of another build than what is installed; the next one starts when all its terminals are closed";

/** Opens a terminal, and shows it where the command runs on one itself; else its id is printed. A host is started where
 * none runs. */
export async function open(command: readonly string[], options: OpenOptions): Promise<void> {
  if (options.exec === true && command.length === 0) {
    throw new UsageError("--exec needs a command to run: termtopic open --exec -- COMMAND...");
  }
  requirePlatform();
  const own = options.detach === true || options.json === true ? undefined : ownTerminal();
  const host = await ourHost();
  let isOutdated = false;
  const connection = await connectHost({
    path: host.channel,
    outdated: () => {
      isOutdated = true;
    },
  });
  try {
    const fields = fieldsOf(command, options, own?.size ?? SIZE);
    const { exec = false, name } = options;
    const opening = {
      ...(name === undefined ? {} : { name }),
      ...(exec || command.length === 0 ? {} : { line: commandLine(command) }),
    };
    const first = (viewer: ViewerOptions) => openTerminal(connection, fields, opening, viewer);
    if (own === undefined) await openUnseen(first, options);
    else await openAndShow(connection, first, own, options);
    if (isOutdated) tell(OUTDATED);
  } finally {
    connection.close();
  }
}

function fieldsOf(
  command: readonly string[],
  { exec, cwd, env, session, cols, rows }: OpenOptions,
  size: { readonly cols: number; readonly rows: number },
): OpenFields {
  return {
    sessionId: session ?? DEFAULT_SESSION,
    cwd: cwd ?? process.cwd(),
    env: env ?? null,
    ...(exec === true ? { exec: [...command] } : {}),
    cols: cols ?? size.cols,
    rows: rows ?? size.rows,
  };
}

async function openUnseen(
  first: (options: ViewerOptions) => Promise<Viewer>,
  { json }: OpenOptions,
): Promise<void> {
  let terminal: TerminalInfo | undefined;
  const viewer = await first({
    changed: (changed) => {
      terminal = changed;
    },
  });
  viewer.leave();
  if (json === true) printDocument(terminal ?? viewer.terminal);
  else process.stdout.write(`${ptyRowId(viewer.terminal.id)}\n`);
}

async function openAndShow(
  connection: HostConnection,
  first: (options: ViewerOptions) => Promise<Viewer>,
  own: OwnTerminal,
  options: OpenOptions,
): Promise<void> {
  const { cols, rows } = options;
  const looked = await show(
    connection,
    first,
    own,
    options,
    cols === undefined && rows === undefined,
  );
  await closeEnded(connection, looked);
  tellLooked(looked, options);
}

/** Who opened a terminal and saw what ran in it end needs it no more. */
async function closeEnded(connection: HostConnection, { end, terminal }: Looked): Promise<void> {
  if (end !== "exited") return;
  // Another may have closed it.
  await connection
    .session(terminal.sessionId)
    .close({ target: terminal.id })
    .catch(() => {});
}
