import { execFile, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { Reuse } from "./program/reuse.ts";

const UNSHARE = ["-pf", "--mount-proc"];

/** Whether we may have a pid name space of our own, and say which number is next in it. */
const mayChoosePids =
  spawnSync("unshare", [...UNSHARE, "sh", "-c", "echo 100 > /proc/sys/kernel/ns_last_pid"])
    .status === 0;

test.skipIf(!mayChoosePids)(
  "who gets the pid and the pseudo-terminal of an agent inherits neither its row nor its session",
  async () => {
    const program = fileURLToPath(new URL("program/reuse.mjs", import.meta.url));
    const args = [...UNSHARE, process.execPath, program];
    const { stdout } = await promisify(execFile)("unshare", args, { timeout: 18_000 });
    const { pid, before, after } = JSON.parse(stdout) as Reuse;
    expect(before).toEqual([expect.stringMatching(/^tmux:/), true]);
    expect(after).toEqual([
      { id: expect.any(String), hasPid: true, tty: true, runs: [], command: ["sleep", "1000"] },
      { id: expect.any(String), hasPid: true, tty: true, runs: [], command: ["claude", "1000"] },
    ]);
    expect(new Set([before[0], ...after.map(({ id }) => id)]).size).toBe(3);
    expect(pid).toBeGreaterThan(1_000);
  },
);
