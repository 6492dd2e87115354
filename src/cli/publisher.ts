import { readdir, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { ProcessInfo, ProcessTable } from "../processes/types.ts";
import { errorCode, reasonOf } from "./failure.ts";
import { createFile, replaceFile } from "./whole-file.ts";

/** Which process publishes. A pid alone would soon be somebody else's. */
export interface PublisherProcess {
  readonly pid: number;
  readonly start_tick: string;
  readonly boot_id: string;
}

/** Where a publisher is reached. */
export interface PublisherPlaces {
  readonly instance: string;
  readonly endpoint: string;
  readonly socket: string;
  readonly port: number;
}

/** A publisher that runs. Without places it has not come so far as to listen. */
export type RunningPublisher = PublisherProcess & Partial<PublisherPlaces>;

/** The right to publish for a state folder. It lasts as long as the process. */
export interface Claim {
  /** Says where the publisher is reached. */
  state(places: PublisherPlaces): Promise<void>;
}

/* The publisher of a state folder is the process in the file `publisher-<number>.json` with the highest number,
 * if that process is alive. Who finds it dead creates the next number, which only one can; who then is not
 * the highest was late. Files go only below a higher one and numbers never begin again, so that
 * whoever creates a number that was free because he was late finds a higher one beside it. */
const FILE = /^publisher-(\d{1,15})\.json$/;
const fileOf = (folder: string, number: number) => join(folder, `publisher-${number}.json`);

/** Claims the state folder for this process. Throws while another publisher has it, and names that. */
export async function claim(folder: string, table: ProcessTable): Promise<Claim> {
  const ourselves = await findProcess(table, process.pid);
  const self: PublisherProcess = {
    pid: process.pid,
    start_tick: ourselves?.startTick ?? "0",
    boot_id: table.bootId,
  };
  for (;;) {
    const before = await newest(folder);
    const owner = await runningOf(before, table);
    if (owner !== undefined) throw new Error(takenMessage(folder, owner));
    const number = (before?.number ?? 0) + 1;
    const path = fileOf(folder, number);
    const isOurs = await createFile(path, textOf(self), { mode: 0o600, keep: false }).catch(
      refuseFolder(folder),
    );
    if (!isOurs) continue;
    if ((await newest(folder))?.number !== number) {
      await unlink(path);
      continue;
    }
    const older = (await numbers(folder)).filter((other) => other < number);
    await Promise.all(older.map((other) => unlink(fileOf(folder, other)).catch(() => {})));
    return { state: (places) => replaceFile(path, textOf({ ...self, ...places }), 0o600) };
  }
}

/** The publisher that runs for the state folder. */
export async function runningPublisher(
  folder: string,
  table: ProcessTable,
): Promise<RunningPublisher | undefined> {
  return runningOf(await newest(folder), table);
}

interface Held {
  readonly number: number;
  /** `undefined` where the file does not hold what it should: nobody's. */
  readonly publisher: RunningPublisher | undefined;
}

async function newest(folder: string): Promise<Held | undefined> {
  for (;;) {
    const number = Math.max(0, ...(await numbers(folder)));
    if (number === 0) return undefined;
    try {
      return { number, publisher: parse(await readFile(fileOf(folder, number), "utf8")) };
    } catch (error) {
      // A newer one took its place meanwhile.
      if (errorCode(error) !== "ENOENT") throw error;
    }
  }
}

async function numbers(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch((cause) => {
    if (errorCode(cause) === "ENOENT") return [];
    throw new Error(`the state folder ${folder} cannot be read: ${reasonOf(cause)}`, { cause });
  });
  return names.flatMap((name) => {
    const number = FILE.exec(name)?.[1];
    return number === undefined ? [] : Number(number);
  });
}

function parse(text: string): RunningPublisher | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const { pid, start_tick, boot_id } = value as Record<string, unknown>;
    const isWhole =
      Number.isSafeInteger(pid) && typeof start_tick === "string" && typeof boot_id === "string";
    return isWhole ? (value as RunningPublisher) : undefined;
  } catch {
    return undefined;
  }
}

async function runningOf(
  held: Held | undefined,
  table: ProcessTable,
): Promise<RunningPublisher | undefined> {
  const publisher = held?.publisher;
  if (publisher === undefined || publisher.boot_id !== table.bootId) return undefined;
  const process = await findProcess(table, publisher.pid);
  return process?.startTick === publisher.start_tick ? publisher : undefined;
}

/** Only procfs can be asked for one process. */
async function findProcess(table: ProcessTable, pid: number): Promise<ProcessInfo | undefined> {
  return table.kind === "procfs" ? table.read(pid) : (await table.sweep()).get(pid);
}

const textOf = (publisher: RunningPublisher) => `${JSON.stringify(publisher)}\n`;

function takenMessage(folder: string, { pid, endpoint }: RunningPublisher): string {
  const where = endpoint === undefined ? "" : ` at ${endpoint}`;
  return `a publisher runs for the state folder ${folder} already: pid ${pid}${where}; stop it (kill ${pid}), or name another folder with TERMTOPIC_STATE_DIR`;
}

const refuseFolder = (folder: string) => (cause: unknown) => {
  throw new Error(
    `the state folder ${folder} must be writable: ${reasonOf(cause)}; or name another with TERMTOPIC_STATE_DIR`,
    { cause },
  );
};

/** What to say where a publisher is needed and none runs. */
export function noPublisher(folder: string): Error {
  return new Error(
    `no publisher runs for the state folder ${folder}; start one with: termtopic serve`,
  );
}
