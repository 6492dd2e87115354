import { randomBytes } from "node:crypto";
import { Cluster } from "../../../src/cluster/cluster.ts";
import type { TerminalInfo } from "../../../src/contract/terminals.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { ElementFeed } from "../../../src/topics/elements.ts";
import { Topics } from "../../../src/topics/hub.ts";
import type { OwnTopic } from "../../../src/topics/own-topic.ts";
import { WholeFeed } from "../../../src/topics/whole.ts";
import { MARK, stamp } from "../../lib/stamps.ts";

const COMMANDS = [
  ["zsh"],
  ["vim", "src/server/connection.ts"],
  ["claude", "--continue"],
  ["npm", "run", "dev"],
  ["htop"],
];

/** One instance whose terminals are made up, and whose share in the list of many is the product's own. */
export class MadeUpHost {
  readonly instance = randomBytes(16).toString("hex");
  readonly #epoch = randomBytes(8).toString("hex");
  readonly #feed = new ElementFeed("terminals", this.instance, this.#epoch);
  readonly #topics = new Topics({ clock: systemClock });
  readonly #rows: TerminalInfo[];
  readonly #cluster: Cluster;
  #wants = 0;

  constructor(url: string, name: string, rows: number, joined: () => void) {
    const { instance } = this;
    this.#rows = Array.from({ length: rows }, (_, index) => rowOf(instance, name, index));
    const self = { id: instance, host: name, reachable: true };
    const instances = new WholeFeed("instances", instance, [self]);
    this.#topics.offer("instances", [instances]);
    const own = [this.#own(), this.#none("agents"), this.#none("terminals.usage")];
    for (const { topic } of own) this.#topics.offer(topic, []);
    this.#cluster = new Cluster(
      {
        ...{ servers: [url], bucket: "termtopic", clock: systemClock, topics: this.#topics, self },
        producer: { instance, host: name, epoch: this.#epoch },
        host: { own, instances },
      },
      {
        ...{
          connected: () => () => {},
          joined,
          left() {},
          waits() {},
          rejected() {},
          written() {},
        },
        refused: fail,
        failed: fail,
        readsOnly: fail,
      },
    );
  }

  /** One of its rows says when it was changed. */
  change(index: number): void {
    const at = index % this.#rows.length;
    const row = this.#rows[at];
    if (row === undefined) return;
    this.#rows[at] = { ...row, title: MARK + stamp() };
    this.#publish();
  }

  async end(): Promise<void> {
    await this.#cluster.end("stopped");
  }

  #publish(): void {
    if (this.#wants === 0) return;
    const now = Date.now();
    this.#feed.publish({
      rows: this.#rows,
      polledAt: now,
      sources: [{ scheme: "tmux", status: "ok", since_at: 1_000 }],
      removedAt: now,
      reasonOf: () => "closed",
    });
    this.#topics.changed();
  }

  #own(): OwnTopic {
    return {
      topic: "terminals",
      feed: this.#feed,
      resource: {
        acquire: () => {
          this.#wants += 1;
          setImmediate(() => this.#publish());
        },
        release: () => {
          this.#wants -= 1;
          if (this.#wants === 0) this.#feed.reset();
        },
        async fresh() {},
      },
    };
  }

  #none(topic: "agents" | "terminals.usage"): OwnTopic {
    const feed = new ElementFeed(topic, this.instance, this.#epoch);
    return { topic, feed, resource: { acquire() {}, release() {}, async fresh() {} } };
  }
}

/** About 300 bytes, as a real one has. */
function rowOf(instance: string, host: string, index: number): TerminalInfo {
  return {
    ...{ instance, id: `tmux:default@4711.1700000000/${index}`, state: "running" },
    command: COMMANDS[index % COMMANDS.length] ?? [],
    cwd: `/home/user/projects/${host}/${(index * 7_919) % 1_000}`,
    ...{ pid: 1_000 + index, started_at: 1_700_000_000_000 + index * 1_013 },
    ...{ start_tick: String(100_000 + index * 97), tty: `/dev/pts/${index}` },
    ...{ name: `work:${index}.0`, title: `${MARK}${"0".repeat(17)}`, cols: 120, rows: 40 },
  };
}

function fail(why: string): void {
  console.error(`a made-up host: ${why}`);
}
