import type { Browser, Locator, Page } from "playwright-core";
import { ImitatedClaude } from "../../cli/imitated.ts";
import { Place, type Program, type Publisher } from "../../cli/support.ts";
import { type WatchOptions, watchedPage } from "./browser.ts";

/** A host of terminals and a publisher of its own with private tmux servers, and pages of it. */
export class Stage {
  readonly place = new Place();
  readonly host: Program;
  publisher: Publisher;
  readonly #browser: Browser;

  private constructor(browser: Browser, place: Place, host: Program, publisher: Publisher) {
    this.#browser = browser;
    this.place = place;
    this.host = host;
    this.publisher = publisher;
  }

  /** `sources`: those beside tmux and the host. */
  static async begin(browser: Browser, ...sources: readonly string[]): Promise<Stage> {
    return Stage.#begin(browser, sources, []);
  }

  /** One of several hosts, that shares its terminals. */
  static async sharing(browser: Browser, nats: { readonly url: string }, name: string) {
    return Stage.#begin(browser, [], ["--nats", nats.url, "--host-name", name]);
  }

  static async #begin(
    browser: Browser,
    sources: readonly string[],
    args: readonly string[],
  ): Promise<Stage> {
    const place = new Place();
    place.session();
    const host = place.start(["host"]);
    await host.line(/./);
    const more = ["pty", ...sources].flatMap((source) => ["--source", source]);
    const publisher = await place.serve([...more, ...args]);
    return new Stage(browser, place, host, publisher);
  }

  /** Ends the publisher and starts another one at the same address. */
  async restart(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    const { port } = this.publisher.ready;
    this.publisher.program.signal(signal);
    await this.publisher.program.ended;
    this.publisher = await this.place.serve(["--source", "pty", "--port", String(port)]);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.publisher.ready.port}`;
  }

  get endpoint(): string {
    return `${this.origin}/`;
  }

  /** The list, let in by a token in the address. */
  async list(options: WatchOptions & { token?: string; endpoint?: string } = {}): Promise<Page> {
    const { token = this.publisher.token, endpoint = this.endpoint, ...how } = options;
    const page = await watchedPage(this.#browser, endpoint.slice(0, -1), how);
    await page.goto(`${endpoint}#token=${token}`);
    return page;
  }

  /** Opens a terminal of the host's own; the id of its row. */
  async open(...args: readonly string[]): Promise<string> {
    const { stdout, stderr, code } = await this.place.run(["open", "--detach", ...args]);
    if (code !== 0) throw new Error(stderr);
    return stdout.trim();
  }

  claude(): Promise<ImitatedClaude> {
    return ImitatedClaude.begin(this.place);
  }

  /** One that was started by hand in a shell, which a pane of tmux runs. */
  claudeInShell(): Promise<ImitatedClaude> {
    return ImitatedClaude.beginInShell(this.place);
  }
}

/** The row that says this. */
export const rowOf = (page: Page, text: string | RegExp): Locator =>
  page.locator("li.row").filter({ hasText: text });

/** The part of the list of that title. */
export const partOf = (page: Page, title: string): Locator =>
  page
    .locator("section.part")
    .filter({ has: page.locator("h2", { hasText: new RegExp(`^${title}`) }) });

/** The page of a terminal, from the list. */
export async function openTerminal(page: Page, text: string | RegExp): Promise<void> {
  await rowOf(page, text).locator(".row-link").click();
  await page.waitForURL(/\/terminals\//);
  await page.locator(".screen .xterm").waitFor();
}

/** Resolves once the terminal of the page shows this; it is asked for as text, as a person may. */
export async function showsText(page: Page, text: string | RegExp): Promise<void> {
  const plain = page.getByRole("region", { name: "The terminal as text" });
  if ((await plain.count()) === 0)
    await page.getByRole("button", { name: "Text", exact: true }).click();
  await plain.getByText(text).waitFor();
}

/** Types into the terminal of the page. */
export async function typeInto(page: Page, text: string): Promise<void> {
  await page.locator(".xterm-helper-textarea").focus();
  await page.keyboard.type(text);
}

/** How many colours a place of the page has: text on a ground is at least two. */
export async function coloursIn(page: Page, place: Locator): Promise<number> {
  const picture = (await place.screenshot()).toString("base64");
  // In a page of its own: the policy of the terminal's page lets no picture in that is not a file.
  const other = await page.context().newPage();
  const count = await other.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const drawing = canvas.getContext("2d");
    if (drawing === null) return 0;
    drawing.drawImage(image, 0, 0);
    const { data } = drawing.getImageData(0, 0, image.width, image.height);
    return new Set(new Uint32Array(data.buffer)).size;
  }, picture);
  await other.close();
  return count;
}
