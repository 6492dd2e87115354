import {
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { watchEntries, watchFolder } from "../../src/sources/watch.ts";
import { Announcements, kernelWatches, temporaryFolder } from "../inventory/unit/support.ts";

/** The name that was announced; `again` where a folder is to be read anew. */
type Name = string;
const AGAIN = "again";

function watched(folder: string, how: typeof watchFolder = watchFolder) {
  const announced = new Announcements<Name>();
  const lost: Error[] = [];
  const unwatch = how(folder, {
    changed: (name) => announced.take(name ?? AGAIN),
    lost: (error) => {
      lost.push(error);
      announced.take("lost");
    },
  });
  onTestFinished(unwatch);
  return { announced, lost, unwatch };
}

const isAgain = (name: Name) => name === AGAIN;
const is = (wanted: Name) => (name: Name) => name === wanted;

/** Makes files in the folder until one is announced by its name: as long as the folder is armed anew, it is
 * to be read anew instead. */
async function expectAnnounced(announced: Announcements<Name>, folder: string) {
  for (let probe = 0; ; probe += 1) {
    const name = `probe ${probe}`;
    const heard = announced.wait((one) => one === name || one === AGAIN);
    writeFileSync(join(folder, name), "");
    const heardAt = await heard;
    unlinkSync(join(folder, name));
    if (announced.all[heardAt - 1] === name) return;
  }
}

describe("a watched folder", () => {
  test("is read again once after the watch was armed, since nobody announces what happened meanwhile", async () => {
    const { announced } = watched(temporaryFolder());
    await announced.wait(isAgain, 0);
    expect(announced.all).toEqual([AGAIN]);
  });

  test("announces what comes and goes in it by name", async () => {
    const folder = temporaryFolder();
    const { announced } = watched(folder);
    const came = announced.wait(is("a socket"));
    writeFileSync(join(folder, "a socket"), "");
    const went = announced.wait(is("a socket"), await came);
    unlinkSync(join(folder, "a socket"));
    await went;
  });

  test("may come later, even when several folders above it are missing too", async () => {
    const top = temporaryFolder();
    const folder = join(top, "one", "two", "three");
    const { announced } = watched(folder);
    await announced.wait(isAgain, 0);
    for (const missing of [join(top, "one"), join(top, "one", "two"), folder]) {
      const again = announced.wait(isAgain);
      mkdirSync(missing);
      await again;
    }
    await expectAnnounced(announced, folder);
  });

  test("may come together with all the folders above it at once", async () => {
    const folder = join(temporaryFolder(), "one", "two", "three");
    const { announced } = watched(folder);
    await announced.wait(isAgain, 0);
    const again = announced.wait(isAgain);
    mkdirSync(folder, { recursive: true });
    await again;
    await expectAnnounced(announced, folder);
  });

  test("may go and come again", async () => {
    const folder = join(temporaryFolder(), "sockets");
    mkdirSync(folder);
    const { announced } = watched(folder);
    await announced.wait(isAgain, 0);
    for (let round = 0; round < 3; round += 1) {
      const went = announced.wait(isAgain);
      rmdirSync(folder);
      await went;
      const came = announced.wait(isAgain);
      mkdirSync(folder);
      await came;
      await expectAnnounced(announced, folder);
    }
  });

  test("is followed when another one is put in its place", async () => {
    const top = temporaryFolder();
    const folder = join(top, "sockets");
    mkdirSync(folder);
    mkdirSync(join(top, "other"));
    const { announced } = watched(folder);
    await announced.wait(isAgain, 0);
    const again = announced.wait(isAgain);
    renameSync(folder, join(top, "old"));
    renameSync(join(top, "other"), folder);
    await again;
    await expectAnnounced(announced, folder);
  });

  test("is followed when it goes first and the folders above it after it, one by one", async () => {
    const top = temporaryFolder();
    const folder = join(top, "one", "two", "three");
    mkdirSync(folder, { recursive: true });
    const { announced } = watched(folder);
    await announced.wait(isAgain, 0);
    for (const going of [folder, join(top, "one", "two"), join(top, "one")]) {
      const again = announced.wait(isAgain);
      rmdirSync(going);
      await again;
    }
    const again = announced.wait(isAgain);
    mkdirSync(folder, { recursive: true });
    await again;
    await expectAnnounced(announced, folder);
  });

  test("is followed when the folder above it is moved away and made anew", async () => {
    const top = temporaryFolder();
    const folder = join(top, "one", "two");
    mkdirSync(folder, { recursive: true });
    const { announced } = watched(folder);
    await announced.wait(isAgain, 0);
    const went = announced.wait(isAgain);
    renameSync(join(top, "one"), join(top, "elsewhere"));
    await went;
    const came = announced.wait(isAgain);
    mkdirSync(folder, { recursive: true });
    await came;
    await expectAnnounced(announced, folder);
  });

  test("says nothing of its neighbours", async () => {
    const top = temporaryFolder();
    const folder = join(top, "sockets");
    mkdirSync(folder);
    const { announced } = watched(folder);
    await announced.wait(isAgain, 0);
    writeFileSync(join(top, "neighbour"), "");
    await expectAnnounced(announced, folder);
    expect(announced.all.filter((name) => !name.startsWith("probe"))).toEqual([AGAIN]);
  });

  test.each([
    ["below a file", (top: string) => join(top, "file", "folder")],
    ["below a circle of links", (top: string) => join(top, "circle", "folder")],
    ["of a name that is too long", (top: string) => join(top, "x".repeat(300))],
    ["that is a file", (top: string) => join(top, "file")],
  ])("whose path is %s is as one that is missing", async (_, path) => {
    const top = temporaryFolder();
    writeFileSync(join(top, "file"), "");
    symlinkSync("circle", join(top, "circle"));
    const { announced, lost } = watched(path(top));
    await announced.wait(isAgain, 0);
    expect(lost).toEqual([]);
  });

  test("becomes one when a file in its place gives way to it", async () => {
    const folder = join(temporaryFolder(), "sockets");
    writeFileSync(folder, "");
    const { announced } = watched(folder);
    await announced.wait(isAgain, 0);
    const again = announced.wait(isAgain);
    unlinkSync(folder);
    mkdirSync(folder);
    await again;
    await expectAnnounced(announced, folder);
  });

  test("leaves nothing behind in the kernel when its watch ends, whatever it went through", async () => {
    const before = kernelWatches();
    const top = temporaryFolder();
    const folder = join(top, "one", "two");
    const { announced, unwatch } = watched(folder);
    await announced.wait(isAgain, 0);
    for (let round = 0; round < 3; round += 1) {
      const came = announced.wait(isAgain);
      mkdirSync(folder, { recursive: true });
      await came;
      await expectAnnounced(announced, folder);
      const went = announced.wait(isAgain);
      rmSync(join(top, "one"), { recursive: true });
      await went;
    }
    expect(kernelWatches()).toBeGreaterThan(before);
    unwatch();
    expect(kernelWatches()).toBe(before);
  });

  test("announces nothing after its watch has ended, not even what was on its way", async () => {
    const folder = temporaryFolder();
    const { announced, unwatch } = watched(folder);
    unwatch();
    unwatch();
    const other = watched(folder);
    await expectAnnounced(other.announced, folder);
    expect(announced.all).toEqual([]);
  });
});

describe("a watch on the entries of a folder", () => {
  test("that cannot be had is told as lost, once whoever asked can end it", async () => {
    const { announced, lost } = watched(join(temporaryFolder(), "missing"), watchEntries);
    expect(lost).toEqual([]);
    await announced.wait(is("lost"), 0);
    expect(lost.map((error) => (error as NodeJS.ErrnoException).code)).toEqual(["ENOENT"]);
  });

  test("that cannot be had is not told to somebody who has ended it", async () => {
    const missing = join(temporaryFolder(), "missing");
    const { lost, unwatch } = watched(missing, watchEntries);
    unwatch();
    const other = watched(missing, watchEntries);
    await other.announced.wait(is("lost"), 0);
    expect(lost).toEqual([]);
  });
});
