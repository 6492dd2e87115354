import { runtimeFolder, stateFolder } from "../files/folders.ts";
import { hostPlaces } from "../host/process/places.ts";
import { findHost, type ListeningHost, reachHost } from "../host/process/reach.ts";
import { createProcessTable } from "../processes/index.ts";
import { systemClock } from "../time/clock.ts";
import { openStateFolder } from "./state.ts";

/** The host of the runtime folder: the one that runs, else one that is started now and outlives us. */
export async function ourHost(): Promise<ListeningHost> {
  const clock = systemClock;
  const state = stateFolder();
  const runtime = runtimeFolder(state);
  await openStateFolder(state);
  return reachHost({
    places: hostPlaces(runtime),
    table: createProcessTable({ clock }),
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
export function hostThatRuns(): Promise<ListeningHost | undefined> {
  const table = createProcessTable({ clock: systemClock });
  return findHost({ places: hostPlaces(runtimeFolder(stateFolder())), table });
}
