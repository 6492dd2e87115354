import { Acting } from "../../acting/acting.ts";
import { PtyTerminal } from "../../acting/pty.ts";
import { ptyRowId } from "../../acting/pty-id.ts";
import type { Acted, ActingTerminal, Verb } from "../../acting/terminal.ts";
import type { TerminalInfo as TerminalRow } from "../../contract/terminals.ts";
import type { TerminalInfo } from "../../host/channel/messages.ts";
import { createProcessTable } from "../../processes/index.ts";
import { systemClock } from "../../time/clock.ts";
import { requirePlatform } from "../platform.ts";
import { jsonLine } from "../text.ts";
import { NoSuchTerminal, onTerminal, type TargetOptions } from "./find.ts";
import { listedPanes } from "./listed.ts";
import { foreignScheme } from "./pick.ts";
import { called } from "./print.ts";

/** What was done with a terminal, and with which. */
export interface Done<Result> {
  /** As lists have it. */
  readonly id: string;
  /** The terminal in a sentence. */
  readonly called: string;
  readonly result: Result;
}

/** Something that is done with a terminal, of whichever scheme. `called`: the terminal in a sentence. */
export type Act<Result> = (terminal: ActingTerminal, called: string) => Promise<Result>;

/** Does something with the terminal that a text means: one of the host, else a pane of tmux. */
export async function actOn<Result extends Acted>(
  text: string,
  verb: Verb,
  options: TargetOptions,
  act: Act<Result>,
): Promise<Done<Result>> {
  const scheme = foreignScheme(text);
  if (scheme === "tmux") return onPane(text, act, noPane(text));
  try {
    return await onTerminal(text, verb, options, ({ connection, terminal }) =>
      onPty(terminal, act, new PtyTerminal((run) => run({ connection, terminal }))),
    );
  } catch (error) {
    const isPerhapsPane = options.session === undefined && !text.startsWith("pty:");
    if (error instanceof NoSuchTerminal && isPerhapsPane) return onPane(text, act, error);
    throw error;
  }
}

async function onPty<Result>(
  terminal: TerminalInfo,
  act: Act<Result>,
  pty: PtyTerminal,
): Promise<Done<Result>> {
  const name = called(terminal);
  return { id: ptyRowId(terminal.id), called: name, result: await act(pty, name) };
}

async function onPane<Result>(text: string, act: Act<Result>, none: Error): Promise<Done<Result>> {
  requirePlatform();
  const table = createProcessTable({ clock: systemClock });
  try {
    const [row, ...others] = await listedPanes(text, table);
    if (row === undefined) throw none;
    if (others.length > 0) {
      const all = [row, ...others].map(inWords).join(", ");
      throw new Error(`several terminals are ${JSON.stringify(text)}: ${all}; give an id`);
    }
    const acting = new Acting({ table, channel: async () => undefined });
    const name = inWords(row);
    return { id: row.id, called: name, result: await act(acting.on(row), name) };
  } finally {
    table.close();
  }
}

const inWords = ({ id, name }: TerminalRow) => (name === undefined ? id : `${id} (${name})`);

const noPane = (text: string) =>
  new NoSuchTerminal(`no pane of tmux is ${text}; \`termtopic ls --source tmux\` lists them`);

/** The document of something that was done: the id as lists have it, and what there is to say. */
export function printDone(id: string, { terminal, ...result }: Acted, more: object = {}): void {
  const stated = terminal === undefined ? {} : { terminal };
  process.stdout.write(jsonLine({ id, ...stated, ...result, ...more }));
}
