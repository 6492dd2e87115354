import { pino } from "pino";
import type { TerminalInfo } from "../../../src/contract/terminals.ts";
import { readPages } from "../../../src/server/page/files.ts";
import { createServer, type RunningServer } from "../../../src/server/server.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { ElementFeed } from "../../../src/topics/elements.ts";
import { Topics } from "../../../src/topics/hub.ts";

const INSTANCE = "3f9c1a7b5e2d48069c1a7b5e2d480691";
const TOKEN = "benchmark-benchmark-benchmark-benchmark-1234";

const SINCE = Date.now();

/** How often some rows change, in milliseconds. */
const EVERY_MS = 50;

/** A publisher as it is shipped, pages included, over rows that are made up. */
export class ManyRows {
  readonly #feed = new ElementFeed("terminals", INSTANCE, "0123456789abcdef");
  readonly #topics = new Topics({ clock: systemClock });
  readonly #rows: TerminalInfo[];
  #server: RunningServer | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #changes = 0;

  constructor(count: number) {
    this.#rows = Array.from({ length: count }, (_, at) => rowAt(at, 0));
  }

  /** The address of the list, token included. `pages`: the folder that they were built into. */
  async serve(pages: string): Promise<string> {
    this.#publish();
    this.#topics.offer("terminals", [this.#feed]);
    for (const topic of ["agents", "terminals.usage"] as const) {
      const feed = new ElementFeed(topic, INSTANCE, "0123456789abcdef");
      feed.publish({ rows: [], removedAt: 0, reasonOf: () => "closed" });
      this.#topics.offer(topic, [feed]);
    }
    this.#server = await createServer({
      port: 0,
      token: TOKEN,
      hub: this.#topics,
      clock: systemClock,
      pages: readPages(pages),
      identity: { instance: INSTANCE, version: "0", startedAt: Date.now(), hostName: "bench" },
      log: pino({ level: "silent" }),
    });
    return `${this.#server.endpoint}#token=${TOKEN}`;
  }

  /** From now on so many rows change in a second. */
  change(perSecond: number): void {
    const each = Math.round((perSecond * EVERY_MS) / 1_000);
    this.#timer = setInterval(() => {
      for (let turn = 0; turn < each; turn += 1) {
        this.#changes += 1;
        const at = (this.#changes * 7_919) % this.#rows.length;
        this.#rows[at] = rowAt(at, this.#changes);
      }
      this.#publish();
      this.#topics.changed();
    }, EVERY_MS);
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#server?.stop("stop");
  }

  #publish(): void {
    this.#feed.publish({
      rows: [...this.#rows],
      removedAt: Date.now(),
      polledAt: Date.now(),
      sources: [{ scheme: "tmux", name: "work", status: "ok", since_at: SINCE }],
      reasonOf: () => "closed",
    });
  }
}

const PROGRAMS = ["zsh", "vim src/main.rs", "npm run dev", "claude", "ssh ada", "htop", "make -j8"];

function rowAt(at: number, change: number): TerminalInfo {
  const program = PROGRAMS[at % PROGRAMS.length] ?? "sh";
  return {
    instance: INSTANCE,
    id: `tmux:work@4711.1790000000/${at}`,
    state: "running",
    command: program.split(" "),
    cwd: `/home/ada/projects/number-${at % 97}/src`,
    pid: 1_000 + at,
    started_at: 1_790_000_000_000 + at * 1_000,
    name: `work:${at}.0`,
    title: change === 0 ? `terminal ${at}` : `terminal ${at}, change ${change}`,
    tty: `/dev/pts/${at}`,
    cols: 120,
    rows: 40,
    viewers: at % 3,
    bell: false,
  };
}
