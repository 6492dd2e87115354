import type { ObservedRun } from "../agents/run.ts";
import { AgentInfo } from "../contract/agents.ts";
import { isValid } from "../contract/validation.ts";
import { areAlike } from "../sources/alike.ts";
import { defined } from "../sources/optional.ts";
import { displayText } from "../sources/text.ts";

interface MadeRow {
  readonly run: ObservedRun;
  readonly row: AgentInfo;
}

/** Makes the rows of runs. A run that says the same as before, in the same terminal, has the very row it had. */
export class AgentRows {
  readonly #instance: string;
  #made = new Map<number, MadeRow>();

  constructor(instance: string) {
    this.#instance = instance;
  }

  /** `terminalOf` says which terminal a process is in. A run that the contract has no room for gets no row. */
  make(
    runs: readonly ObservedRun[],
    terminalOf: (pid: number) => string | undefined,
  ): readonly AgentInfo[] {
    const made = new Map<number, MadeRow>();
    for (const run of runs) {
      const terminal = terminalOf(run.pid);
      const before = this.#made.get(run.pid);
      const isSame =
        before !== undefined && before.row.terminal_id === terminal && areAlike(before.run, run);
      const row = isSame ? before.row : rowOf(this.#instance, run, terminal);
      if (isSame || isValid(AgentInfo, row)) made.set(run.pid, { run, row });
    }
    this.#made = made;
    return [...made.values()].map(({ row }) => row);
  }
}

function rowOf(instance: string, run: ObservedRun, terminal: string | undefined): AgentInfo {
  const row = {
    instance,
    pid: run.pid,
    cwd: run.cwd,
    kind: displayText(run.kind) ?? "",
    started_at: run.startedAt,
    config_dir: run.configDir,
    ...defined({
      sid: run.sid,
      name: displayText(run.name),
      status: displayText(run.status),
      status_at: run.statusAt,
      waiting_for: displayText(run.waitingFor),
      state: displayText(run.state),
      background_id: displayText(run.backgroundId),
      terminal_id: terminal,
      start_tick: run.startTick,
    }),
  };
  return withoutInvalid(row);
}

/** What is optional and not as the contract has it, coming from a file, is left out: unknown. */
function withoutInvalid(row: AgentInfo): AgentInfo {
  const required: readonly string[] = AgentInfo.required ?? [];
  const fields = Object.entries(row).filter(([field, value]) => {
    const schema = AgentInfo.properties[field as keyof AgentInfo];
    return required.includes(field) || isValid(schema, value);
  });
  return Object.fromEntries(fields) as AgentInfo;
}
