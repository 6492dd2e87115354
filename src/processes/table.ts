import { readlinkSync } from "node:fs";
import type { Clock } from "../time/clock.ts";
import { createProcfsTable } from "./procfs.ts";
import { createPsTable } from "./ps.ts";
import type { ProcessTable } from "./types.ts";

export interface ProcessTableOptions {
  readonly clock: Clock;
  /** Where procfs is mounted. Default `/proc`. */
  readonly procRoot?: string;
}

/** The process table of this host: by procfs where it shows every process, else by `ps`. */
export function createProcessTable({
  clock,
  procRoot = "/proc",
}: ProcessTableOptions): ProcessTable {
  if (!speaksOfUs(procRoot)) return createPsTable({ clock, limited: "no_proc" });
  const procfs = createProcfsTable({ clock, root: procRoot });
  // The first process is root's, so `hidepid` hides it from everybody else.
  if (procfs.read(1) !== undefined) return procfs;
  return createPsTable({ clock, limited: "hidden_proc", near: procfs });
}

/** A procfs of another pid namespace is there too, but has other numbers for the same processes. */
function speaksOfUs(root: string): boolean {
  try {
    return readlinkSync(`${root}/self`) === String(process.pid);
  } catch {
    return false;
  }
}
