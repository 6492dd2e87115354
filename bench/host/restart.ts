import { execFile } from "node:child_process";

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { connectHost, type HostConnection } from "../../src/host/index.ts";
import { hostPlaces } from "../../src/host/process/places.ts";
import { reachHost } from "../../src/host/process/reach.ts";
import { createProcessTable } from "../../src/processes/index.ts";
import { systemClock } from "../../src/time/clock.ts";
import { quantile } from "../lib/figures.ts";
import { hasProgram } from "./lib/has-program.ts";
import { HostFolder, PROGRAM } from "./lib/private-host.ts";
import { report } from "./lib/report.ts";
import { timesOf } from "./lib/rounds.ts";
import { untilGone } from "./lib/until-gone.ts";

const KILLS = 20;
/** Of the whole command line. */
const COMMANDS = 8;
/** How many terminals the one that is killed has. */
const TERMINALS = 5;

const run = promisify(execFile);
const table = createProcessTable({ clock: systemClock });

/** B18, its first half. The host is killed with terminals in it, and whoever needs one starts the next: how long after
 * the kill that one has greeted. Beside it tmux and screen, killed and started in the same way, and Node alone. */
export default async function restart(): Promise<void> {
  const { greeted, opened } = await ourRestarts();
  const node = await timesOf(KILLS, () => run(process.execPath, ["-e", "0"]));
  const tmux = await tmuxRestarts();
  const screen = hasProgram("screen") ? await screenRestarts() : undefined;
  const at = (share: number) => ({
    tmux: quantile(tmux, share),
    screen: screen && quantile(screen, share),
    "`node -e 0`": quantile(node, share),
  });
  report("B18 restart", [
    {
      what: `kill -9 to the next one's greeting, p50 of ${KILLS}`,
      unit: "ms",
      ours: quantile(greeted, 0.5),
      goal: { below: 500 },
      baselines: at(0.5),
    },
    {
      what: "the same, slowest",
      unit: "ms",
      ours: quantile(greeted, 1),
      goal: { below: 500 },
      baselines: at(1),
    },
    {
      what: `kill -9 to \`termtopic open\` done, p50 of ${COMMANDS}`,
      unit: "ms",
      ours: quantile(opened, 0.5),
    },
  ]);
}

async function ourRestarts(): Promise<{ greeted: number[]; opened: number[] }> {
  const folder = new HostFolder();
  const reach = async (): Promise<HostConnection> => {
    const host = await reachHost({
      places: hostPlaces(join(folder.path, "run"), folder.environment),
      table,
      clock: systemClock,
      program: [process.execPath, PROGRAM, "host"],
      environment: folder.environment,
    });
    return connectHost({ path: host.channel });
  };
  try {
    let connection = await reach();
    const greeted: number[] = [];
    for (let made = 0; made < KILLS; made += 1) {
      const { pid } = connection.hello;
      await openSome(connection);
      const [took = Number.NaN] = await timesOf(1, async () => {
        process.kill(pid, "SIGKILL");
        connection = await reach();
      });
      if (connection.hello.pid === pid) throw new Error("the host that was killed has greeted");
      greeted.push(took);
    }
    const opened: number[] = [];
    const command = [PROGRAM, "open", "--detach", "--exec", "--", "cat"];
    for (let made = 0; made < COMMANDS; made += 1) {
      const [took = Number.NaN] = await timesOf(1, async () => {
        process.kill(connection.hello.pid, "SIGKILL");
        await run(process.execPath, command, { env: folder.environment });
      });
      opened.push(took);
      connection = await reach();
    }
    await connection.shutdown();
    return { greeted, opened };
  } finally {
    folder.remove();
  }
}

async function openSome(connection: HostConnection): Promise<void> {
  const session = connection.session("restart");
  for (let opened = 0; opened < TERMINALS; opened += 1) {
    await session.open({ cwd: "/", env: null, exec: ["cat"], cols: 80, rows: 24 });
  }
}

/** Its server is killed, and its socket stays. */
async function tmuxRestarts(): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), "tt-bench-"));
  const tmux = (...args: string[]) =>
    run("tmux", ["-f", "/dev/null", "-S", join(folder, "tmux"), ...args]);
  // Now and then a client that starts a server gives it up again ("server exited unexpectedly"): its user tries again.
  const start = async () => {
    const once = () => tmux("new-session", "-d", "cat");
    await once().catch(once).catch(once);
  };
  const server = async () => Number((await tmux("display-message", "-p", "#{pid}")).stdout);
  try {
    await start();
    const times: number[] = [];
    for (let made = 0; made < KILLS; made += 1) {
      const pid = await server();
      for (let opened = 1; opened < TERMINALS; opened += 1) await tmux("new-window", "-d", "cat");
      const [took = Number.NaN] = await timesOf(1, async () => {
        process.kill(pid, "SIGKILL");
        // It takes a server that is being killed for one that runs.
        await untilGone(pid);
        await start();
      });
      times.push(took);
    }
    process.kill(await server(), "SIGKILL");
    return times;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each session is a server of its own; the next one gets the name of the one that was killed. */
async function screenRestarts(): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), "tt-bench-"));
  const screen = (...args: string[]) =>
    run("screen", args, { env: { ...process.env, SCREENDIR: folder, TERM: "xterm" } });
  const server = () => Number.parseInt(readdirSync(folder)[0] ?? "", 10);
  const start = async () => {
    await screen("-dmS", "bench", "cat");
    // Asked before it listens it says no.
    const ask = () => screen("-S", "bench", "-Q", "windows");
    await ask().catch(ask).catch(ask);
  };
  try {
    await start();
    const times: number[] = [];
    for (let made = 0; made < KILLS; made += 1) {
      const [took = Number.NaN] = await timesOf(1, async () => {
        const pid = server();
        process.kill(pid, "SIGKILL");
        await untilGone(pid);
        await screen("-wipe").catch(() => {});
        await start();
      });
      times.push(took);
    }
    process.kill(server(), "SIGKILL");
    return times;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
