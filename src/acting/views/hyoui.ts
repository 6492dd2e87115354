import { DEFAULT_COLS, DEFAULT_ROWS } from "../../contract/acting-limits.ts";
import { attachCommand } from "../../contract/attach.ts";
import type { TerminalInfo } from "../../contract/terminals.ts";
import type { ProcessTable } from "../../processes/types.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { channelFault } from "../channel-fault.ts";
import { unsupported } from "../elsewhere.ts";
import { ActingError } from "../failure.ts";
import { reached } from "../reached.ts";
import { HostView, type HostViewOptions } from "./host-view.ts";
import type { OpenView } from "./view.ts";

/** The host's session of the terminals that are there to look at something else. */
const SESSION = "views";

/** How soon after its beginning an attach command that fails was never attached, in milliseconds: to call it again at once
 * would end as this did. */
const REFUSED_MS = 2_000;

export interface HyouiViewParts {
  /** The socket for channels of the host, which is started where none runs. */
  reach(): Promise<string>;
  readonly table: Pick<ProcessTable, "read" | "environment">;
  /** Default: the machine's own time. */
  readonly clock?: Clock;
}

/** Looks at sessions of hyoui by its own attach command, in a terminal of the host that goes with its viewer and is listed to
 * nobody. */
export function openHyouiView({ reach, table, clock = systemClock }: HyouiViewParts): OpenView {
  return async (row, looker, signal) => {
    const { id, name, cols = DEFAULT_COLS, rows = DEFAULT_ROWS } = row;
    const exec = attaching(row, table, looker.readOnly);
    if (exec === undefined) throw unsupported(id, "view");
    const where = { sessionId: SESSION, cwd: "/", env: null } as const;
    const opening = { type: "open", ...where, exec, cols, rows, whileViewed: true } as const;
    const beganAt = clock.monotonic();
    const view: HyouiView = new HyouiView({
      ...{ id, looker, opening, name },
      exited: ({ exited: { code } = {} }) => {
        const isRefused = code !== 0 && clock.monotonic() - beganAt < REFUSED_MS;
        // Whether the session has ended otherwise, or only the way to it: who looks anew is told.
        view.give(new ActingError(isRefused ? "refused" : "no_answer", ended(exec, code)));
      },
    });
    try {
      await view.open(await reached(reach), signal);
    } catch (error) {
      throw channelFault(error);
    }
    return view;
  };
}

class HyouiView extends HostView {
  readonly #options: HostViewOptions;

  constructor(options: HostViewOptions) {
    super(options);
    this.#options = options;
  }

  /** That would close the way to the session, and not the session. */
  override close(): void {
    const { id, looker } = this.#options;
    looker.event({ type: "error", message: unsupported(id, "close").message });
  }
}

/** hyoui's own command for exactly this session: names are unique within a namespace alone, and which one it is in is known to
 * what runs in it. Generations without namespaces set none, and know no option for them. */
function attaching(
  row: TerminalInfo,
  table: HyouiViewParts["table"],
  isReadOnly: boolean,
): string[] | undefined {
  const command = attachCommand(row.id);
  if (command === undefined) return undefined;
  const [session, namespaceInId] = namesIn(row.id);
  const environment = environmentIn(row, table);
  const inside = environment?.get("HYOUI_SESSION_ID");
  if (inside !== undefined && inside !== session) {
    throw new ActingError("changed", `${row.id} is not the session that was listed any more`);
  }
  const namespace = environment?.get("HYOUI_NAMESPACE") ?? namespaceInId;
  return [
    ...command,
    ...(namespace === undefined ? [] : [`--namespace=${namespace}`]),
    ...(isReadOnly ? ["--observer"] : []),
  ];
}

/** The session, and its namespace where the id has that. */
const namesIn = (id: string) =>
  id
    .slice(id.indexOf(":") + 1)
    .split("/")
    .map(decodeURIComponent)
    .reverse();

/** Of what hyoui has started; absent where that cannot be told or is not ours to read. */
function environmentIn(
  { pid, root_pid: root = pid, start_tick: startTick }: TerminalInfo,
  table: HyouiViewParts["table"],
): ReadonlyMap<string, string> | undefined {
  if (root === undefined) return undefined;
  if (root === pid && startTick !== undefined && table.read(pid)?.startTick !== startTick) {
    return undefined;
  }
  return table.environment(root);
}

function ended(command: readonly string[], code: number | undefined): string {
  const how = code === undefined ? "" : ` with ${code}`;
  return `\`${command.join(" ")}\` has ended${how}`;
}
