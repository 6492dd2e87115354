import { Acting } from "../../acting/acting.ts";
import { unsupported } from "../../acting/elsewhere.ts";
import { PtyTerminal } from "../../acting/pty.ts";
import { ptyRowId } from "../../acting/pty-id.ts";
import type { Acted, ActingTerminal } from "../../acting/terminal.ts";
import type { TerminalInfo as TerminalRow } from "../../contract/terminals.ts";
import type { TerminalInfo } from "../../host/channel/messages.ts";
import { createProcessTable } from "../../processes/index.ts";
import type { ProcessTable } from "../../processes/types.ts";
import { systemClock } from "../../time/clock.ts";
import { UsageError } from "../failure.ts";
import { requirePlatform } from "../platform.ts";
import { jsonLine } from "../text.ts";
import {
  type CommandVerb,
  type FoundTerminal,
  NoSuchTerminal,
  onTerminal,
  type TargetOptions,
} from "./find.ts";
import { listedTerminals } from "./listed.ts";
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

/** Does something with the terminal that a text means: one of the host, else one of another program. */
export async function actOn<Result extends Acted>(
  text: string,
  verb: CommandVerb,
  options: TargetOptions,
  act: Act<Result>,
): Promise<Done<Result>> {
  const { session } = options;
  if (foreignScheme(text) === "tmux") {
    if (session === undefined) return onOthers(text, verb, act, noPane(text));
    throw new UsageError("--session is for terminals that termtopic opened, not for panes of tmux");
  }
  try {
    return await onTerminal(text, verb, options, ({ connection, terminal }) =>
      onPty(terminal, act, new PtyTerminal((run) => run({ connection, terminal }))),
    );
  } catch (error) {
    if (mayBeOthers(text, options, error)) return onOthers(text, verb, act, noneListed(error));
    throw error;
  }
}

/** Does something with a terminal of the host that is for those alone. Where another program's has that name, it is said
 * how that is reached. */
export async function onHostTerminal<Result>(
  text: string,
  verb: CommandVerb,
  options: TargetOptions,
  run: (found: FoundTerminal) => Promise<Result>,
): Promise<Result> {
  try {
    return await onTerminal(text, verb, options, run);
  } catch (error) {
    if (!mayBeOthers(text, options, error)) throw error;
    throw await withTable(async (table) =>
      unsupported((await theListed(text, table, noneListed(error))).id, verb),
    );
  }
}

/** Where the host has no terminal of a name, another program's may have it. */
const mayBeOthers = (
  text: string,
  { session }: TargetOptions,
  error: unknown,
): error is NoSuchTerminal =>
  error instanceof NoSuchTerminal && session === undefined && !text.startsWith("pty:");

async function onPty<Result>(
  terminal: TerminalInfo,
  act: Act<Result>,
  pty: PtyTerminal,
): Promise<Done<Result>> {
  const name = called(terminal);
  return { id: ptyRowId(terminal.id), called: name, result: await act(pty, name) };
}

const noneListed = ({ message }: NoSuchTerminal) =>
  new NoSuchTerminal(`${message}; \`termtopic ls\` lists no other of that name either`);

function onOthers<Result>(
  text: string,
  verb: CommandVerb,
  act: Act<Result>,
  none: Error,
): Promise<Done<Result>> {
  return withTable(async (table) => {
    const row = await theListed(text, table, none);
    // In the command's own word, which need not be that of what it does.
    if (foreignScheme(row.id) !== "tmux") throw unsupported(row.id, verb);
    const acting = new Acting({ table, channel: async () => undefined });
    const name = inWords(row);
    return { id: row.id, called: name, result: await act(acting.on(row), name) };
  });
}

/** The one listed terminal that a text means. Throws `none` where there is none. */
async function theListed(text: string, table: ProcessTable, none: Error): Promise<TerminalRow> {
  const [row, ...others] = await listedTerminals(text, table);
  if (row === undefined) throw none;
  if (others.length === 0) return row;
  const all = [row, ...others].map(inWords).join(", ");
  throw new Error(`several terminals are ${JSON.stringify(text)}: ${all}; give an id`);
}

async function withTable<Result>(run: (table: ProcessTable) => Promise<Result>): Promise<Result> {
  requirePlatform();
  const table = createProcessTable({ clock: systemClock });
  try {
    return await run(table);
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
