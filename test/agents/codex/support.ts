import type { ProcessInfo } from "../../../src/processes/types.ts";
import type { FakeTable } from "../../lib/fake-table.ts";
import { processInfo } from "../../lib/fake-table.ts";

export const HOME = "/home/ann";

/** Ids of threads: of version 7, which begins with the time that it was made at. */
export const threadId = (number: number) =>
  `0199${String(number).padStart(4, "0")}-0000-7000-8000-000000000000`;

export const lockOf = (id: string, home = `${HOME}/.codex`) =>
  `${home}/thread-writer-locks/${id}.lock`;

export const rolloutOf = (id: string, home = `${HOME}/.codex`) =>
  `${home}/sessions/2026/01/02/rollout-2026-01-02T03-04-05-${id}.jsonl`;

export interface FakeCodex {
  readonly argv?: string[];
  readonly exe?: string;
  readonly files?: string[];
  readonly cwd?: string | null;
  readonly environment?: Record<string, string>;
  readonly info?: Partial<ProcessInfo>;
}

/** Puts a Codex into the table, or changes it. It is years old: FakeTable's processes are. */
export function setCodex(table: FakeTable, pid: number, fake: FakeCodex = {}): ProcessInfo {
  const { argv = ["codex"], files = [], cwd = "/src", environment = { HOME } } = fake;
  return table.set(processInfo(pid, { name: "codex", ...fake.info }), {
    argv,
    openFiles: files,
    environment,
    ...(fake.exe === undefined ? {} : { exe: fake.exe }),
    ...(cwd === null ? {} : { cwd: { path: cwd, deleted: false } }),
  });
}

/** The start tick of a process that begins at that instant. */
export const tickAt = (at: number) => String((at - 1_600_000_000_000) / 10);
