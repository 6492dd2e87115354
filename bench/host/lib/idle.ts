import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BenchTmux } from "../../lib/tmux.ts";
import { cpuShare, pollingShare } from "./cpu-share.ts";
import { ALL, monitorsOf, PATHS } from "./idle-monitors.ts";
import type { PrivateHost } from "./private-host.ts";
import type { Figure } from "./report.ts";
import { after } from "./rounds.ts";
import { SupervisorLink } from "./supervised.ts";

const SESSIONS = 10;
const WAITS = 100;
const MONITORS = 300;
const IDLE_MS = 10_000;
/** How often conditions are asked for, by who has time and by who has not, in milliseconds. */
const PATIENT_MS = 5_000;
const OFTEN_MS = 1_000;
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
  const quiet = async (ms = IDLE_MS) => {
    await after(WARM_MS);
    return cpuShare(host.pid, ms);
  };
  const without = await quiet();
  const baselines = { "none of them": without, "one wait by polling tmux": polling };
  const end = await waitForNothing(scene, await idleSessions(scene));
  const withMonitors = async (conditions: typeof ALL, everyMs: number, ms?: number) => {
    const sessions = await idleSessions(scene);
    await watch(scene, sessions, conditions, everyMs);
    const share = await quiet(ms);
    for (const { session_id } of sessions) {
      await link.operate({ action: "close", session_id, close_policy: "force" });
    }
    return share;
  };
  const together = await withMonitors(ALL, PATIENT_MS, TOGETHER_MS);
  const often = await withMonitors(ALL, OFTEN_MS);
  const paths = await withMonitors(PATHS, OFTEN_MS);
  end();
  const waits = `${WAITS} waits and ${MONITORS} monitors`;
  return [
    {
      what: `CPU of ${waits}, idle, asking every ${PATIENT_MS / 1000} s`,
      unit: "%",
      ours: together,
      goal: { below: 1 },
      baselines,
    },
    { what: `the same, asking every ${OFTEN_MS / 1000} s`, unit: "%", ours: often, baselines },
    {
      what: `the same of paths alone, every ${OFTEN_MS / 1000} s`,
      unit: "%",
      ours: paths,
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
  conditions: typeof ALL,
  everyMs: number,
): Promise<void> {
  for (const { session_id, workspace } of sessions) {
    const count = MONITORS / sessions.length;
    for (const definition of monitorsOf(conditions, count, workspace, everyMs)) {
      const operation = { kind: "add", definition } as const;
      await link.operate({ action: "monitor", session_id, operation });
    }
  }
}
