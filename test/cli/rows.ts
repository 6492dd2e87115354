import type { AgentInfo } from "../../src/contract/agents.ts";
import type { TerminalInfo } from "../../src/contract/terminals.ts";

export const NOW = 1_800_000_000_000;
export const INSTANCE = "0".repeat(32);

/** The session of a number. */
export const sid = (number: number) =>
  `0192f7c4-6b1e-7d3a-9c58-${String(number).padStart(12, "0")}`;

/** A pane where somebody works in a shell. */
export const terminal = (fields: Partial<TerminalInfo> = {}): TerminalInfo => ({
  instance: INSTANCE,
  id: "tmux:a@812.1770000000/1",
  state: "running",
  command: ["bash"],
  name: "work:0.0",
  pid: 10,
  ...fields,
});

/** A run of Claude Code. */
export const agent = (fields: Partial<AgentInfo> = {}): AgentInfo => ({
  instance: INSTANCE,
  pid: 20,
  cwd: "/home/ann/src/atlas",
  kind: "interactive",
  started_at: NOW - 60_000,
  config_dir: "/home/ann/.claude",
  sid: sid(1),
  ...fields,
});
