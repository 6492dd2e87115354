import type { TerminalInfo } from "../contract/terminals.ts";
import type { TerminalEvent } from "./history.ts";
import { commandText, stateText } from "./terminal-columns.ts";
import { clean } from "./text.ts";

/** One event as a line for people: time, what happened, to which terminal, and what is new. `undefined` where
 * nothing differs that a person would read. */
export function eventLine(event: TerminalEvent, now: Date): string | undefined {
  const { kind, row } = event;
  const what = detail(event);
  if (what === undefined) return undefined;
  return `${timeText(now)}  ${kind.padEnd(7)}  ${placeText(row)}${what}`;
}

/** When something happened, on a person's clock. */
export const timeText = (now: Date) =>
  [now.getHours(), now.getMinutes(), now.getSeconds()].map(twoDigits).join(":");

/** Which terminal it is, by its id, which other commands take. */
export const placeText = ({ id, name }: Pick<TerminalInfo, "id" | "name">) =>
  name === undefined ? clean(id) : `${clean(id)}  ${clean(name)}`;

function detail(event: TerminalEvent): string | undefined {
  switch (event.kind) {
    case "gone":
      return event.reason === undefined ? "" : `  ${event.reason}`;
    case "changed": {
      const fields = differences(event.before, event.row);
      return fields.length === 0 ? undefined : `  ${fields.join("  ")}`;
    }
    default: {
      const command = commandText(event.row);
      return `  ${stateText(event.row)}${command === "" ? "" : `  ${command}`}`;
    }
  }
}

/** Instants and ticks, which only programs read. What begins or prints shows in other fields. */
const UNREADABLE: readonly string[] = [
  "activity_at",
  "started_at",
  "start_tick",
] satisfies (keyof TerminalInfo)[];

/** The fields for people that are other than before, each with its new value. */
function differences(before: TerminalInfo, row: TerminalInfo): string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(row)]) as Set<keyof TerminalInfo>;
  return [...fields].flatMap((field) => {
    if (UNREADABLE.includes(field)) return [];
    const value = row[field];
    if (JSON.stringify(value) === JSON.stringify(before[field])) return [];
    const text = field === "command" ? commandText(row) : clean(String(value ?? "-"));
    return [`${field}=${text}`];
  });
}

const twoDigits = (part: number) => String(part).padStart(2, "0");
