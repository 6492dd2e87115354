import { readFileSync } from "node:fs";

/** What a process holds of the machine's memory now, in bytes: VmRSS of proc(5). */
export function residentBytes(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  if (found?.[1] === undefined) throw new Error(`Expected the status of a process, of ${pid}`);
  return Number(found[1]) * 1_024;
}
