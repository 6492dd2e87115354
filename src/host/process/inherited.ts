import { closeSync, readdirSync, readFileSync } from "node:fs";

/** The flag of a descriptor that no program gets that is started (open(2), O_CLOEXEC), as procfs shows it. */
const CLOSED_ON_EXEC = 0o2000000;

/** Closes what whoever started this process had open and every program would inherit that is started here. Node marks
 * its own descriptors, and when it begins those that it finds, but stops at the first number above 15 that is free; so
 * what is not marked was inherited. A host outlives who started it: the reader of such a pipe would never see its end, a
 * lock would never be let go of, and terminals would pass it on.
 *
 * Without procfs nothing is closed: on macOS Node starts programs with none but the descriptors that it was asked for. */
export function closeInherited(): void {
  for (const name of descriptors()) {
    const descriptor = Number(name);
    if (descriptor > 2 && isInherited(descriptor)) closeSync(descriptor);
  }
}

function descriptors(): string[] {
  try {
    return readdirSync("/proc/self/fd");
  } catch {
    return [];
  }
}

/** Whether no mark keeps it from programs. One that is not there any more was the listing's. */
function isInherited(descriptor: number): boolean {
  try {
    const info = readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1");
    const flags = /^flags:\s*([0-7]+)$/m.exec(info)?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) === 0;
  } catch {
    return false;
  }
}
