import type { ProcessTable } from "../processes/types.ts";
import type { Clock } from "../time/clock.ts";
import { killTree } from "./pty/kill-tree.ts";
import type { Terminal } from "./terminal.ts";
import type { Terminals } from "./terminals.ts";

/** How long after the last signal the end of a terminal's program is waited for, in milliseconds. */
const END_MS = 2_000;

export interface EndingParts {
  readonly clock: Clock;
  readonly table: ProcessTable;
  readonly terminals: Terminals;
}

/** Ends whatever runs in a terminal, and takes it away. Resolves once it is gone. */
export async function closeTerminal(terminal: Terminal, parts: EndingParts): Promise<void> {
  const { clock, table, terminals } = parts;
  const { root } = terminal;
  const ended = untilEnded(terminal, clock);
  // Also where the program itself has ended: what it left in the background is in the terminal still.
  if (root !== undefined) await killTree(root, { table, clock });
  await ended;
  terminals.remove(terminal);
}

/** Resolves once all output of its program is there, or that takes too long. */
function untilEnded(terminal: Terminal, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      unlisten();
      resolve();
    };
    const unlisten = terminal.changed.on(() => {
      if (terminal.state !== "running") done();
    });
    const cancel = clock.schedule(KILL_MS + END_MS, done);
    if (terminal.state !== "running") done();
  });
}

/** As long as the ladder of signals takes at most, in milliseconds. */
const KILL_MS = 5_000;
