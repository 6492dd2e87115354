import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MonitorDefinition, TerminalBackend } from "../../src/host/supervisor/index.ts";
import { quantile } from "../lib/figures.ts";
import { BenchTmux } from "../lib/tmux.ts";
import { burstFigures } from "./lib/burst.ts";
import { idleFigures } from "./lib/idle.ts";
import { Marks, markedAt } from "./lib/marks.ts";
import { PrivateHost } from "./lib/private-host.ts";
import {
  controlReaction,
  expectReaction,
  POLL_MS,
  pollingReaction,
  quantileOf,
  type Reaction,
  type ReactionScene,
  repeated,
  sinceMark,
} from "./lib/reactions.ts";
import { type Figure, report } from "./lib/report.ts";
import { after, inTurn } from "./lib/rounds.ts";
import { SupervisorLink } from "./lib/supervised.ts";
import { WallClock } from "./lib/wall-clock.ts";

/** In each of 5 rounds. */
const MARKS = 40;
/** Fewer where each takes a tenth of a second. */
const POLLED_MARKS = 10;

/** The supervisor dialect. From a mark being written to whoever waits for it knowing, and to the event of a monitor being
 * there to inspect; what 100 waits and 300 monitors cost together while nothing happens; and how fast 7 MiB that come in
 * one burst are read. */
export default async function monitors(): Promise<void> {
  const clock = await WallClock.set();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tt-bench-")));
  const host = await PrivateHost.start();
  const tmux = new BenchTmux();
  const link = await SupervisorLink.open(host);
  const ends: (() => void)[] = [() => tmux.end(), () => link.end()];
  try {
    const scene = { clock, host, tmux, ends, folder, link, sessions: [] };
    report("monitors", [
      ...(await reactionFigures(scene)),
      ...(await burstFigures(scene)),
      ...(await idleFigures(scene)),
    ]);
  } finally {
    for (const end of ends) end();
    await host.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Scene extends ReactionScene {
  readonly host: PrivateHost;
  readonly folder: string;
  readonly link: SupervisorLink;
  /** Those that write marks. Those in tmux would outlive their host. */
  readonly sessions: string[];
}

/** Of somebody who waits, of a monitor, and of whoever looks at what was written every 100 ms. */
async function reactionFigures(scene: Scene): Promise<Figure[]> {
  const marks = (name: string) => {
    const made = new Marks(scene.folder, name);
    scene.ends.push(() => made.end());
    return made;
  };
  const reactions = {
    wait: await waitReaction(scene, marks("wait"), "native"),
    monitor: await monitorReaction(scene, marks("monitor"), "native"),
    tmuxWait: await waitReaction(scene, marks("tmux-wait"), "tmux"),
    tmuxMonitor: await monitorReaction(scene, marks("tmux-monitor"), "tmux"),
    expect: expectReaction(scene, marks("expect")),
    control: controlReaction(scene, marks("control")),
    polling: pollingReaction(scene, marks("polling")),
    reading: await readingReaction(scene, marks("reading")),
  };
  await after(500);
  const times = await inTurn({
    wait: repeated(reactions.wait, MARKS),
    monitor: repeated(reactions.monitor, MARKS),
    tmuxWait: repeated(reactions.tmuxWait, MARKS),
    tmuxMonitor: repeated(reactions.tmuxMonitor, MARKS),
    expect: repeated(reactions.expect, MARKS),
    control: repeated(reactions.control, MARKS),
    polling: repeated(reactions.polling, POLLED_MARKS),
    reading: repeated(reactions.reading, POLLED_MARKS),
  });
  for (const session_id of scene.sessions) {
    await scene.link.operate({ action: "close", session_id, close_policy: "force" });
  }
  return [0.5, 0.99].flatMap((share) => {
    const figure = (what: string, ours: readonly number[]): Figure => ({
      what: `${what}, p${share * 100} of ${ours.length}`,
      unit: "ms",
      ours: quantile(ours, share),
      ...(share === 0.5 ? { goal: { below: 3 } } : {}),
      baselines: {
        expect: quantileOf(times.expect, share),
        "tmux -C": quantileOf(times.control, share),
        [`tmux polled every ${POLL_MS} ms`]: quantileOf(times.polling, share),
        [`read every ${POLL_MS} ms`]: quantileOf(times.reading, share),
      },
    });
    return [
      figure("mark to the reply of a wait", times.wait),
      figure("mark to a monitor's event in hand", times.monitor),
      figure("the first, of a session in tmux", times.tmuxWait),
      figure("the second, of a session in tmux", times.tmuxMonitor),
    ];
  });
}

/** A session that writes marks, and how far it has been read. */
async function markedSession(
  { link, folder, sessions }: Scene,
  marks: Marks,
  backend: TerminalBackend,
) {
  const session_id = await link.start(`exec ${marks.command.join(" ")}`, folder, { backend });
  sessions.push(session_id);
  let offset = 0;
  const read = async (): Promise<string> => {
    const where = { cursor_segment: 1, cursor_offset: offset };
    const { raw_output, raw_range } = await link.operate({ action: "read", session_id, ...where });
    offset = raw_range?.end.offset ?? offset;
    return raw_output;
  };
  return { session_id, read };
}

/** What comes before the time in a mark. */
const beginOf = (pattern: string) => pattern.slice(0, pattern.indexOf("("));

async function waitReaction(
  scene: Scene,
  marks: Marks,
  backend: TerminalBackend,
): Promise<Reaction> {
  const { link, clock } = scene;
  const { session_id, read } = await markedSession(scene, marks, backend);
  return async () => {
    const { pattern, tell } = marks.next();
    const return_when = { kind: "match", pattern: beginOf(pattern) } as const;
    const wait = { action: "wait", session_id, return_when, wait_ceiling_ms: 10_000 } as const;
    const waited = link.operate(wait).then(() => clock.now());
    await link.begun();
    tell();
    return (await waited) - writtenAt(await read(), pattern);
  };
}

/** The event is asked for again and again, so it is known as soon as it is there. */
async function monitorReaction(
  scene: Scene,
  marks: Marks,
  backend: TerminalBackend,
): Promise<Reaction> {
  const { link, clock } = scene;
  const { session_id, read } = await markedSession(scene, marks, backend);
  let seen = 0;
  return async () => {
    const { pattern, tell } = marks.next();
    const definition: MonitorDefinition = {
      condition: { kind: "output_contains", pattern: beginOf(pattern) },
      notify: { kind: "on_match" },
      lifetime: { kind: "until_match" },
    };
    const operation = { kind: "add", definition } as const;
    await link.operate({ action: "monitor", session_id, operation });
    tell();
    const inspect = { action: "inspect", session_id, max_events: 1 } as const;
    for (;;) {
      const [event] = (await link.operate({ ...inspect, after_event_id: seen })).events;
      if (event === undefined) continue;
      const now = clock.now();
      seen = event.event_id;
      return now - writtenAt(await read(), pattern);
    }
  };
}

/** What a client does that does not wait. */
async function readingReaction(scene: Scene, marks: Marks): Promise<Reaction> {
  const { read } = await markedSession(scene, marks, "native");
  return async () => {
    const { pattern, tell } = marks.next();
    setTimeout(tell, Math.random() * POLL_MS);
    let text = "";
    for (;;) {
      text += await read();
      if (markedAt(text, pattern) !== undefined) return sinceMark(scene.clock, text, pattern);
      await after(POLL_MS);
    }
  };
}

function writtenAt(text: string, pattern: string): number {
  const at = markedAt(text, pattern);
  if (at === undefined) throw new Error(`there must be a mark in ${JSON.stringify(text)}`);
  return at;
}
