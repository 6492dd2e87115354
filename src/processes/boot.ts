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
export function bootSecond(root: string): number | undefined {
  const second = /^btime (\d+)$/m.exec(readText(`${root}/stat`) ?? "")?.[1];
  return second === undefined ? undefined : Number(second);
}

/** When Linux was booted, in epoch milliseconds. `/proc/uptime` tells it to 10 ms, and a little differently
 * each time; `btime` bounds that, in case the clock is set between the two readings. */
export function bootInstant(root: string): number | undefined {
  const second = bootSecond(root);
  if (second === undefined) return undefined;
  const uptime = /^(\d+\.\d+) /.exec(readText(`${root}/uptime`) ?? "")?.[1];
  if (uptime === undefined) return second * 1000;
  const instant = Math.round(Date.now() - Number(uptime) * 1000);
  return Math.min(Math.max(instant, second * 1000), second * 1000 + 999);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
