import {
  type Claim,
  type ClaimedPlace,
  claim as claimPlace,
  type Holder,
  holderOf,
} from "../processes/claim.ts";
import type { ProcessTable } from "../processes/types.ts";

/** Where a publisher is reached. */
export interface PublisherPlaces {
  readonly instance: string;
  readonly endpoint: string;
  readonly socket: string;
  readonly port: number;
}

/** A publisher that runs. Without places it has not come so far as to listen. */
export type RunningPublisher = Holder<PublisherPlaces>;

const placeOf = (folder: string, table: ProcessTable): ClaimedPlace => ({
  folder,
  name: "publisher",
  table,
  called: "the state folder",
  variable: "TERMTOPIC_STATE_DIR",
});

/** Claims the state folder for this process. Throws while another publisher has it, and names that. */
export async function claim(folder: string, table: ProcessTable): Promise<Claim<PublisherPlaces>> {
  const { claim, holder } = await claimPlace<PublisherPlaces>(placeOf(folder, table));
  if (holder === undefined) return claim;
  throw new Error(takenMessage(folder, holder));
}

/** The publisher that runs for the state folder. */
export async function runningPublisher(
  folder: string,
  table: ProcessTable,
): Promise<RunningPublisher | undefined> {
  return holderOf<PublisherPlaces>(placeOf(folder, table));
}

function takenMessage(folder: string, { pid, endpoint }: RunningPublisher): string {
  const where = endpoint === undefined ? "" : ` at ${endpoint}`;
  return `a publisher runs for the state folder ${folder} already: pid ${pid}${where}; stop it (kill ${pid}), or name another folder with TERMTOPIC_STATE_DIR`;
}

/** What to say where a publisher is needed and none runs. */
export function noPublisher(folder: string): Error {
  return new Error(
    `no publisher runs for the state folder ${folder}; start one with: termtopic serve`,
  );
}
