import type { AgentInfo } from "../../contract/agents.ts";
import { HARNESS_COMMANDS } from "../../contract/derivations.ts";
import type { TerminalInfo } from "../../contract/terminals.ts";

/** What a terminal is doing, as a dot and a word say it. `kind` is the dot's. */
export interface StateWord {
  readonly kind: "needs" | "starting" | "busy" | "idle" | "running" | "stopped" | "ended";
  readonly word: string;
}

/** The state of a terminal and of the agent in it. */
export function stateOf(
  terminal: TerminalInfo,
  agent: AgentInfo | undefined,
  isStarting: boolean,
): StateWord {
  if (terminal.state === "dead") return { kind: "ended", word: endOf(terminal) };
  if (agent?.status === "waiting") return { kind: "needs", word: "waits" };
  if (isStarting) return { kind: "starting", word: "starting" };
  if (agent?.status !== undefined) {
    return { kind: agent.status === "busy" ? "busy" : "idle", word: agent.status };
  }
  if (terminal.state === "running") return { kind: "running", word: "running" };
  return { kind: "stopped", word: terminal.state };
}

/** How its program ended, in words. */
function endOf({ exit_code: code, exit_signal: signal }: TerminalInfo): string {
  if (signal !== undefined) return `ended by ${signal}`;
  if (code === undefined) return "ended";
  return code === 0 ? "ended" : `ended with ${code}`;
}

/** The name of the harness that a terminal runs, if it runs one. */
export function harnessOf({ command: [program = ""] }: TerminalInfo): string | undefined {
  const name = program.slice(program.lastIndexOf("/") + 1);
  return (HARNESS_COMMANDS as readonly string[]).includes(name) ? name : undefined;
}

/** The scheme of an id: who manages the terminal. */
export const managerOf = ({ id }: Pick<TerminalInfo, "id">): string =>
  id.slice(0, Math.max(0, id.indexOf(":")));

/** What may be done with terminals of a scheme. */
export const ABILITIES: Readonly<Record<string, readonly string[]>> = {
  pty: ["view", "rename", "signal", "close"],
  tmux: ["view", "signal", "close"],
};
