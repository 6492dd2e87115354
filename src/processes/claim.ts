import { readdir, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { errorCode, reasonOf } from "../files/reason.ts";
import { createFile, replaceFile } from "../files/whole-file.ts";
import type { ProcessInfo, ProcessTable } from "./types.ts";

/** Something of which there is one at a time, such as the publisher of a state folder. */
export interface ClaimedPlace {
  readonly folder: string;
  /** What is claimed: its files are `<name>-<number>.json`. */
  readonly name: string;
  readonly table: ProcessTable;
  /** What messages call the folder, and the variable that names another one. */
  readonly called: string;
  readonly variable: string;
}

/** Which process has it. A pid alone would soon be somebody else's. */
export interface ClaimingProcess {
  readonly pid: number;
  readonly start_tick: string;
  readonly boot_id: string;
}

/** A process that has it and lives. What it says of itself is missing until it has said it. */
export type Holder<Says> = ClaimingProcess & Partial<Says>;

/** The right to be the one. It lasts as long as the process. */
export interface Claim<Says> {
  /** Says of ourselves what others want to know. */
  state(says: Says): Promise<void>;
}

/** Who has it now: we, or another one. */
export type Claiming<Says> =
  | { readonly claim: Claim<Says>; readonly holder?: undefined }
  | { readonly claim?: undefined; readonly holder: Holder<Says> };

/* The holder is the process in the file with the highest number, if that process is alive. Who finds it dead creates
 * the next number, which only one can; who then is not the highest was late. Files go only below a higher one and
 * numbers never begin again, so that whoever creates a number that was free because he was late finds a
 * higher one beside it. */
const fileOf = ({ folder, name }: ClaimedPlace, number: number) =>
  join(folder, `${name}-${number}.json`);

/** Claims it for this process, unless a process that lives has it. */
export async function claim<Says>(place: ClaimedPlace): Promise<Claiming<Says>> {
  const { table } = place;
  const ourselves = await findProcess(table, process.pid);
  const self: ClaimingProcess = {
    pid: process.pid,
    start_tick: ourselves?.startTick ?? "0",
    boot_id: table.bootId,
  };
  for (;;) {
    const before = await newest<Says>(place);
    const holder = await liveOf(before, table);
    if (holder !== undefined) return { holder };
    const number = (before?.number ?? 0) + 1;
    const path = fileOf(place, number);
    const isOurs = await createFile(path, textOf(self), { mode: 0o600, keep: false }).catch(
      refuseFolder(place),
    );
    if (!isOurs) continue;
    if ((await newest(place))?.number !== number) {
      await unlink(path);
      continue;
    }
    const older = (await numbers(place)).filter((other) => other < number);
    await Promise.all(older.map((other) => unlink(fileOf(place, other)).catch(() => {})));
    return { claim: { state: (says) => replaceFile(path, textOf({ ...self, ...says }), 0o600) } };
  }
}

/** The process that has it and lives. Rejects where that cannot be told. */
export async function holderOf<Says>(place: ClaimedPlace): Promise<Holder<Says> | undefined> {
  return liveOf(await newest<Says>(place), place.table);
}

interface Held<Says> {
  readonly number: number;
  /** `undefined` where the file does not hold what it should: nobody's. */
  readonly holder: Holder<Says> | undefined;
}

async function newest<Says>(place: ClaimedPlace): Promise<Held<Says> | undefined> {
  for (;;) {
    const number = Math.max(0, ...(await numbers(place)));
    if (number === 0) return undefined;
    try {
      return { number, holder: parse(await readFile(fileOf(place, number), "utf8")) };
    } catch (error) {
      // A newer one took its place meanwhile.
      if (errorCode(error) !== "ENOENT") throw error;
    }
  }
}

async function numbers({ folder, name, called }: ClaimedPlace): Promise<number[]> {
  const names = await readdir(folder).catch((cause) => {
    if (errorCode(cause) === "ENOENT") return [];
    throw new Error(`${called} ${folder} cannot be read: ${reasonOf(cause)}`, { cause });
  });
  const file = new RegExp(`^${name}-(\\d{1,15})\\.json$`);
  return names.flatMap((name) => {
    const number = file.exec(name)?.[1];
    return number === undefined ? [] : Number(number);
  });
}

function parse<Says>(text: string): Holder<Says> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const { pid, start_tick, boot_id } = value as Record<string, unknown>;
    const isWhole =
      Number.isSafeInteger(pid) && typeof start_tick === "string" && typeof boot_id === "string";
    return isWhole ? (value as Holder<Says>) : undefined;
  } catch {
    return undefined;
  }
}

async function liveOf<Says>(
  held: Held<Says> | undefined,
  table: ProcessTable,
): Promise<Holder<Says> | undefined> {
  const holder = held?.holder;
  if (holder === undefined || holder.boot_id !== table.bootId) return undefined;
  const process = await findProcess(table, holder.pid);
  return process?.startTick === holder.start_tick ? holder : undefined;
}

/** Only procfs can be asked for one process. */
async function findProcess(table: ProcessTable, pid: number): Promise<ProcessInfo | undefined> {
  return table.kind === "procfs" ? table.read(pid) : (await table.sweep()).get(pid);
}

const textOf = (holder: object) => `${JSON.stringify(holder)}\n`;

const refuseFolder =
  ({ folder, called, variable }: ClaimedPlace) =>
  (cause: unknown) => {
    throw new Error(
      `${called} ${folder} must be writable: ${reasonOf(cause)}; or name another with ${variable}`,
      { cause },
    );
  };
