import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { HostFolder, PROGRAM } from "../host/lib/private-host.ts";
import { report } from "../host/lib/report.ts";
import { isRunning } from "../host/lib/until-gone.ts";
import { quantile } from "../lib/figures.ts";
import { startChromium } from "./lib/chromium.ts";

const ROUNDS = 8;
/** How long a flood is watched, in milliseconds. */
const WATCHED_MS = 3_000;

/** `yes` in a terminal that a page shows: the longest task of the page meanwhile, by the clock and by the processor time in it,
 * and from Control C in the page to the end of the program. Beside the first the same of the page at rest while `yes` runs in
 * a terminal that nobody looks at: what a machine makes the page wait for without the page's doing. */
export default async function flood(): Promise<void> {
  const folder = new HostFolder();
  const publisher = spawn(process.execPath, [PROGRAM, "serve", "--port", "0", "--source", "pty"], {
    env: folder.environment,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const browser = await startChromium();
  try {
    const [told] = (await once(publisher.stdout, "data")) as [Buffer];
    const endpoint = /http:\S+\//.exec(String(told))?.[0] ?? "";
    const id = await opened(folder, "flood");
    const page = await shown(browser, folder, endpoint, id);
    const ends: number[] = [];
    const longest: Task[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const pid = await begun(page, join(folder.path, `pid-${round}`));
      await page.waitForTimeout(WATCHED_MS);
      ends.push(await interrupted(page, pid));
    }
    // Only now: a trace that is taken away keeps the browser busy when the key is pressed.
    const unseen = await longestUnseen(browser, page, folder);
    for (let round = 0; round < ROUNDS; round += 1) {
      const pid = await begun(page, join(folder.path, `pid-traced-${round}`));
      longest.push(await longestTask(browser, page));
      await interrupted(page, pid);
    }
    report("dashboard flood", [
      {
        what: "longest task of a page that shows a flood",
        unit: "ms",
        ours: Math.max(...longest.map(({ ms }) => ms)),
        goal: { below: 100 },
        baselines: { "a flood that nobody looks at, page at rest": unseen.ms },
      },
      {
        what: "processor time in the task that took most of it",
        unit: "ms",
        ours: Math.max(...longest.map(({ cpuMs }) => cpuMs)),
        baselines: { "a flood that nobody looks at, page at rest": unseen.cpuMs },
      },
      {
        what: `longest task of a round, p50 of ${ROUNDS}`,
        unit: "ms",
        ours: quantile(
          longest.map(({ ms }) => ms),
          0.5,
        ),
      },
      {
        what: `Control C in the page to the end of the flood, max of ${ROUNDS}`,
        unit: "ms",
        ours: Math.max(...ends),
        goal: { below: 100 },
      },
      { what: "the same, p50", unit: "ms", ours: quantile(ends, 0.5) },
    ]);
  } finally {
    await browser.close();
    await run(folder, "close", "flood", "--force").catch(() => "");
    publisher.kill("SIGTERM");
    await once(publisher, "exit");
    folder.remove();
  }
}

/** What a command of the program says. */
async function run(folder: HostFolder, ...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: folder.environment });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk;
  });
  await once(child, "close");
  return text;
}

const opened = async (folder: HostFolder, name: string) =>
  (await run(folder, "open", "--detach", "--name", name)).trim();

/** While `yes` runs in a terminal that no page shows. */
async function longestUnseen(browser: Browser, page: Page, folder: HostFolder): Promise<Task> {
  await opened(folder, "unseen");
  const file = join(folder.path, "pid-unseen");
  await run(folder, "send", "unseen", `sh -c 'echo $$ >${file}; exec yes'`, "Enter");
  await pidIn(file);
  const longest = await longestTask(browser, page);
  await run(folder, "close", "unseen", "--force");
  return longest;
}

async function shown(
  browser: Browser,
  folder: HostFolder,
  endpoint: string,
  id: string,
): Promise<Page> {
  const token = readFileSync(join(folder.path, "state/token"), "utf8").trim();
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(`${endpoint}terminals/${encodeURIComponent(id)}#token=${token}`);
  await page.locator(".screen .xterm").waitFor();
  await page.locator(".tools .size").waitFor();
  await page.locator(".xterm-helper-textarea").focus();
  return page;
}

/** Types a flood into the page; the process that it is. */
async function begun(page: Page, file: string): Promise<number> {
  await page.keyboard.type(`sh -c 'echo $$ >${file}; exec yes'\n`);
  return pidIn(file);
}

/** The process that has written its number there. */
async function pidIn(file: string): Promise<number> {
  for (;;) {
    const pid = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
    if (pid > 0) return pid;
    await new Promise((turn) => setTimeout(turn, 5));
  }
}

/** One task of a page: how long by the clock, and how much of a processor it had. */
interface Task {
  readonly ms: number;
  readonly cpuMs: number;
}

/** The most of each of all tasks of the page's main thread, by the browser's own trace. */
async function longestTask(browser: Browser, page: Page): Promise<Task> {
  await browser.startTracing(page, { categories: ["toplevel", "__metadata"] });
  await page.waitForTimeout(WATCHED_MS);
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as Trace;
  const threads = new Set(traceEvents.filter(isMainThread).map(threadOf));
  const tasks = traceEvents.filter(
    (event) => TASK.test(event.name) && threads.has(threadOf(event)),
  );
  if (tasks.length === 0) throw new Error("Expected tasks in the trace of the page, got none");
  return {
    ms: Math.max(...tasks.map(({ dur = 0 }) => dur / 1_000)),
    cpuMs: Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1_000)),
  };
}

/** What is read of a trace of Chromium. Durations are in microseconds: by the clock, and of the thread. */
interface Trace {
  readonly traceEvents: readonly TraceEvent[];
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

const TASK = /RunTask$/;

const isMainThread = ({ name, args }: TraceEvent) =>
  name === "thread_name" && args?.name === "CrRendererMain";

const threadOf = ({ pid, tid }: TraceEvent) => `${pid}/${tid}`;

/** From the key to the end of the process, in milliseconds. */
async function interrupted(page: Page, pid: number): Promise<number> {
  const began = performance.now();
  const pressed = page.keyboard.press("Control+C");
  // Looked at so seldom that the looking does not take the processor that the key needs.
  while (isRunning(pid)) await new Promise((turn) => setTimeout(turn, 2));
  const ended = performance.now() - began;
  await pressed;
  return ended;
}
