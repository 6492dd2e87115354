import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BenchTmux } from "../../lib/tmux.ts";
import { cpuShare, pollingShare } from "./cpu-share.ts";
import { monitorsOfAll, monitorsOfPaths } from "./idle-monitors.ts";
import type { PrivateHost } from "./private-host.ts";
import type { Figure } from "./report.ts";
import { after } from "./rounds.ts";
import { SupervisorLink } from "./supervised.ts";

const SESSIONS = 10;
const WAITS = 100;
const MONITORS = 300;
const IDLE_MS = 10_000;
/** In a minute every command of a monitor is run once. */
const TOGETHER_MS = 60_000;
/** Until the engine has compiled what runs again and again, which costs more than that does. */
const WARM_MS = 15_000;
const CEILING_MS = 600_000;
/** So many operations of one connection may be under way. */
const WAITS_OF_LINK = 25;

interface Scene {
  readonly host: PrivateHost;
  readonly tmux: BenchTmux;
  readonly link: SupervisorLink;
  readonly folder: string;
}

/** What waits and monitors cost while nothing happens, beside the same host without them and one who polls. */
export async function idleFigures(scene: Scene): Promise<Figure[]> {
  const { host, tmux, link } = scene;
  const polling = await pollingShare(tmux, IDLE_MS / 2);
  const sessions = await idleSessions(scene);
  const quiet = async (ms = IDLE_MS) => {
    await after(WARM_MS);
    return cpuShare(host.pid, ms);
  };
  const without = await quiet();
  const baselines = { "none of them": without, "one wait by polling tmux": polling };
  const end = await waitForNothing(scene, sessions);
  await watch(scene, sessions, monitorsOfAll);
  const together = await quiet(TOGETHER_MS);
  for (const { session_id } of sessions) {
    await link.operate({ action: "close", session_id, close_policy: "force" });
  }
  end();
  await watch(scene, await idleSessions(scene), monitorsOfPaths);
  const paths = await quiet();
  return [
    {
      what: `CPU of ${WAITS} waits and ${MONITORS} monitors, idle`,
      unit: "%",
      ours: together,
      goal: { below: 1 },
      baselines,
    },
    {
      what: `CPU of ${MONITORS} monitors of paths, every second`,
      unit: "%",
      ours: paths,
      goal: { below: 1 },
      baselines,
    },
  ];
}

interface IdleSession {
  readonly session_id: string;
  readonly workspace: string;
}

let workspaces = 0;

async function idleSessions({ link, folder }: Scene): Promise<IdleSession[]> {
  const sessions: IdleSession[] = [];
  while (sessions.length < SESSIONS) {
    workspaces += 1;
    const workspace = join(folder, `idle-${workspaces}`);
    mkdirSync(workspace);
    sessions.push({ session_id: await link.start("exec cat", workspace), workspace });
  }
  return sessions;
}

/** Answers what lets go of their connections. */
async function waitForNothing(
  { host }: Scene,
  sessions: readonly IdleSession[],
): Promise<() => void> {
  const links: SupervisorLink[] = [];
  for (let begun = 0; begun < WAITS; begun += 1) {
    if (begun % WAITS_OF_LINK === 0) links.push(await SupervisorLink.open(host));
    const { session_id = "" } = sessions[begun % sessions.length] ?? {};
    const return_when = { kind: "match", pattern: `never-${begun}` } as const;
    const wait = { action: "wait", session_id, return_when, wait_ceiling_ms: CEILING_MS } as const;
    void links.at(-1)?.operate(wait);
  }
  for (const link of links) await link.begun();
  return () => {
    for (const link of links) link.end();
  };
}

async function watch(
  { link }: Scene,
  sessions: readonly IdleSession[],
  definitions: typeof monitorsOfAll,
): Promise<void> {
  for (const { session_id, workspace } of sessions) {
    for (const definition of definitions(MONITORS / sessions.length, workspace)) {
      const operation = { kind: "add", definition } as const;
      await link.operate({ action: "monitor", session_id, operation });
    }
  }
}
