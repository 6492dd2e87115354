import { randomBytes } from "node:crypto";
import { jetstreamManager } from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import { connect } from "@nats-io/transport-node";
import { afterEach } from "vitest";
import { Cluster } from "../../src/cluster/cluster.ts";
import type { Refusal } from "../../src/cluster/members.ts";
import type { AgentInfo } from "../../src/contract/agents.ts";
import type { TopicFrame } from "../../src/contract/envelope.ts";
import { emptyFold, type FoldState, fold } from "../../src/contract/fold.ts";
import type { InstanceInfo } from "../../src/contract/instances.ts";
import type { RowTopic } from "../../src/contract/rows.ts";
import type { RemovalReason, SourceInfo } from "../../src/contract/sources.ts";
import type { TerminalInfo } from "../../src/contract/terminals.ts";
import type { Clock } from "../../src/time/clock.ts";
import { systemClock } from "../../src/time/clock.ts";
import { ElementFeed } from "../../src/topics/elements.ts";
import { Topics } from "../../src/topics/hub.ts";
import type { OwnTopic } from "../../src/topics/own-topic.ts";
import { WholeFeed } from "../../src/topics/whole.ts";
import { CuttableLink } from "../lib/nats/link.ts";
import { type NatsOptions, NatsServer } from "../lib/nats/server.ts";
import { TestSink } from "../topics/support.ts";

/** How much faster time passes for the instances here than it does: a heartbeat takes half a second. Much faster would be too
 * fast for a machine that is busy. */
const HASTE = 10;

const hastyClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now() * HASTE,
  schedule(delayMs, task) {
    const timer = setTimeout(task, delayMs / HASTE);
    return () => clearTimeout(timer);
  },
};

const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A nats-server for one test. */
export async function bus(options?: NatsOptions): Promise<NatsServer> {
  const server = await NatsServer.start(options);
  ends.push(() => server.end());
  return server;
}

/** A link to it that the test disturbs. */
export async function link(server: NatsServer): Promise<CuttableLink> {
  const made = await CuttableLink.to(server.port);
  ends.push(() => made.end());
  return made;
}

/** A bucket as somebody else sees it. */
export async function bucketOf(server: NatsServer, bucket = "test"): Promise<KV> {
  const connection = await connect({ servers: server.url });
  ends.push(() => connection.close());
  return new Kvm(connection).open(bucket);
}

/** Gives the bucket so many bytes at most; -1: as many as there are. */
export async function limitBucket(server: NatsServer, bytes: number): Promise<void> {
  const connection = await connect({ servers: server.url });
  const manager = await jetstreamManager(connection);
  await manager.streams.update("KV_test", { max_bytes: bytes });
  await connection.close();
}

export async function keysOf(server: NatsServer): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of await (await bucketOf(server)).keys()) keys.push(key);
  return keys;
}

export interface InstanceOptions {
  readonly url: string;
  readonly instance?: string;
  readonly host?: string;
  readonly epoch?: string;
  readonly bucket?: string;
  readonly authenticator?: ConstructorParameters<typeof Cluster>[0]["authenticator"];
  /** Whether its time passes as it does. */
  readonly isSlow?: boolean;
}

/** What became of a Cluster, by the names of its events. */
export interface Happened {
  readonly what: string;
  readonly why?: string;
}

/** One instance of many, whose rows the test sets. */
export class TestInstance {
  readonly instance: string;
  readonly host: string;
  readonly epoch: string;
  readonly topics: Topics;
  readonly terminals: ElementFeed<"terminals">;
  readonly agents: ElementFeed<"agents">;
  readonly cluster: Cluster;
  readonly happened: Happened[] = [];
  readonly refused: Partial<Record<Refusal, number>> = {};
  written = 0;
  /** How many want its rows now, by topic. */
  readonly wants = { terminals: 0, agents: 0, "terminals.usage": 0 };
  /** Whether it has read its rows: without that nothing is stated. */
  isRead = true;
  #rows: readonly TerminalInfo[] = [];
  #reason: RemovalReason = "closed";
  #lookers = new Set<() => void>();

