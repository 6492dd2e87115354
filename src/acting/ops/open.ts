import { stat } from "node:fs/promises";
import type { TerminalOpenArgs, TerminalOpenResult } from "../../contract/acting.ts";
import { DEFAULT_COLS, DEFAULT_ROWS, DEFAULT_SESSION } from "../../contract/acting-limits.ts";
import { connectHost } from "../../host/client/connect-host.ts";
import { channelFault } from "../channel-fault.ts";
import { ActingError } from "../failure.ts";
import { openTerminal } from "../open.ts";
import { ptyRowId } from "../pty-id.ts";
import { reached } from "../reached.ts";

/** Where terminals are opened. */
export interface OpeningPlace {
  /** The socket for channels of the host, which is started where none runs. */
  reach(): Promise<string>;
  /** Where a terminal begins that is asked for without a directory. */
  readonly home: string;
  /** Resolves once a row states it, or that takes too long. */
  listed(id: string): Promise<unknown>;
}

/** Opens a terminal as a request asks for it. */
export async function openAsAsked(
  args: TerminalOpenArgs,
  { reach, home, listed }: OpeningPlace,
): Promise<TerminalOpenResult> {
  const { cwd = home, env = null, name, command: line, exec, session = DEFAULT_SESSION } = args;
  const { cols = DEFAULT_COLS, rows = DEFAULT_ROWS } = args;
  if (line !== undefined && exec !== undefined) {
    throw new ActingError(
      "invalid",
      "`command` is typed at a shell and `exec` runs in place of one: give one of both",
    );
  }
  await requireDirectory(cwd);
  const path = await reached(reach);
  try {
    const connection = await connectHost({ path });
    try {
      const fields = {
        ...{ sessionId: session, cwd, env, cols, rows },
        ...(exec === undefined ? {} : { exec }),
      };
      const opening = {
        ...(name === undefined || name === "" ? {} : { name }),
        ...(line === undefined ? {} : { line }),
      };
      const viewer = await openTerminal(connection, fields, opening);
      viewer.leave();
      const { id, sessionId, index } = viewer.terminal;
      // Whoever hears of it finds it, on whichever connection it is asked for.
      await listed(ptyRowId(id));
      return { id: ptyRowId(id), session: sessionId, number: index };
    } finally {
      connection.close();
    }
  } catch (error) {
    throw channelFault(error);
  }
}

/** The host says no as well, in words alone. */
async function requireDirectory(cwd: string): Promise<void> {
  const found = cwd.includes("\0") ? undefined : await stat(cwd).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  throw new ActingError(
    "invalid",
    `\`cwd\` must be a directory of the publisher's host, got ${JSON.stringify(cwd)}`,
  );
}
