import type { AgentInfo } from "../../../src/contract/agents.ts";
import { HERE } from "../../client/support/frames.ts";

/** Who we are; `HERE` is the other publisher. */
export const OURSELVES = "11111111111111111111111111111111";

export const SID = "0199d4b2-5f0a-7c31-8a52-3e8f6c1d2b40";

/** When a process of FakeTable's begins. */
export const beginningOf = (pid: number) => 1_600_000_000_000 + (1_000 + pid) * 10;

/** A row about the process of FakeTable's with that pid. */
export function agent(pid: number, more: Partial<AgentInfo> = {}): AgentInfo {
  return {
    instance: HERE,
    pid,
    cwd: "/src",
    kind: "interactive",
    started_at: beginningOf(pid),
    config_dir: "/home/ann/.claude",
    ...more,
  };
}

/** A frame of `agents` without a chain, as 2.1.1 has it. */
export function agentsFrame(agents: object[], head: object = {}) {
  return { ev: "topic", topic: "agents", instance: HERE, ...head, data: { agents } };
}

export const agentsSnapshot = (...agents: object[]) => agentsFrame(agents, { snapshot: true });
