import { dirname } from "node:path";
import { errorCode } from "../../files/reason.ts";
import { checkPrivateFolder } from "../../files/unix-path.ts";
import { type ClaimedPlace, type Holder, holderOf } from "../../processes/claim.ts";
import type { ProcessTable } from "../../processes/types.ts";

/** What a host of terminals says of itself once it listens. */
export interface HostSays {
  /** Its build. */
  readonly version: string;
  /** The paths of its sockets: where its topics are published, and where terminals are worked with. */
  readonly topics: string;
  readonly channel: string;
  /** Where commands are supervised. Hosts of before it was there do not say it. */
  readonly supervisor: string;
}

/** A host that lives. What it says is missing until it listens. */
export type RunningHost = Holder<HostSays>;

/** The right to be the host of a runtime folder. `folder` is the host's own in there. */
export const hostClaim = (folder: string, table: ProcessTable): ClaimedPlace => ({
  folder,
  name: "host",
  table,
  called: "the folder of the terminal host",
  variable: "TERMTOPIC_RUNTIME_DIR",
});

/** The host that lives; `undefined` where none does. Rejects where that cannot be told, or the folder is not ours
 * alone: whoever else can write there could have us believe anything. */
export async function runningHost(
  folder: string,
  table: ProcessTable,
): Promise<RunningHost | undefined> {
  if (!(await isThere(folder))) return undefined;
  const holder = await holderOf<HostSays>(hostClaim(folder, table));
  if (holder === undefined) return undefined;
  const { pid, start_tick, boot_id, version, topics, channel, supervisor } = holder;
  // What stands in a file may be anything.
  const isWhole = [version, topics, channel].every((said) => typeof said === "string");
  if (!isWhole) return { pid, start_tick, boot_id };
  if (typeof supervisor === "string" || !("supervisor" in holder)) return holder;
  const { supervisor: _, ...others } = holder;
  return others;
}

async function isThere(folder: string): Promise<boolean> {
  try {
    for (const one of [dirname(folder), folder]) await checkPrivateFolder(one);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}
