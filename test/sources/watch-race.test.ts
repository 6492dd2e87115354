import { mkdirSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { watchFolder } from "../../src/sources/watch.ts";
import { Announcements, temporaryFolder } from "../inventory/unit/support.ts";

/** What happens just before the kernel is asked for a watch. */
const race = vi.hoisted(() => ({ before: [] as (() => void)[] }));

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const watch = (...parameters: Parameters<typeof fs.watch>) => {
    race.before.shift()?.();
    return fs.watch(...parameters);
  };
  return { ...fs, watch };
});

beforeEach(() => {
  race.before = [];
});

function watched(folder: string) {
  const announced = new Announcements<string>();
  const unwatch = watchFolder(folder, {
    changed: (name) => announced.take(name ?? "again"),
    lost: (error) => announced.take(`lost: ${error.message}`),
  });
  onTestFinished(unwatch);
  return announced;
}

/** Waits until what happens in the folder is announced, and expects that no watch was lost. */
async function expectFollowed(announced: Announcements<string>, folder: string) {
  await announced.wait((name) => name === "again", 0);
  const heard = announced.wait((name) => name === "probe");
  writeFileSync(join(folder, "probe"), "");
  await heard;
  unlinkSync(join(folder, "probe"));
  expect(announced.all.filter((name) => name.startsWith("lost"))).toEqual([]);
}

describe("a watched folder is followed", () => {
  test("though it comes between the look at it and the watch above it", async () => {
    const folder = join(temporaryFolder(), "sockets");
    race.before = [() => mkdirSync(folder)];
    await expectFollowed(watched(folder), folder);
  });

  test("though the folders above it come just then", async () => {
    const folder = join(temporaryFolder(), "one", "two", "three");
    race.before = [() => mkdirSync(folder, { recursive: true })];
    await expectFollowed(watched(folder), folder);
  });

  test("though the folder above it goes just then", async () => {
    const top = temporaryFolder();
    const folder = join(top, "one", "two");
    mkdirSync(folder, { recursive: true });
    race.before = [() => rmSync(join(top, "one"), { recursive: true })];
    const announced = watched(folder);
    await announced.wait((name) => name === "again", 0);
    const came = announced.wait((name) => name === "again");
    mkdirSync(folder, { recursive: true });
    await came;
    await expectFollowed(announced, folder);
  });

  test("though it goes and comes again just then, so that it looks the same after it", async () => {
    const folder = join(temporaryFolder(), "sockets");
    mkdirSync(folder);
    // The watch above is had, the one inside is asked for while the folder is away.
    race.before = [() => {}, () => rmSync(folder, { recursive: true })];
    queueMicrotask(() => mkdirSync(folder));
    await expectFollowed(watched(folder), folder);
  });
});
