import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, unlinkSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test } from "vitest";
import { watchPseudoterminals } from "../../../src/inventory/pseudoterminals.ts";
import { watchEntries } from "../../../src/sources/watch.ts";
import { FakeClock } from "../../lib/fake-clock.ts";
import { Announcements, kernelWatches, temporaryFolder } from "./support.ts";

function watched(clock: FakeClock, folder?: string) {
  const announced = new Announcements<string>();
  const lost: Error[] = [];
  const unwatch = watchPseudoterminals(
    clock,
    { changed: (tty) => announced.take(tty), lost: (error) => lost.push(error) },
    folder,
  );
  onTestFinished(unwatch);
  return { announced, lost, unwatch };
}

/** A program on a terminal of its own, and the terminal's path. */
async function openTerminal(): Promise<{ tty: string; child: ChildProcess }> {
  const child = spawn("script", ["-q", "-c", "tty; exec cat", "/dev/null"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [tty] = (await once(createInterface(child.stdout), "line")) as [string];
  return { tty, child };
}

/** Has the kernel announce that many writes. The same one twice in a row would be announced once. */
function write(folder: string, times: number): void {
  const files = ["1", "2"].map((name) => openSync(join(folder, name), "w"));
  for (let time = 0; time < times; time += 1) writeSync(files[time % 2] as number, "x");
  for (const file of files) closeSync(file);
}

/** A folder with two terminals in it, as an older kernel would show them. */
function deviceFolder(): string {
  const folder = temporaryFolder();
  for (const name of ["1", "2"]) writeFileSync(join(folder, name), "");
  return folder;
}

/** Resolves when all that has happened in the folder is announced. */
async function caughtUp(announced: Announcements<string>, folder: string): Promise<void> {
  const path = join(folder, "last");
  const came = announced.wait((tty) => tty === path);
  writeFileSync(path, "");
  const went = announced.wait((tty) => tty === path, await came);
  unlinkSync(path);
  await went;
}

describe("the watch for pseudo-terminals", () => {
  test("announces a terminal that opens and, when it closes, that", async () => {
    const { announced, lost } = watched(new FakeClock());
    const { tty, child } = await openTerminal();
    expect(tty).toMatch(/^\/dev\/pts\/\d+$/);
    const opened = await announced.wait((path) => path === tty, 0);
    child.kill("SIGKILL");
    await announced.wait((path) => path === tty, opened);
    expect(lost).toEqual([]);
  });

  test("is lost, once, where the kernel announces every write", async () => {
    const folder = deviceFolder();
    const onlooker = new Announcements<string>();
    onTestFinished(
      watchEntries(folder, { changed: (name) => onlooker.take(`${folder}/${name}`), lost() {} }),
    );
    const before = kernelWatches();
    const { lost, announced } = watched(new FakeClock(), folder);
    write(folder, 1_000);
    await caughtUp(onlooker, folder);
    expect(lost.map(({ message }) => message)).toEqual([
      `the kernel announces every write to a terminal in ${folder}`,
    ]);
    expect(announced.all).toEqual([]);
    expect(kernelWatches()).toBeLessThanOrEqual(before);
  });

  test("bears some writes a second, for as long as it takes", async () => {
    const folder = deviceFolder();
    const clock = new FakeClock();
    const { announced, lost } = watched(clock, folder);
    for (let second = 0; second < 5; second += 1) {
      write(folder, 100);
      await caughtUp(announced, folder);
      await clock.advance(1_000);
    }
    expect(lost).toEqual([]);
  });

  test("is lost where there is no such folder", async () => {
    const { lost } = watched(new FakeClock(), join(temporaryFolder(), "missing"));
    await Promise.resolve();
    expect(lost).toHaveLength(1);
  });
});
