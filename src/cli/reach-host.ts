import { runtimeFolder, stateFolder } from "../files/folders.ts";
import { hostPlaces } from "../host/process/places.ts";
import { findHost, type ListeningHost, reachHost } from "../host/process/reach.ts";
import { createProcessTable } from "../processes/index.ts";
import { systemClock } from "../time/clock.ts";
import { openStateFolder } from "./state.ts";

const ownTable = () => createProcessTable({ clock: systemClock });

/** The host of the runtime folder: the one that runs, else one that is started now and outlives us. */
export async function ourHost(table = ownTable()): Promise<ListeningHost> {
  const clock = systemClock;
  const state = stateFolder();
  const runtime = runtimeFolder(state);
  await openStateFolder(state);
  return reachHost({
    places: hostPlaces(runtime),
    table,
    clock,
    program: [process.execPath, process.argv[1] ?? "", "host"],
    environment: {
      ...process.env,
      TERMTOPIC_STATE_DIR: state,
      TERMTOPIC_RUNTIME_DIR: runtime,
    },
  });
}

/** The host that runs. Never starts one. */
export function hostThatRuns(table = ownTable()): Promise<ListeningHost | undefined> {
  return findHost({ places: hostPlaces(runtimeFolder(stateFolder())), table });
}
