import { execFile, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { Reuse } from "./program/reuse.ts";

/** Pids and pseudo-terminals of our own: nobody else takes a number that we give back. */
const OWN_PTYS =
  "mount -t devpts -o newinstance,ptmxmode=0666 devpts /dev/pts && mount --bind /dev/pts/ptmx /dev/ptmx";
const apart = (script: string, ...args: string[]) =>
  ["-pf", "--mount-proc", "sh", "-c", `${OWN_PTYS} && ${script}`, "sh", ...args] as const;

/** Whether we may have both, and say which number is next. */
const mayChoosePids =
  spawnSync("unshare", apart("echo 100 > /proc/sys/kernel/ns_last_pid")).status === 0;

test.skipIf(!mayChoosePids)(
  "who gets the pid and the pseudo-terminal of an agent inherits neither its row nor its session",
  async () => {
    const program = fileURLToPath(new URL("program/reuse.mjs", import.meta.url));
    const run = promisify(execFile);
    const args = apart('exec "$@"', process.execPath, program);
    const { stdout } = await run("unshare", args, { timeout: 18_000 });
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
