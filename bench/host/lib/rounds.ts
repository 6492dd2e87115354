/** How often each system has its turn. They take turns, so that what else the machine does meets all of them. */
const ROUNDS = 5;

/** Runs every task a number of times, in turn, and answers all that each measured. */
export async function inTurn<Name extends string>(
  tasks: Readonly<Record<Name, () => Promise<number[]>>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(tasks) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of names) samples[name]?.push(...(await tasks[name]()));
  }
  return samples as Record<Name, number[]>;
}

/** How long each of so many calls takes, one after the other, in milliseconds. */
export async function timesOf(count: number, call: () => unknown): Promise<number[]> {
  const times: number[] = [];
  for (let made = 0; made < count; made += 1) {
    const began = performance.now();
    await call();
    times.push(performance.now() - began);
  }
  return times;
}

export const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
