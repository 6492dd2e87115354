import { ActingError } from "../failure.ts";
import type { SeenTerminal } from "../terminal.ts";
import type { PaneId } from "./pane-id.ts";

/** What is asked of a pane with which something was not done, to say why. */
export const STATE_FIELDS = [
  "pid",
  "start_time",
  "pane_id",
  "pane_pid",
  "pane_dead",
  "pane_in_mode",
  "pane_input_off",
  "pane_synchronized",
] as const;

/** Why nothing was done with a pane, by its state: the fields with a colon between. `undefined` where nothing in that was
 * in the way. */
export function refusalOf(state: string, id: PaneId, seen: SeenTerminal): ActingError | undefined {
  const [pid, startTime, pane, panePid, dead, inMode, inputOff, synchronized] = state.split(":");
  if (Number(pid) !== id.serverPid || Number(startTime) !== id.startTime) {
    return new ActingError("gone", "its tmux server has ended; another one has its socket");
  }
  if (pane !== `%${id.number}`) {
    return new ActingError("gone", "its tmux server has no such pane any more");
  }
  const seenPid = seen.root_pid ?? seen.pid;
  const isAnother = seenPid === undefined ? dead !== "1" : Number(panePid) !== seenPid;
  if (isAnother) {
    const was = seenPid === undefined ? "had ended" : `was process ${seenPid}`;
    return new ActingError(
      "changed",
      `what runs in the pane is not what was seen: that ${was}, now it is process ${panePid}`,
    );
  }
  if (dead === "1") return new ActingError("ended", "the program in the pane has ended");
  const why = blocked(inMode, inputOff, synchronized);
  return why === undefined ? undefined : new ActingError("input_blocked", why);
}

function blocked(inMode = "", inputOff = "", synchronized = ""): string | undefined {
  if (inMode !== "0" && inMode !== "") {
    return "somebody looks back in the pane (copy mode or another mode of tmux), which would take what is typed; leave the mode first";
  }
  if (inputOff === "1") return "input to the pane is switched off in tmux (select-pane -d)";
  if (synchronized === "1") {
    return "all panes of its window get what is typed into one of them (synchronize-panes), so nothing was";
  }
  return undefined;
}
