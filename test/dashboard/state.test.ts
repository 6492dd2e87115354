import { expect, test } from "vitest";
import type { AgentInfo } from "../../src/contract/agents.ts";
import type { TerminalInfo } from "../../src/contract/terminals.ts";
import { harnessOf, managerOf, stateOf } from "../../src/dashboard/shared/state.ts";

const INSTANCE = "3f9c1a7b5e2d48069c1a7b5e2d480691";
const terminal = (more: Partial<TerminalInfo> = {}): TerminalInfo => ({
  ...{ instance: INSTANCE, id: "tmux:a@1.1/1", state: "running", command: [] },
  ...more,
});
const agent = (status?: string): AgentInfo => ({
  ...{ instance: INSTANCE, pid: 7, cwd: "/", kind: "interactive", started_at: 1, config_dir: "/c" },
  ...(status === undefined ? {} : { status }),
});

test.each([
  [terminal(), undefined, false, "running", "running"],
  [terminal(), undefined, true, "starting", "starting"],
  [terminal(), agent("waiting"), false, "needs", "waits"],
  [terminal(), agent("busy"), false, "busy", "busy"],
  [terminal(), agent("shell"), false, "idle", "shell"],
  [terminal(), agent(), false, "running", "running"],
  [terminal({ state: "suspended" }), undefined, false, "stopped", "suspended"],
  [terminal({ state: "dead" }), agent("busy"), false, "ended", "ended"],
  [terminal({ state: "dead", exit_code: 0 }), undefined, false, "ended", "ended"],
  [terminal({ state: "dead", exit_code: 3 }), undefined, false, "ended", "ended with 3"],
  [
    terminal({ state: "dead", exit_signal: "SIGKILL" }),
    undefined,
    false,
    "ended",
    "ended by SIGKILL",
  ],
])("a state is a dot and a word: %j %j", (row, run, isStarting, kind, word) => {
  expect(stateOf(row, run, isStarting)).toEqual({ kind, word });
});

test("a harness is known by the name of its program, and a manager by the scheme", () => {
  expect(harnessOf(terminal({ command: ["/usr/bin/claude", "-c"] }))).toBe("claude");
  expect(harnessOf(terminal({ command: ["vim", "claude"] }))).toBeUndefined();
  expect(harnessOf(terminal())).toBeUndefined();
  expect(managerOf(terminal())).toBe("tmux");
  expect(managerOf({ id: "odd" })).toBe("");
});
