import type { TerminalRead, TerminalWait } from "../../host/channel/messages.ts";
import { EXIT, tell } from "../failure.ts";
import { onTerminal, type TargetOptions } from "./find.ts";
import { type WaitOptions, waitOf } from "./options.ts";
import { called, endOf, printDocument } from "./print.ts";

/** Waits for something to happen in a terminal. What is read later is not touched by it. */
export async function wait(
  text: string,
  until: TerminalWait["until"] | undefined,
  options: TargetOptions & WaitOptions,
): Promise<void> {
  const wanted = until ?? (options.pattern === undefined ? "exit" : "match");
  const wait = waitOf(wanted, options);
  await onTerminal(text, "wait", options, async ({ session, terminal: { id } }) => {
    const result = await session.read({ target: id, wait, peek: true });
    const { terminal, waited, from, to } = result;
    if (options.json === true) printDocument(terminal, { waited, from, to });
    if (isReached(wanted, result)) {
      if (options.json !== true) process.stdout.write(`${reached(result)}\n`);
      return;
    }
    process.exitCode = EXIT.failed;
    if (options.json !== true) tell(missed(wanted, result));
  });
}

/** What is closed has ended. */
const isReached = (wanted: TerminalWait["until"], { waited }: TerminalRead) =>
  waited === wanted || (wanted === "exit" && waited === "closed");

const reached = ({ terminal, waited }: TerminalRead) =>
  waited === "exit" ? (endOf(terminal) ?? "ended") : String(waited);

function missed(wanted: TerminalWait["until"], { terminal, waited }: TerminalRead): string {
  const what = { quiet: "was not quiet", exit: "has not ended", match: "showed no match" }[wanted];
  const when = waited === "timeout" ? "in time" : "before it ended";
  return `${called(terminal)} ${what} ${when}`;
}
