import { lstat, readlink, realpath } from "node:fs/promises";
import type { Mount } from "./mounts.ts";

/** Links of NixOS through which all its programs are found. */
const SYSTEM_LINKS = ["/run/current-system", "/run/booted-system", "/run/opengl-driver"];

/** What programs need of folders that a sandbox closes: who answers for names of hosts, and where programs are. None of it
 * is a socket. */
export async function keptMounts(): Promise<Mount[]> {
  const mounts: Mount[] = [];
  const resolver = await realpath("/etc/resolv.conf").catch(() => undefined);
  if (resolver?.startsWith("/run/") && (await lstat(resolver)).isFile()) {
    mounts.push({ kind: "read", path: resolver });
  }
  for (const path of SYSTEM_LINKS) {
    const target = await readlink(path).catch(() => undefined);
    if (target !== undefined) mounts.push({ kind: "link", path, target });
  }
  return mounts;
}
