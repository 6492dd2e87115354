import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from "node:fs";
import { dirname } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { findHost, reachHost } from "../../../src/host/process/reach.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { type BuiltHost, buildHost, RealHost } from "../hostile/real-host.ts";
import { Place, table } from "../process/support.ts";

let built: BuiltHost;
beforeAll(async () => {
  built = await buildHost();
  return built.remove;
}, 60_000);

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

/** What may be wrong with a folder, and what is said of it. */
const WRONG: readonly [string, (folder: string) => void, RegExp][] = [
  ["that is a symbolic link", link, /must not be a symbolic link/],
  ["that its group can write to", open(0o770), /must be closed to others, its mode is 0770/],
  ["that others can write to", open(0o702), /must be closed to others, its mode is 0702/],
  ["that others can look into", open(0o755), /must be closed to others, its mode is 0755/],
];
const FOREIGN: (typeof WRONG)[number] = [
  "that is somebody else's",
  (folder) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chownSync(folder, NOBODY, NOBODY);
  },
  /must belong to you, it belongs to uid 65534/,
];

function link(folder: string): void {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  mkdirSync(`${folder}-elsewhere`, { mode: 0o700 });
  symlinkSync(`${folder}-elsewhere`, folder);
}

function open(mode: number): (folder: string) => void {
  return (folder) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, mode);
  };
}

describe.each([
  ["a runtime folder", (place: Place) => place.runtime],
  ["a host's folder", (place: Place) => place.places.folder],
])("%s", (_, folderOf) => {
  test.each([...WRONG, ...(isRoot ? [FOREIGN] : [])])(
    "%s is refused by a host and by who looks for one, and left as it is",
    async (_what, spoil, words) => {
      const place = new Place();
      const folder = folderOf(place);
      spoil(folder);
      const before = lstatSync(folder);
      const host = place.start(built.program);
      expect(await host.ended).toBe(1);
      expect(host.stderr).toMatch(words);
      const { places } = place;
      await expect(findHost({ places, table })).rejects.toThrow(words);
      const [file = "", ...args] = built.program;
      const reaching = reachHost({
        places,
        table,
        clock: systemClock,
        environment: place.env,
        program: [file, ...args],
      });
      await expect(reaching).rejects.toThrow(words);
      const after = lstatSync(folder);
      expect([after.mode, after.uid, after.ino]).toEqual([before.mode, before.uid, before.ino]);
      expect(readdirSync(folder)).toEqual([]);
    },
  );
});

test("a host listens on no abstract socket, which anybody could connect to", async () => {
  const host = await RealHost.start(built);
  const sockets = new Set(
    readdirSync(`/proc/${host.pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${host.pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        // It was closed since it was listed.
        return [];
      }
    }),
  );
  const listening = readFileSync("/proc/net/unix", "latin1")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    // Those that accept connections (`__SO_ACCEPTCON` of proc(5)).
    .filter(([, , , flags, , , inode]) => flags === "00010000" && sockets.has(inode ?? ""));
  expect(listening).toHaveLength(3);
  for (const [, , , , , , , path] of listening)
    expect(dirname(path ?? "")).toBe(host.place.places.folder);
  for (const name of ["tcp", "tcp6", "udp", "udp6"]) {
    const inodes = readFileSync(`/proc/net/${name}`, "latin1")
      .split("\n")
      .map((line) => line.trim().split(/\s+/)[9] ?? "");
    expect(inodes.filter((inode) => sockets.has(inode))).toEqual([]);
  }
});