  constructor(options: InstanceOptions) {
    const { url, bucket = "test", authenticator, isSlow = false } = options;
    this.instance = options.instance ?? randomBytes(16).toString("hex");
    this.host = options.host ?? `host-${this.instance.slice(0, 4)}`;
    this.epoch = options.epoch ?? randomBytes(8).toString("hex");
    const clock = isSlow ? systemClock : hastyClock;
    const { instance, epoch, host } = this;
    this.topics = new Topics({ clock: systemClock });
    this.terminals = new ElementFeed("terminals", instance, epoch);
    this.agents = new ElementFeed("agents", instance, epoch);
    const usage = new ElementFeed("terminals.usage", instance, epoch);
    const own = [this.terminals, this.agents, usage].map((feed) => this.#own(feed as never));
    for (const { topic, feed, resource } of own) {
      this.topics.offer(topic, [feed as ElementFeed<RowTopic>], resource);
    }
    const self: InstanceInfo = { id: instance, host, reachable: true };
    const instances = new WholeFeed("instances", instance, [self]);
    this.topics.offer("instances", [instances]);
    const tell = (what: string) => (why?: string) => {
      this.happened.push(why === undefined ? { what } : { what, why });
      for (const look of [...this.#lookers]) look();
    };
    this.cluster = new Cluster(
      {
        servers: [url],
        bucket,
        clock,
        producer: { instance, host, epoch },
        topics: this.topics,
        host: { own, instances },
        self,
        ...(authenticator === undefined ? {} : { authenticator }),
      },
      {
        connected: () => () => {},
        joined: tell("joined"),
        left: tell("left"),
        refused: tell("refused"),
        failed: tell("failed"),
        readsOnly: tell("readsOnly"),
        waits: tell("waits"),
        rejected: (what, count, why) => {
          this.refused[what] = (this.refused[what] ?? 0) + count;
          tell("rejected")(why);
        },
        written: () => {
          this.written += 1;
        },
      },
    );
    ends.push(() => this.cluster.end("stopped"));
  }

  /** Resolves once that has happened so many times. */
  async met(what: string, times = 1): Promise<Happened> {
    return this.#until(() => this.happened.filter((event) => event.what === what)[times - 1]);
  }

  #until<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const look = () => {
        const found = find();
        if (found === undefined) return;
        this.#lookers.delete(look);
        resolve(found);
      };
      this.#lookers.add(look);
      look();
    });
  }

  row(id: string, more: Partial<TerminalInfo> = {}): TerminalInfo {
    const { instance } = this;
    return { instance, id: `pty:${id}`, state: "running", command: ["zsh"], ...more };
  }

  /** States rows by their handles, or whole. */
  state(...rows: (string | TerminalInfo)[]): void {
    this.#rows = rows.map((row) => (typeof row === "string" ? this.row(row) : row));
    this.#publish();
  }

  /** The rows are taken back since it stops. */
  takeBack(): void {
    this.#reason = "instance_stopped";
    this.state();
  }

  bookmark(): void {
    this.terminals.bookmarkAt({ polledAt: Date.now(), sources: [this.#source] });
    this.topics.changed();
  }

  agent(...rows: AgentInfo[]): void {
    const publication = { rows, removedAt: Date.now(), reasonOf: () => "closed" as const };
    this.agents.publish({ ...publication, polledAt: Date.now(), sources: [this.#source] });
    this.topics.changed();
  }

  /** A subscriber of this instance. */
  subscriber(): Subscriber {
    return new Subscriber(this.topics);
  }

  get #source(): SourceInfo {
    return { scheme: "pty", status: "ok", since_at: 1_000 };
  }

  #publish(): void {
    if (!this.isRead || this.wants.terminals === 0) return;
    const reason = this.#reason;
    const polledAt = Date.now();
    const standing = { polledAt, sources: [this.#source], removedAt: polledAt };
    if (this.terminals.publish({ rows: this.#rows, ...standing, reasonOf: () => reason })) {
      this.topics.changed();
    }
  }

  #own(feed: ElementFeed<"terminals" | "agents" | "terminals.usage">): OwnTopic {
    const { topic } = feed;
    return {
      topic,
      feed,
      resource: {
        acquire: () => {
          this.wants[topic] += 1;
          for (const look of [...this.#lookers]) look();
          if (topic === "terminals") setImmediate(() => this.#publish());
        },
        release: () => {
          this.wants[topic] -= 1;
          if (this.wants[topic] === 0) feed.reset();
          for (const look of [...this.#lookers]) look();
        },
        fresh: async () => {},
      },
    };
  }

  /** Resolves once so many want its terminals. */
  async wanted(times: number): Promise<void> {
    await this.#until(() => (this.wants.terminals === times ? true : undefined));
  }
}

/** What one connection gets, folded as a reader of the contract folds it. */
export class Subscriber {
  readonly frames: TopicFrame[] = [];
  readonly sink = new TestSink();
  readonly #reader;
  readonly #folds = new Map<string, FoldState<{ instance: string }>>();
  readonly #lookers = new Set<() => void>();
  instances: InstanceInfo[] = [];

  constructor(topics: Topics) {
    this.sink.onSend = () => this.#take();
    this.#reader = topics.connect(this.sink);
    ends.push(() => this.end());
  }

  async open(...names: RowTopic[]): Promise<this> {
    for (const name of names) (await this.#reader.open(name))();
    return this;
  }

  close(topic: RowTopic): void {
    this.#reader.close(topic);
  }

  end(): void {
    this.#reader.end();
  }

  /** The ids of the rows that are held of an instance; `undefined` before its snapshot. */
  ids({ instance }: { readonly instance: string }, topic = "terminals"): string[] | undefined {
    const state = this.#folds.get(topic)?.get(instance);
    if (state === undefined) return undefined;
    return [...state.rows.values()].map((row) =>
      String(Reflect.get(row, "id") ?? Reflect.get(row, "pid")),
    );
  }

  rows<Row>({ instance }: { readonly instance: string }, topic = "terminals"): Row[] {
    return [...(this.#folds.get(topic)?.get(instance)?.rows.values() ?? [])] as Row[];
  }

  /** How the sources of an instance stand. */
  sources({ instance }: { readonly instance: string }): readonly SourceInfo[] | undefined {
    return this.#folds.get("terminals")?.get(instance)?.sources;
  }

  /** The frames about an instance. */
  of({ instance }: { readonly instance: string }, topic = "terminals"): TopicFrame[] {
    return this.frames.filter((frame) => frame.topic === topic && frame.instance === instance);
  }

  /** Resolves once it holds. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!holds()) return;
        this.#lookers.delete(look);
        resolve();
      };
      this.#lookers.add(look);
      look();
    });
  }

  #take(): void {
    for (const frame of this.sink.taken()) {
      this.frames.push(frame);
      if (frame.topic === "instances") {
        this.instances = (frame.data as { instances: InstanceInfo[] }).instances;
      } else {
        const topic = frame.topic as "terminals";
        const before = (this.#folds.get(topic) ?? emptyFold()) as FoldState<TerminalInfo>;
        const step = fold(topic, before, frame);
        if (step.outcome !== "folded") {
          throw new Error(
            `Expected a frame that folds, got a ${step.outcome}: ${JSON.stringify(frame)}`,
          );
        }
        this.#folds.set(topic, step.state);
      }
    }
    for (const look of [...this.#lookers]) look();
  }
}
