import { homedir } from "node:os";
import { stateFolder } from "../files/folders.ts";
import type { ExplainedTerminal, Explanation } from "../inventory/explain.ts";
import { createProcessTable } from "../processes/index.ts";
import type { ProcessTable } from "../processes/types.ts";
import { optional } from "../sources/optional.ts";
import { systemClock } from "../time/clock.ts";
import { askPublisher, contradictionOf } from "./contradiction.ts";
import { type Answer, explanationDocument } from "./explanation.ts";
import { explanationLines } from "./explanation-lines.ts";
import { tell } from "./failure.ts";
import { findTerminals, pidIn } from "./find-terminal.ts";
import { takeExplanation } from "./inventory.ts";
import { inOrder } from "./listing.ts";
import type { InventoryOptions } from "./options.ts";
import { isScreen, outputColors } from "./output.ts";
import { requirePlatform } from "./platform.ts";
import { runningPublisher } from "./publisher.ts";
import { namedPlaces, sourceNotes } from "./source-notes.ts";
import { randomInstanceId, readInstanceId } from "./state.ts";
import { jsonLine } from "./text.ts";

export interface ExplainOptions extends InventoryOptions {
  readonly json?: boolean;
}

/** Says how the row of a terminal came to be. It looks at this host itself, for rows do not carry that, and says where
 * the running publisher states otherwise. */
export async function explain(text: string, options: ExplainOptions): Promise<void> {
  requirePlatform();
  const folder = stateFolder();
  const instance = (await readInstanceId(folder)) ?? randomInstanceId();
  const table = createProcessTable({ clock: systemClock });
  try {
    const publisher = await runningPublisher(folder, table);
    const [explanation, answered] = await Promise.all([
      takeExplanation(instance, table, options),
      askPublisher(publisher),
    ]);
    const terminal = theOne(text, explanation, table);
    const answer: Answer = {
      ...explanation,
      terminal,
      startedAt: (process) => table.startedAt(process),
      ...optional("contradiction", answered && contradictionOf(terminal, answered)),
    };
    const shown =
      options.json === true ? jsonLine(explanationDocument(answer)) : textOf(answer, options);
    process.stdout.write(shown);
  } finally {
    table.close();
  }
}

function textOf(answer: Answer, options: ExplainOptions): string {
  const lines = explanationLines(answer, {
    now: systemClock.now(),
    home: homedir(),
    width: isScreen() ? process.stdout.columns : undefined,
    colors: outputColors(),
    ...namedPlaces(options),
  });
  return lines.map((line) => `${line}\n`).join("");
}

/** The terminal that is meant. Throws where there is none, or more than one. */
function theOne(text: string, explanation: Explanation, table: ProcessTable): ExplainedTerminal {
  const found = findTerminals(text, explanation.terminals);
  const [terminal] = found;
  if (terminal === undefined) throw unknown(text, explanation, table);
  if (found.length === 1) return terminal;
  const names = inOrder(found.map(({ row }) => row)).map(({ id, name }) =>
    name === undefined ? id : `${id} (${name})`,
  );
  throw new Error(`"${text}" may be any of ${names.length} terminals: ${names.join(", ")}`);
}

/** Of what could not be read it is not known what is there. */
function unknown(text: string, explanation: Explanation, table: ProcessTable): Error {
  const { sources } = explanation;
  const now = systemClock.now();
  // What is said of agents explains no terminal's absence.
  const terminals = explanation.terminals.map(({ row }) => row);
  const known = { terminals, agents: [], sources, agentSources: [], agentsPolledAt: now };
  for (const note of sourceNotes(known, { now })) tell(note);
  const pid = pidIn(text);
  const process = pid === undefined ? undefined : table.read(pid);
  return new Error(
    process === undefined
      ? `no terminal has "${text}" as its id, short id, name or device, or as the pid of a process in it; \`termtopic ls\` lists the terminals by their short ids`
      : `process ${pid} (${process.name}) is in no terminal that is known`,
  );
}
