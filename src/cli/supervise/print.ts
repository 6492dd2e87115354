import type {
  CellRun,
  InspectResult,
  MonitorEvent,
  ScreenResult,
  SessionFacts,
} from "../../host/supervisor/messages.ts";
import { isScreen, outputColors } from "../output.ts";
import { type Column, tableLines } from "../table.ts";
import { printText } from "../terminal/print.ts";
import { clean } from "../text.ts";

export function printLines(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
}

/** Prints output byte for byte; on a person's own terminal no character in it may do anything but be seen. */
export function printOutput(output: string): void {
  if (isScreen()) printText(output);
  else process.stdout.write(output);
}

export function printTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): void {
  const width = isScreen() ? process.stdout.columns : undefined;
  if (rows.length > 0) printLines(tableLines(columns, rows, width, outputColors()));
}

/** How much of the output is unread, in bytes, with what is no longer kept. */
const unread = ({ unread_range: range }: SessionFacts) =>
  range === null ? 0 : range.end.offset - range.start.offset;

export const SESSION_COLUMNS: readonly Column<SessionFacts>[] = [
  { title: "SESSION", cell: ({ session_id }) => clean(session_id) },
  { title: "STATE", cell: ({ lifecycle }) => lifecycle },
  { title: "BACKEND", cell: ({ backend }) => backend },
  { title: "OUTPUT", cell: ({ output_cursor }) => String(output_cursor.offset) },
  { title: "UNREAD", cell: (facts) => String(unread(facts)) },
  { title: "MONITORS", cell: ({ active_monitor_count }) => String(active_monitor_count) },
];

/** What a session is, and its monitors and their events below it. */
export function printInspection(inspection: InspectResult): void {
  const { session, shell, cwd, command, monitors, events, event_gap_through: gap } = inspection;
  printTable(SESSION_COLUMNS, [session]);
  const facts = [
    `shell ${shell}`,
    `cwd ${cwd}`,
    ...(command === null ? [] : [`command ${command}`]),
    ...monitors.map(({ monitor_id, state }) => `${monitor_id} ${state}`),
    ...(gap === null ? [] : [`events up to ${gap} are no longer kept`]),
    ...events.map(eventText),
  ];
  printLines(facts.map(clean));
}

/** An event on one line: its number, when it was, and what a monitor told of. */
export function eventText(event: MonitorEvent): string {
  const { event_id, created_at_ms, monitor_id, reason, lifecycle, cursor } = event;
  const at = new Date(created_at_ms).toISOString();
  return clean(`${event_id} ${at} ${monitor_id} ${reason} (${lifecycle}, at ${cursor.offset})`);
}

/** The rows of a screen as text, without the blank ones at its end. */
export function screenRows({ cells }: ScreenResult): string[] {
  const rows = cells.map((runs) => runs.map(textOf).join("").trimEnd());
  const last = rows.findLastIndex((row) => row !== "");
  return rows.slice(0, last + 1).map(clean);
}

function textOf(run: CellRun): string {
  if (run.kind === "blank") return " ".repeat(run.count);
  return typeof run.text === "string" ? run.text : run.text.join("");
}
