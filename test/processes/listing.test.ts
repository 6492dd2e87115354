import { spawn } from "node:child_process";
import { describe, expect, onTestFinished, test } from "vitest";
import { walkPids } from "../../src/processes/listing.ts";

/** Processes that begin and end all the time. */
function storm(): void {
  const script = "while :; do /bin/true & /bin/true & wait; done";
  const child = spawn("sh", ["-c", script], { stdio: "ignore", detached: true });
  onTestFinished(() => void process.kill(-(child.pid ?? 0), "SIGKILL"));
}

describe("a walk of the processes", () => {
  test("finds those that live, also where others end as it comes by", async () => {
    storm();
    const end = performance.now() + 1_000;
    let walks = 0;
    while (performance.now() < end) {
      const pids = [...walkPids("/proc")];
      expect(pids).toContain(process.pid);
      expect(pids).toEqual([...new Set(pids)].sort((a, b) => a - b));
      walks += 1;
      if (walks % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(walks).toBeGreaterThan(10);
  });
});
