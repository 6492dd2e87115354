import type { ReadText } from "../../acting/terminal.ts";
import type { TerminalWait } from "../../host/channel/messages.ts";
import { tell, UsageError } from "../failure.ts";
import { actOn, printDone } from "./act.ts";
import type { TargetOptions } from "./find.ts";
import { type WaitOptions, waitOf } from "./options.ts";
import { printText } from "./print.ts";

export interface ReadOptions extends TargetOptions, WaitOptions {
  /** An offset of the output in bytes. Absent: where the last read ended. */
  readonly from?: number;
  readonly wait?: TerminalWait["until"];
  /** Whether the next read begins where this one did. */
  readonly peek?: true;
}

/** Prints a terminal's output since the last read as plain text, after a wait where one is asked for. */
export async function read(text: string, options: ReadOptions): Promise<void> {
  const { from, peek, json } = options;
  const wait = waitIn(options);
  const input = {
    ...(from === undefined ? {} : { from }),
    ...(wait === undefined ? {} : { wait }),
    ...(peek === true ? { peek } : {}),
  };
  const { id, called, result } = await actOn(text, "read", options, (terminal) =>
    terminal.read(input),
  );
  if (json === true) return printDone(id, result);
  tellMissing(result, called);
  printText(result.screen ?? result.text);
}

function waitIn(options: ReadOptions): TerminalWait | undefined {
  if (options.wait !== undefined) return waitOf(options.wait, options);
  const { pattern, ignoreCase, quiet, timeout } = options;
  if ([pattern, ignoreCase, quiet, timeout].every((value) => value === undefined)) return undefined;
  throw new UsageError("--pattern, --ignore-case, --quiet and --timeout are for --wait");
}

/** What the text alone does not say. */
function tellMissing({ skipped = 0, truncated = 0, waited }: ReadText, called: string): void {
  if (skipped > 0) tell(`${skipped} bytes before this are no longer kept`);
  if (truncated > 0) tell(`${truncated} characters before this were left out`);
  if (waited === "timeout") tell("what was waited for did not come in time");
  if (waited === "closed") tell(`${called} was closed meanwhile`);
}
