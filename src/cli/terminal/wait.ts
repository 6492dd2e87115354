import type { ReadText } from "../../acting/terminal.ts";
import type { TerminalWait } from "../../host/channel/messages.ts";
import { EXIT, tell } from "../failure.ts";
import { actOn, printDone } from "./act.ts";
import type { TargetOptions } from "./find.ts";
import { type WaitOptions, waitOf } from "./options.ts";
import { endOf } from "./print.ts";

/** Waits for something to happen in a terminal. What is read later is not touched by it. */
export async function wait(
  text: string,
  until: TerminalWait["until"] | undefined,
  options: TargetOptions & WaitOptions,
): Promise<void> {
  const wanted = until ?? (options.pattern === undefined ? "exit" : "match");
  const wait = waitOf(wanted, options);
  const { id, called, result } = await actOn(text, "wait", options, (terminal) =>
    terminal.read({ wait, peek: true }),
  );
  const { terminal, waited, from, to } = result;
  if (options.json === true) {
    printDone(id, terminal === undefined ? {} : { terminal }, { waited, from, to });
  }
  if (isReached(wanted, result)) {
    if (options.json !== true) process.stdout.write(`${reached(result)}\n`);
    return;
  }
  process.exitCode = EXIT.failed;
  if (options.json !== true) tell(`${called} ${missed(wanted, result)}`);
}

/** What is closed has ended. */
const isReached = (wanted: TerminalWait["until"], { waited }: ReadText) =>
  waited === wanted || (wanted === "exit" && waited === "closed");

const reached = ({ terminal, waited }: ReadText) =>
  waited === "exit" ? ((terminal && endOf(terminal)) ?? "ended") : String(waited);

function missed(wanted: TerminalWait["until"], { waited }: ReadText): string {
  const what = { quiet: "was not quiet", exit: "has not ended", match: "showed no match" }[wanted];
  const when = waited === "timeout" ? "in time" : "before it ended";
  return `${what} ${when}`;
}
