import { ptyRowId } from "../../acting/pty-id.ts";
import type { TerminalInfo, TerminalTheme } from "../../host/channel/messages.ts";
import type { HostConnection } from "../../host/client/connect-host.ts";
import type { Viewer, ViewerOptions } from "../../host/client/viewer.ts";
import { systemClock } from "../../time/clock.ts";
import { tell, UsageError } from "../failure.ts";
import { type Looked, look } from "./look.ts";
import { type OwnTerminal, ProcessTerminal } from "./own-terminal.ts";
import { called, endOf, printDocument } from "./print.ts";
import { DETACH_KEYS, readDetachKeys } from "./typing.ts";

/** How a terminal is shown on the person's own one. */
export interface ShowOptions {
  readonly detachKeys?: readonly string[];
  readonly readOnly?: boolean;
  readonly json?: boolean;
}

/** The terminal that this program runs on; `undefined` where it runs on none that can show another. */
export function ownTerminal(): OwnTerminal | undefined {
  const { stdin, stdout } = process;
  const isOne = stdin.isTTY === true && stdout.isTTY === true && process.env["TERM"] !== "dumb";
  return isOne ? new ProcessTerminal(stdin, stdout) : undefined;
}

export function requireOwnTerminal(): OwnTerminal {
  const own = ownTerminal();
  if (own !== undefined) return own;
  throw new UsageError(
    "a terminal is shown on a terminal, and the input or the output is none; `termtopic read` and `termtopic capture` print what is in it",
  );
}

/** Shows a terminal until it is left, or ends. A stop of this program (SIGTSTP) only interrupts that. */
export async function show(
  connection: HostConnection,
  first: (options: ViewerOptions) => Promise<Viewer>,
  own: OwnTerminal,
  { detachKeys = readDetachKeys(DETACH_KEYS), readOnly = false }: ShowOptions,
  resizes: boolean,
): Promise<Looked> {
  const options = {
    own,
    clock: systemClock,
    readOnly,
    detachKeys,
    slowLink: Boolean(process.env["SSH_CONNECTION"]),
    resizes,
  };
  try {
    if (!readOnly) await tellColours(own, connection);
    let looked = await look(first, options);
    while (looked.end === "suspended") {
      const { id } = looked.terminal;
      process.kill(process.pid, "SIGSTOP");
      looked = await look((viewer) => connection.attach(id, { ...viewer, readOnly }), options);
    }
    return looked;
  } finally {
    await own.settled();
    own.leave();
  }
}

/** Tells the host which colours the person's terminal has, before a program may ask for them. */
async function tellColours(own: OwnTerminal, connection: HostConnection): Promise<void> {
  const tell = (theme: TerminalTheme) => connection.theme(theme);
  const theme = await own.colours(tell);
  if (theme !== undefined) tell(theme);
}

/** Says how a look at a terminal went. */
export function tellLooked({ end, terminal, problems }: Looked, { json }: ShowOptions): void {
  for (const problem of problems) tell(problem);
  if (json === true) printDocument(terminal, { end });
  else tell(endText(end, terminal));
}

function endText(end: Looked["end"], terminal: TerminalInfo): string {
  if (end === "exited") return `what ran in ${called(terminal)} ${endOf(terminal) ?? "ended"}`;
  if (end === "closed") return `${called(terminal)} was closed`;
  return `detached from ${called(terminal)}; termtopic attach ${ptyRowId(terminal.id)} comes back to it`;
}
