import type { Soaked } from "./soak.ts";

const MIB = 1024 * 1024;

/** What calls may be refused with, as nothing but what the terminals were doing. */
const REFUSALS = [
  /^the program in the terminal has ended/,
  /^the call was cancelled$/,
  /^the program does not read: N of N bytes were taken/,
  /^there is no terminal "…"; the session has/,
  /^the terminal was closed meanwhile$/,
  /^the pattern took longer than N ms/,
];

/** How much more there may be at a rest than at the first one. The keys of 16 384 calls are remembered, and the
 * allocator keeps what it once had; neither grows with time. */
const BOUNDS = { heap: 16 * MIB, external: 4 * MIB, resident: 160 * MIB } as const;

/** What is wrong with a host that was used for a while, in words. */
export function faultsOf({ rests, refusals, log }: Soaked): string[] {
  const [first] = rests;
  const last = rests.at(-1);
  if (first === undefined || last === undefined) return ["there was no rest"];
  const faults = log === "" ? [] : [`the host wrote down: ${log}`];
  for (const [what, count] of Object.entries(last.vitals)) {
    const before = { ...first.vitals, children: 0, strays: 0 }[what] ?? 0;
    if (count > before) faults.push(`${what}: ${count} where ${before} were before`);
  }
  if (last.vitals.descriptors > first.vitals.descriptors) faults.push(last.files.join(", "));
  for (const [what, bound] of Object.entries(BOUNDS)) {
    const kind = what as keyof typeof BOUNDS;
    const grown = last.memory[kind] - first.memory[kind];
    if (grown > bound) faults.push(`${what}: ${grown} bytes more than at first`);
  }
  for (const words of refusals.keys()) {
    if (!REFUSALS.some((known) => known.test(words))) faults.push(`a call was refused: ${words}`);
  }
  return faults;
}
