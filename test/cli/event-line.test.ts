import { expect, test } from "vitest";
import { eventLine } from "../../src/cli/event-line.ts";
import type { TerminalInfo } from "../../src/contract/terminals.ts";

const NOW = new Date(2026, 0, 2, 3, 4, 5);
const before: TerminalInfo = {
  instance: "0".repeat(32),
  id: "tmux:a@812.1770000000/3",
  state: "running",
  command: ["sh"],
  pid: 4711,
  started_at: 1_770_000_000_000,
  activity_at: 1_770_000_000_000,
};

test("a change is a line with the fields that differ", () => {
  const row = { ...before, command: ["vim", "a file"], pid: 4712, started_at: 1_770_000_060_000 };
  expect(eventLine({ kind: "changed", row, before }, NOW)).toBe(
    "03:04:05  changed  tmux:a@812.1770000000/3  command=vim 'a file'  pid=4712",
  );
});

test("instants that only programs read are no line", () => {
  const row = { ...before, activity_at: 1_770_000_060_000 };
  expect(eventLine({ kind: "changed", row, before }, NOW)).toBeUndefined();
});
