import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Where no system tells one boot from another. Identities then rest on number and start alone. */
const UNKNOWN_BOOT = "unknown";

/** The random id that Linux makes at boot (random(4)); without it the second of the boot, which two
 * boots never share. */
export function linuxBootId(root: string): string {
  const id = readText(`${root}/sys/kernel/random/boot_id`)?.trim();
  if (id) return id;
  const second = bootSecond(root);
  return second === undefined ? UNKNOWN_BOOT : `boot-${second}`;
}

/** macOS makes such an id too, and tells it through sysctl(8) alone. */
export function darwinBootId(): string {
  try {
    const id = execFileSync("/usr/sbin/sysctl", ["-n", "kern.bootsessionuuid"], {
      encoding: "utf8",
      timeout: 2000,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return id.trim() || UNKNOWN_BOOT;
  } catch {
    return UNKNOWN_BOOT;
  }
}

/** When Linux was booted, in whole seconds since the epoch, rounded down: `btime` of `/proc/stat`
 * (proc(5)). It moves when the wall clock is set. */
function bootSecond(root: string): number | undefined {
  const second = /^btime (\d+)$/m.exec(readText(`${root}/stat`) ?? "")?.[1];
  return second === undefined ? undefined : Number(second);
}

/** How often the clock and the uptime are read for one pair that belongs together. */
const PAIRS = 5;

/** When Linux was booted, in epoch milliseconds. `/proc/uptime` tells it to 10 ms, and a little differently
 * each time; `btime` bounds that, in case the wall clock is set between the two readings. */
export function bootInstant(root: string): number | undefined {
  const second = bootSecond(root);
  if (second === undefined) return undefined;
  const uptime = uptimeNow(root);
  if (uptime === undefined) return second * 1000;
  return Math.min(Math.max(Math.round(uptime.at - uptime.ms), second * 1000), second * 1000 + 999);
}

/** The uptime in milliseconds, and the wall clock when it was that. Of several readings the quickest: between
 * its two halves the least can have happened. */
function uptimeNow(root: string): { ms: number; at: number } | undefined {
  let best: { ms: number; at: number; took: number } | undefined;
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const at = Date.now();
    const seconds = /^(\d+\.\d+) /.exec(readText(`${root}/uptime`) ?? "")?.[1];
    if (seconds === undefined) return undefined;
    const took = Date.now() - at;
    if (best === undefined || took < best.took) best = { ms: Number(seconds) * 1000, at, took };
    if (took === 0) break;
  }
  return best;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
