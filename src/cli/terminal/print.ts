import { ptyRowId } from "../../acting/pty-id.ts";
import type { TerminalInfo } from "../../host/channel/messages.ts";
import { isScreen } from "../output.ts";
import { clean, jsonLine } from "../text.ts";

/** The document of a command on a terminal: the id as lists have it, what the host says of the terminal, and what else
 * there is to say. */
export function printDocument(terminal: TerminalInfo, more: object = {}): void {
  process.stdout.write(jsonLine({ id: ptyRowId(terminal.id), terminal, ...more }));
}

/** Prints text of a terminal. On a person's own terminal no character in it may do anything but be seen. */
export function printText(text: string): void {
  const shown = isScreen() ? text.split("\n").map(cleanLine).join("\n") : text;
  process.stdout.write(shown === "" || shown.endsWith("\n") ? shown : `${shown}\n`);
}

const cleanLine = (line: string) => line.split("\t").map(clean).join("\t");

/** A terminal in a sentence: its id, and its name where it has one. */
export const called = ({ id, name }: TerminalInfo): string =>
  name === undefined ? ptyRowId(id) : `${ptyRowId(id)} (${name})`;

/** How a terminal's program ended, in words; `undefined` while it runs. */
export function endOf({ exited }: TerminalInfo): string | undefined {
  if (exited === undefined) return undefined;
  const { code, error } = exited;
  const coded = code === undefined ? undefined : `ended with ${code}`;
  const how = [coded, error].filter((part) => part !== undefined);
  return how.length === 0 ? "ended" : how.join("; ");
}
