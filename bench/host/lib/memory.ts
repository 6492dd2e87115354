import { readFileSync } from "node:fs";

/** What a process has in memory that it does not share, and its part of what it does, in MB (proc(5), Pss). */
export function memoryOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1]) / 1_024;
}
