import { Buffer } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";
import { parseStat, STAT_BYTES } from "./stat.ts";
import type { HeldProcess, ProcessInfo, ProcessKey } from "./types.ts";

const scratch = Buffer.allocUnsafe(STAT_BYTES);

/** What a kernel states that keeps no account of what runs. */
const NO_ACCOUNT = Buffer.from("0 0 0\n");

/** Holds a process by descriptors of its files in this folder of procfs. Procfs binds a descriptor to the
 * process and not to its number: once that process is reaped every reading is refused with ESRCH, whoever has
 * the number by then. Undefined when that process has ended, or no descriptor is to be had. */
export function holdProcess(
  folder: string,
  { pid, startTick }: ProcessKey,
): HeldProcess | undefined {
  const stat = open(`${folder}/stat`);
  if (stat === undefined) return undefined;
  const held = new ProcfsHold(pid, stat, `${folder}/schedstat`);
  if (held.read()?.startTick === startTick) return held;
  held.release();
  return undefined;
}

class ProcfsHold implements HeldProcess {
  readonly pid: number;
  readonly #accountPath: string;
  #stat: number | undefined;
  /** Opened when it is first asked for. `null`: there is none. */
  #account: number | null | undefined;
  /** The texts that were read last. A sleeping process gives the same ones again. */
  #statBytes: Buffer = Buffer.alloc(0);
  #accountBytes: Buffer = Buffer.alloc(0);
  #info: ProcessInfo | undefined;

  constructor(pid: number, stat: number, accountPath: string) {
    this.pid = pid;
    this.#stat = stat;
    this.#accountPath = accountPath;
  }

  read(): ProcessInfo | undefined {
    const bytes = this.#stat === undefined ? undefined : readAgain(this.#stat);
    if (bytes === undefined) return undefined;
    if (!bytes.equals(this.#statBytes)) {
      this.#statBytes = Buffer.from(bytes);
      this.#info = parseStat(bytes, bytes.length);
    }
    return this.#info;
  }

  hasRun(): boolean {
    const account = this.#openAccount();
    const bytes = account === null ? undefined : readAgain(account);
    if (bytes === undefined || bytes.equals(NO_ACCOUNT)) return true;
    if (bytes.equals(this.#accountBytes)) return false;
    this.#accountBytes = Buffer.from(bytes);
    return true;
  }

  release(): void {
    for (const descriptor of [this.#stat, this.#account]) {
      if (typeof descriptor === "number") closeSync(descriptor);
    }
    this.#stat = undefined;
    this.#account = null;
  }

  /** While the process lives nobody else can have its number, so what is opened by it now is its own. */
  #openAccount(): number | null {
    if (this.#account !== undefined) return this.#account;
    const opened = open(this.#accountPath);
    if (opened !== undefined && this.read() === undefined) {
      closeSync(opened);
      this.#account = null;
    } else this.#account = opened ?? null;
    return this.#account;
  }
}

function open(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch {
    return undefined;
  }
}

/** The text of a file that is open, valid until the next call. Undefined when it cannot be read any more. */
function readAgain(descriptor: number): Buffer | undefined {
  try {
    return scratch.subarray(0, readSync(descriptor, scratch, 0, scratch.length, 0));
  } catch {
    return undefined;
  }
}
