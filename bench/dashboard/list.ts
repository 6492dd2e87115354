import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { type Figure, report } from "../host/lib/report.ts";
import { quantile } from "../lib/figures.ts";
import { startChromium } from "./lib/chromium.ts";
import { ManyRows } from "./lib/many-rows.ts";

const PAGES = fileURLToPath(new URL("../../dist/dashboard", import.meta.url));
const ROWS = 5_000;
const CHANGES = 100;
const WORDS = "claude number-42 vim work make htop projects ";
/** Between two keys, in milliseconds: 12 in a second, which is fast. */
const KEY_MS = 80;

/** The list with thousands of rows: from a key in the search field to the frame that shows it, while rows change and while
 * none does; the frames that are drawn; and what is loaded before anything is seen. */
export default async function list(): Promise<void> {
  const browser = await startChromium();
  try {
    const busy = await measured(browser, ROWS, CHANGES);
    const still = await measured(browser, ROWS, 0);
    const few = await measured(browser, 50, CHANGES);
    const baselines = (of: (one: Measured) => number) => ({
      "no changes": of(still),
      "50 rows": of(few),
    });
    const figures: Figure[] = [
      {
        what: `key to frame in the search, ${ROWS} rows, ${CHANGES}/s, p95`,
        unit: "ms",
        ours: busy.p95,
        goal: { below: 50 },
        baselines: baselines(({ p95 }) => p95),
      },
      {
        what: "the same, p50",
        unit: "ms",
        ours: busy.p50,
        baselines: baselines(({ p50 }) => p50),
      },
      {
        what: "longest task while nobody types",
        unit: "ms",
        ours: busy.longest,
        baselines: baselines(({ longest }) => longest),
      },
      {
        what: "from the address to the list of all rows",
        unit: "ms",
        ours: busy.loadedMs,
        baselines: baselines(({ loadedMs }) => loadedMs),
      },
      {
        what: "what the list loads, compressed",
        unit: "KiB",
        ours: loadedBytes("index.html") / 1024,
        goal: { below: 150 },
        baselines: { "all of a terminal's page": terminalBytes() / 1024 },
      },
    ];
    report("dashboard list", figures);
  } finally {
    await browser.close();
  }
}

interface Measured {
  readonly p50: number;
  readonly p95: number;
  readonly longest: number;
  readonly loadedMs: number;
}

async function measured(browser: Browser, rows: number, changes: number): Promise<Measured> {
  const publisher = new ManyRows(rows);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const address = await publisher.serve(PAGES);
    const page = await context.newPage();
    const began = performance.now();
    await page.goto(address);
    await page.getByText(`${rows} terminals`, { exact: true }).waitFor();
    await page.locator(".row-link").first().waitFor();
    const loadedMs = performance.now() - began;
    if (changes > 0) publisher.change(changes);
    const longest = await longestTask(page);
    const [p50, p95] = await keysToFrames(page);
    return { p50, p95, longest, loadedMs };
  } finally {
    await context.close();
    await publisher.end();
  }
}

/** Over three seconds. */
function longestTask(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let longest = 0;
        const observer = new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
        });
        observer.observe({ type: "longtask" });
        setTimeout(() => {
          observer.disconnect();
          resolve(longest);
        }, 3_000);
      }),
  );
}

/** From the moment that the browser has a key to the end of the frame in which the page has answered it. */
async function keysToFrames(page: Page): Promise<readonly [p50: number, p95: number]> {
  await page.evaluate(() => {
    const told: number[] = [];
    Object.assign(window, { told });
    document.addEventListener(
      "keydown",
      ({ timeStamp }) => {
        // The first frame after the key draws it; it is over when the next task runs.
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.onmessage = () => told.push(performance.now() - timeStamp);
          channel.port2.postMessage(undefined);
        });
      },
      { capture: true },
    );
  });
  await page.focus("#search");
  for (let round = 0; round < 3; round += 1) {
    await page.keyboard.type(WORDS, { delay: KEY_MS });
    for (let key = 0; key < WORDS.length; key += 1) {
      await page.keyboard.press("Backspace", { delay: KEY_MS / 4 });
    }
  }
  const told = await page.evaluate(() => (window as unknown as { told: number[] }).told);
  return [quantile(told, 0.5), quantile(told, 0.95)];
}

/** A document and everything that it names. */
function loadedBytes(name: string): number {
  const html = readFileSync(join(PAGES, name), "utf8");
  const files = [...html.matchAll(/assets\/([\w.-]+)/g)].map(([, file = ""]) => file);
  const sizes = files.map((file) => gzipSync(readFileSync(join(PAGES, "assets", file))).length);
  return gzipSync(html).length + sizes.reduce((sum, size) => sum + size, 0);
}

function terminalBytes(): number {
  const screens = readdirSync(join(PAGES, "assets")).filter((file) =>
    /^screen-[\w-]+\.(js|css)$/.test(file),
  );
  return screens.reduce(
    (sum, file) => sum + gzipSync(readFileSync(join(PAGES, "assets", file))).length,
    loadedBytes("terminal.html"),
  );
}
