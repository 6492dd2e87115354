import { setTimeout as pause } from "node:timers/promises";
import { errorCode, reasonOf } from "../../files/reason.ts";
import { foregroundOf } from "../../host/foreground.ts";
import { ttyDevice } from "../../processes/index.ts";
import type { ProcessInfo, ProcessTable } from "../../processes/types.ts";
import { systemClock } from "../../time/clock.ts";
import { ActingError } from "../failure.ts";
import type { Pane } from "./pane.ts";

/** Sends a signal to the job in front of a pane. */
export async function signalJob(
  pane: Pane,
  signal: NodeJS.Signals,
  table: ProcessTable,
): Promise<void> {
  const { pid, startTick } = await rootOf(pane, table);
  const snapshot = await table.sweep();
  const root = snapshot.get(pid);
  if (root?.startTick !== startTick) throw jobEnded();
  const { ttyDevice: device, foregroundGroup, group } = root;
  const job = foregroundGroup > 0 ? foregroundGroup : group;
  // The number of a group whose processes have all ended may be anybody's by now.
  if (!snapshot.inGroup(job).some((process) => process.ttyDevice === device)) throw jobEnded();
  try {
    process.kill(-job, signal);
  } catch (error) {
    if (errorCode(error) === "ESRCH") throw jobEnded();
    const why = `${signal} could not be sent to the job in front: ${reasonOf(error)}`;
    throw new ActingError("refused", why);
  }
}

const jobEnded = () => new ActingError("ended", "the job in front has ended meanwhile");

/** Throws where a job is in front of what tmux started in a pane, with its program. Nothing that has ended is in the
 * way. */
export async function requireNoJob(pane: Pane, table: ProcessTable): Promise<void> {
  let root: ProcessInfo;
  try {
    root = await rootOf(pane, table);
  } catch (error) {
    if (error instanceof ActingError && error.reason === "ended") return;
    throw error;
  }
  const program = foregroundOf(root, table);
  if (program === undefined) return;
  throw new ActingError("busy", `${program} runs in ${pane.seen.id}`, program);
}

/** How long a process may take to get its terminal once tmux has forked it, in milliseconds, and how long is waited
 * between two looks at it. Until then it is in a group of its server's. */
const BEGINNING_MS = 500;
const LOOK_MS = 5;

/** The process that tmux started in a pane, on the pane's terminal. */
async function rootOf(pane: Pane, table: ProcessTable): Promise<ProcessInfo> {
  const until = systemClock.monotonic() + BEGINNING_MS;
  for (;;) {
    const { root, tty } = await lookAtRoot(pane, table);
    if (root.ttyDevice !== 0 && ttyDevice(tty) === root.ttyDevice) return root;
    const isBeginning = root.ttyDevice === 0 && root.parent === pane.id.serverPid;
    if (isBeginning && systemClock.monotonic() < until) {
      await pause(LOOK_MS);
      continue;
    }
    // A server in another pid namespace states numbers of its own.
    throw new ActingError(
      "unsupported",
      "the processes of its tmux server cannot be seen from here, so what runs in front is not known",
    );
  }
}

/** It and the pane's tty: one that tmux still has there between two looks at it, so that it is no other of that
 * number. */
async function lookAtRoot(
  pane: Pane,
  table: ProcessTable,
): Promise<{ readonly root: ProcessInfo; readonly tty: string }> {
  const pid = pane.rootPid;
  if (pid === undefined) throw new ActingError("ended", "the program in the pane has ended");
  const before = (await table.sweep()).get(pid);
  const tty = await pane.run({
    need: "alive",
    commands: [`display-message -p -t ${pane.target} '#{pane_tty}'`],
  });
  const root = table.read(pid);
  if (before === undefined || root === undefined || root.startTick !== before.startTick) {
    throw new ActingError("ended", "the program in the pane has ended");
  }
  const { start_tick: tick, pid: seenPid } = pane.seen;
  if (seenPid === pid && tick !== undefined && tick !== root.startTick) {
    throw new ActingError("changed", "what runs in the pane is not what was seen: it began later");
  }
  return { root, tty: tty.toString("utf8").trim() };
}
