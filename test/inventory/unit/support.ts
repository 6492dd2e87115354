import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export const INSTANCE = "0123456789abcdef0123456789abcdef";

/** A folder that ends with the test. */
export function temporaryFolder(name = "termtopic-inventory-"): string {
  const folder = mkdtempSync(join(tmpdir(), name));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Looks again at every turn of the event loop: for what the kernel tells nobody. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** What was announced, in order; whoever waits is told at once. */
export class Announcements<T> {
  readonly all: T[] = [];
  #waiting: (() => void)[] = [];

  take(announcement: T): void {
    this.all.push(announcement);
    for (const look of this.#waiting.splice(0)) look();
  }

  /** Resolves when one of those from now on, or from `from`, fits; with the place behind it. */
  async wait(fits: (announcement: T) => boolean, from = this.all.length): Promise<number> {
    for (;;) {
      const index = this.all.findIndex((one, index) => index >= from && fits(one));
      if (index >= 0) return index + 1;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}

/** How many folders and files this process has the kernel watch. */
export function kernelWatches(): number {
  return readdirSync("/proc/self/fdinfo")
    .map((descriptor) => {
      try {
        return readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8");
      } catch {
        return "";
      }
    })
    .join("\n")
    .split("\n")
    .filter((line) => line.startsWith("inotify ")).length;
}
