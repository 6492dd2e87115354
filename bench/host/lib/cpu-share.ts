import { cpuMeter } from "../../lib/publisher.ts";
import type { BenchTmux } from "../../lib/tmux.ts";
import { captured, POLL_MS } from "./reactions.ts";
import { after } from "./rounds.ts";

/** How much of one processor a process takes over so long a time, in percent. */
export async function cpuShare(pid: number, ms: number): Promise<number> {
  const used = cpuMeter(pid);
  await after(ms);
  return (used() / ms) * 100;
}

/** The same of whoever polls the session `polled`, with the processes that it starts, and of tmux. */
export async function pollingShare(tmux: BenchTmux, ms: number): Promise<number> {
  const meters = [cpuMeter(process.pid), cpuMeter(tmux.pid)];
  const end = performance.now() + ms;
  while (performance.now() < end) {
    await captured(tmux, "polled");
    await after(POLL_MS);
  }
  const used = meters.reduce((sum, meter) => sum + meter(), 0);
  return (used / ms) * 100;
}
