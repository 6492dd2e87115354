import { FIRST_READING_MS, MAX_INSTANCES } from "../../../src/cluster/limits.ts";
import type { Fleet, Layout } from "./fleet.ts";
import { type Load, loadOf } from "./load.ts";
import type { Measured } from "./measured.ts";

/** Beyond these a burst has nowhere to go: half of the gateway's thread, and one core of the nats-server. */
const GATEWAY_SHARE = 0.5;
const HUB_SHARE = 1;

/** The most hosts before something is at its limit, MAX_INSTANCES at most. */
export interface Breaks {
  readonly gateway: number;
  readonly hub: number;
  readonly snapshot: number;
}

export function breaksOf(fleet: Fleet, layout: Layout, measured: Measured): Breaks {
  const most = (holds: (load: Load) => boolean) => {
    let [fits, breaks] = [0, MAX_INSTANCES + 1];
    while (breaks - fits > 1) {
      const hosts = Math.floor((fits + breaks) / 2);
      if (holds(loadOf({ ...fleet, hosts }, layout, measured))) fits = hosts;
      else breaks = hosts;
    }
    return fits;
  };
  return {
    gateway: most(({ gatewayShare }) => gatewayShare <= GATEWAY_SHARE),
    hub: most(({ hubShare }) => hubShare <= HUB_SHARE),
    snapshot: most(({ snapshotMs }) => snapshotMs <= FIRST_READING_MS),
  };
}
