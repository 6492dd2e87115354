import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";

/** Debian's. WebGL is drawn by software: no test machine has to have a graphics card. */
const CHROMIUM = {
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
};

/** How long a page may take for anything that is waited for, in milliseconds. */
const PATIENCE_MS = 15_000;

/** One browser for a file of tests. `more`: switches of Chromium. */
export function useBrowser(...more: readonly string[]): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({ ...CHROMIUM, args: [...CHROMIUM.args, ...more] });
  }, 60_000);
  afterAll(() => browser?.close());
  return () => {
    if (browser === undefined) throw new Error("the browser has not been started");
    return browser;
  };
}

export interface WatchOptions extends BrowserContextOptions {
  /** What a console may say that is expected, such as of a connection that a test cuts. */
  readonly expected?: RegExp;
}

/** A page of a profile of its own. At the end of its test it must have said nothing that is a fault, its policy must have
 * refused nothing, and nothing must have been asked for elsewhere. */
export async function watchedPage(
  browser: Browser,
  origin: string,
  { expected, ...options }: WatchOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  const note = (text: string) => {
    if (expected?.test(text) !== true) faults.push(text);
  };
  await page.exposeFunction("noteViolation", (text: string) => note(`policy: ${text}`));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const told = `${event.violatedDirective} ${event.blockedURI} ${event.sample}`;
      (window as unknown as { noteViolation(text: string): void }).noteViolation(told);
    });
  });
  page.on("console", (message) => {
    if (message.type() === "error") note(`console: ${message.text()}`);
  });
  page.on("pageerror", ({ message }) => note(`error: ${message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(origin)) note(`asked elsewhere: ${request.url()}`);
  });
  page.on("websocket", (socket) => {
    if (!socket.url().startsWith(origin.replace("http", "ws"))) {
      note(`a socket elsewhere: ${socket.url()}`);
    }
  });
  onTestFinished(async () => {
    await context.close();
    expect(faults).toEqual([]);
  });
  return page;
}
