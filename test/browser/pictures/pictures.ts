import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { PublishedViews } from "../../../src/acting/views/published.ts";
import type { OpenView } from "../../../src/acting/views/view.ts";
import type { RemovalReason } from "../../../src/contract/sources.ts";
import { readPages } from "../../../src/server/page/files.ts";
import { createServer, type RunningServer } from "../../../src/server/server.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { ElementFeed } from "../../../src/topics/elements.ts";
import { Topics } from "../../../src/topics/hub.ts";
import { WholeFeed } from "../../../src/topics/whole.ts";
import { AGENTS, INSTANCE, NOW, SCREEN, SHOWN, TERMINALS, USAGE } from "./rows.ts";

const TOKEN = "pictures-pictures-pictures-pictures-pictures";
const PAGES = fileURLToPath(new URL("../../../dist/dashboard", import.meta.url));

const DESK = { viewport: { width: 1180, height: 760 } };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true };

/** One picture: its name, how the browser is, and what is done before it is taken. */
interface Picture {
  readonly name: string;
  readonly how: BrowserContextOptions;
  prepare(page: Page, server: RunningServer): Promise<unknown>;
}

/** How much busier or idler each sample is than the figures of the picture, in percentage points. */
const SAMPLES = [9, 30, 4, 18, 41, 12, 3, 26, 33, 8, 15, 0];

const terminalPage = (page: Page, { endpoint }: RunningServer, id: string) =>
  page.goto(`${endpoint}terminals/${encodeURIComponent(id)}`);

const PICTURES: readonly Picture[] = [
  { name: "list-light", how: { ...DESK, colorScheme: "light" }, prepare: async () => {} },
  { name: "list-dark", how: { ...DESK, colorScheme: "dark" }, prepare: async () => {} },
  { name: "phone", how: { ...PHONE, colorScheme: "light" }, prepare: async () => {} },
  {
    name: "terminal",
    how: { ...DESK, colorScheme: "dark" },
    async prepare(page, server) {
      await terminalPage(page, server, SHOWN);
      await page.locator(".tools .size").waitFor();
      // Once it is drawn.
      await page.evaluate(
        () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
      );
    },
  },
  {
    name: "gone",
    how: { ...DESK, colorScheme: "light" },
    async prepare(page, server) {
      await terminalPage(page, server, "pty:gone");
      await page.getByRole("heading", { name: "This terminal is gone" }).waitFor();
    },
  },
  {
    name: "stale",
    how: { ...DESK, colorScheme: "light" },
    async prepare(page, server) {
      await server.stop("restart");
      await page.getByText("Not connected.").waitFor();
    },
  },
];

/** Takes a picture of every state of the pages into the folder. What they show stands still: times, processes and ids are the
 * same each time. */
export default async function pictures(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
  try {
    for (const picture of PICTURES) {
      await take(browser, picture, join(folder, `${picture.name}.png`));
      console.log(join(folder, `${picture.name}.png`));
    }
  } finally {
    await browser.close();
  }
}

async function take(browser: Browser, { how, prepare }: Picture, path: string): Promise<void> {
  const { server, sampled } = await publisher();
  const context = await browser.newContext({ ...how, timezoneId: "UTC", locale: "en-GB" });
  try {
    const page = await context.newPage();
    await page.clock.setFixedTime(NOW);
    await page.goto(`${server.endpoint}#token=${TOKEN}`);
    await page.locator("section.part.ended").waitFor();
    await sampled();
    await prepare(page, server);
    await page.screenshot({ path });
  } finally {
    await context.close();
    await server.stop("stop");
  }
}

/** A publisher as it is shipped, of one host whose terminals are made up. */
async function publisher() {
  const topics = new Topics({ clock: systemClock });
  const epoch = "0123456789abcdef";
  const how = { removedAt: NOW, polledAt: NOW, reasonOf: (): RemovalReason => "closed" };
  const sources = [{ scheme: "tmux", name: "default", status: "ok", since_at: NOW }] as const;
  const terminals = new ElementFeed("terminals", INSTANCE, epoch);
  terminals.publish({ ...how, rows: TERMINALS, sources: [...sources] });
  const agents = new ElementFeed("agents", INSTANCE, epoch);
  agents.publish({ ...how, rows: AGENTS });
  const usage = new ElementFeed("terminals.usage", INSTANCE, epoch);
  const sample = (more: number) =>
    usage.publish({
      ...how,
      rows: USAGE.map((row, at) => ({
        ...row,
        cpu_percent:
          row.cpu_percent === 0 ? 0 : Math.max(1, row.cpu_percent + ((more * (at + 3)) % 37) - 12),
      })),
    });
  sample(0);
  const self = { id: INSTANCE, host: "orrery", reachable: true };
  topics.offer("terminals", [terminals]);
  topics.offer("agents", [agents]);
  topics.offer("terminals.usage", [usage]);
  topics.offer("instances", [new WholeFeed("instances", INSTANCE, [self])]);
  const server = await createServer({
    port: 0,
    token: TOKEN,
    hub: topics,
    clock: systemClock,
    pages: readPages(PAGES),
    views: new PublishedViews({
      instance: INSTANCE,
      find: async (id) => TERMINALS.find((row) => row.id === id),
      schemes: { pty: still },
    }),
    terminals: {
      carryOut: async () => ({
        terminal: TERMINALS[5],
        removed_at: NOW - 420_000,
        reason: "closed",
      }),
    },
    identity: { instance: INSTANCE, version: "0", startedAt: NOW, hostName: "orrery" },
    log: pino({ level: "silent" }),
  });
  return {
    server,
    async sampled() {
      for (const more of SAMPLES) {
        sample(more);
        topics.changed();
        topics.flush();
        await new Promise((turn) => setTimeout(turn, 60));
      }
    },
  };
}

/** A view of a screen on which nothing moves. */
const still: OpenView = async ({ id }, looker) => {
  looker.event({ type: "attached", terminal: { id, title: "", cols: 120, rows: 40 } });
  looker.output(Buffer.from(SCREEN));
  return {
    type: () => undefined,
    resize: (cols, rows) =>
      looker.event({ type: "changed", terminal: { id, title: "", cols, rows } }),
    shown() {},
    theme() {},
    close() {},
    leave() {},
  };
};
