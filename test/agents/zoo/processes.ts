import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** A process as the zoo sees it, with means of its own. */
export interface Seen {
  readonly pid: number;
  readonly argv: readonly string[];
  readonly exe: string;
}

/** The state of a process as one letter, its parent and the number of its terminal's device; see proc(5).
 * `undefined`: it has ended. */
export function statOf(pid: number): { state: string; parent: number; tty: number } | undefined {
  const text = read(`/proc/${pid}/stat`);
  const [state = "", parent, , , tty] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return text === "" ? undefined : { state, parent: Number(parent), tty: Number(tty) };
}

/** The start of a process in ticks since boot. */
export function startTick(pid: number): string {
  const text = read(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

function pids(): number[] {
  return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
}

/** Every process that can be read. */
export function all(): Seen[] {
  return pids().flatMap((pid) => {
    const argv = read(`/proc/${pid}/cmdline`).split("\0").slice(0, -1);
    return argv.length === 0 ? [] : { pid, argv, exe: link(`/proc/${pid}/exe`) };
  });
}

/** Whether a process has a child that has ended and that it has not asked about. */
export const hasZombie = (parent: number): boolean =>
  pids().some((pid) => {
    const stat = statOf(pid);
    return stat?.parent === parent && stat.state === "Z";
  });

/** Ends every process that runs from below a folder, names it or has it in its environment, but for this one and those
 * above it. */
export function endAllOf(folder: string): void {
  const spared = new Set<number>();
  for (let pid = process.pid; pid > 0; pid = statOf(pid)?.parent ?? 0) spared.add(pid);
  const isOurs = (pid: number) =>
    [read(`/proc/${pid}/cmdline`), read(`/proc/${pid}/environ`), link(`/proc/${pid}/exe`)].some(
      (text) => text.includes(folder),
    );
  for (;;) {
    const ours = pids().filter(
      (pid) => !spared.has(pid) && isOurs(pid) && statOf(pid)?.state !== "Z",
    );
    if (ours.length === 0) return;
    for (const pid of ours) end(pid);
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
