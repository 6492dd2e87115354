import { READ_TEXT_LIMIT } from "./channel/limits.ts";
import type { TerminalRead, TerminalWait } from "./channel/messages.ts";
import type { Host } from "./host.ts";
import { readPlain } from "./plain/read.ts";
import type { Terminal } from "./terminal.ts";
import { waitFor } from "./waits/wait.ts";

interface ReadRequest {
  /** Where to begin; where the last such reading ended, if not said. */
  readonly from?: number;
  readonly wait?: TerminalWait;
  /** Whether the read cursor stays where it is. */
  readonly peek?: true;
}

/** Reads a terminal's output as plain text, after a wait for what the reader wants to see in it. */
export async function readTerminal(
  host: Host,
  terminal: Terminal,
  { from = host.cursors.of(terminal), wait, peek }: ReadRequest,
  signal: AbortSignal,
): Promise<TerminalRead> {
  const waited =
    wait === undefined
      ? undefined
      : await waitFor(terminal.source, { ...wait, from }, host.waiting, signal);
  const {
    text,
    truncated,
    from: start,
    to,
    skipped,
  } = await readPlain(terminal.recorded, from, READ_TEXT_LIMIT);
  if (peek !== true) host.cursors.move(terminal, to);
  const screen = await wholeScreen(terminal);
  const foreground = host.foreground(terminal);
  return {
    terminal: host.info(terminal),
    from: start,
    to,
    text,
    skipped,
    truncated,
    ...(screen === undefined ? {} : { screen }),
    ...(waited === undefined ? {} : { waited }),
    ...(foreground === undefined ? {} : { foreground }),
  };
}

/** What a program shows that uses the whole screen. Where that cannot be read, the output still can. */
async function wholeScreen({ isAlternate, state, screen }: Terminal): Promise<string | undefined> {
  if (!isAlternate || state !== "running") return undefined;
  const capture = await screen.capture({ scrollback: 0 }).catch(() => undefined);
  return capture?.text;
}
