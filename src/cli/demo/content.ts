import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** How long a program may take until it is ready, in milliseconds, and how often that is looked at. */
const READY_MS = 15_000;
const LOOK_MS = 25;

/** What is in a file that a program writes once it is ready. Rejects where the program ends before, or takes too long. */
export async function contentOf(file: string, over: Promise<void>, what: string): Promise<string> {
  const end = performance.now() + READY_MS;
  while (performance.now() < end) {
    const text = await readFile(file, "utf8").catch(() => "");
    // It may be read while it is written.
    if (isWhole(text)) return text;
    await Promise.race([over, sleep(LOOK_MS)]);
  }
  throw new Error(`${what} was not ready within ${READY_MS / 1_000} s`);
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
