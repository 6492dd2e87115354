import { cpuMs } from "../../lib/publisher.ts";
import type { BenchTmux } from "../../lib/tmux.ts";
import { captured, POLL_MS } from "./reactions.ts";
import { after } from "./rounds.ts";

/** How much of one processor a process takes over so long a time, in percent. */
export async function cpuShare(pid: number, ms: number): Promise<number> {
  const before = cpuMs(pid);
  await after(ms);
  return ((cpuMs(pid) - before) / ms) * 100;
}

/** The same of whoever polls the session `polled`, with the processes that it starts, and of tmux. */
export async function pollingShare(tmux: BenchTmux, ms: number): Promise<number> {
  const before = [cpuMs(process.pid), cpuMs(tmux.pid)] as const;
  const end = performance.now() + ms;
  while (performance.now() < end) {
    await captured(tmux, "polled");
    await after(POLL_MS);
  }
  const used = cpuMs(process.pid) - before[0] + cpuMs(tmux.pid) - before[1];
  return (used / ms) * 100;
}
