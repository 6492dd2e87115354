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

/** `yes` in a terminal that a page shows: the longest task of the page meanwhile, and from Control C in the page to the end of
 * the program, beside the same by `tmux send-keys` on a flooding pane. */
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
    const id = await opened(folder);
    const page = await shown(browser, folder, endpoint, id);
    const ends: number[] = [];
    let longest = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const file = join(folder.path, `pid-${round}`);
      await page.keyboard.type(`sh -c 'echo $$ >${file}; exec yes'\n`);
      const pid = await pidIn(file);
      longest = Math.max(longest, await longestTask(page));
      ends.push(await interrupted(page, pid));
    }
    report("dashboard flood", [
      {
        what: "longest task of a page that shows a flood",
        unit: "ms",
        ours: longest,
        goal: { below: 100 },
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

const opened = async (folder: HostFolder) =>
  (await run(folder, "open", "--detach", "--name", "flood")).trim();

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

/** The process that has written its number there. */
async function pidIn(file: string): Promise<number> {
  for (;;) {
    const pid = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
    if (pid > 0) return pid;
    await new Promise((turn) => setTimeout(turn, 5));
  }
}

function longestTask(page: Page): Promise<number> {
  return page.evaluate(
    (ms) =>
      new Promise<number>((resolve) => {
        let longest = 0;
        const observer = new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
        });
        observer.observe({ type: "longtask" });
        setTimeout(() => {
          observer.disconnect();
          resolve(longest);
        }, ms);
      }),
    WATCHED_MS,
  );
}

/** From the key to the end of the process, in milliseconds. */
async function interrupted(page: Page, pid: number): Promise<number> {
  const began = performance.now();
  const pressed = page.keyboard.press("Control+C");
  while (isRunning(pid)) await new Promise((turn) => setImmediate(turn));
  const ended = performance.now() - began;
  await pressed;
  return ended;
}
