import { randomBytes } from "node:crypto";
import { type KV, Kvm } from "@nats-io/kv";
import { connect } from "@nats-io/transport-node";
import { HEARTBEAT_MS, HISTORY, MAX_AGE_MS } from "../../../src/cluster/limits.ts";
import { topicKey } from "../../../src/cluster/subjects.ts";
import { encodeValue } from "../../../src/cluster/value.ts";
import { answerParent, Child } from "../../lib/child.ts";
import { MARK, stamp } from "../../lib/stamps.ts";
import { changeTimes, randomFrom } from "./random.ts";
import { madeUpRows } from "./rows.ts";

/** How many writes are under way at once while the bucket is filled. */
const AT_ONCE = 50;

/** How long what is under way may take at the end of a span. */
const DRAIN_MS = 300;

type Request =
  | {
      readonly do: "fill";
      readonly url: string;
      readonly instances: number;
      readonly rows: number;
    }
  | {
      readonly do: "write";
      readonly ms: number;
      readonly perSecond: number;
      readonly changed: boolean;
    };

/** What was written in a span, heartbeats among it, and what that took the writing process. */
export interface Written {
  readonly values: number;
  readonly bytes: number;
  readonly cpuMs: number;
}

/** Writes the values of made-up instances, from a process of its own and through one connection: what a gateway and the bus have to
 * do is the same as with real ones, without the cost of those. */
export class Writer {
  readonly #child = new Child<Request>(import.meta.url, "writer");

  /** Resolves once all values are there. From then on each is written again with every heartbeat. */
  fill(url: string, instances: number, rows: number): Promise<void> {
    return this.#child.ask({ do: "fill", url, instances, rows });
  }

  /** Writes values beside the heartbeats, with one row changed each or as they are. */
  write(ms: number, perSecond: number, changed: boolean): Promise<Written> {
    return this.#child.ask({ do: "write", ms, perSecond, changed });
  }

  end(): Promise<void> {
    return this.#child.end();
  }
}

/** An instance as far as the bus sees it. */
class MadeUpInstance {
  readonly #instance = randomBytes(16).toString("hex");
  readonly #epoch = randomBytes(8).toString("hex");
  readonly #texts: string[];
  readonly #rows;
  #seq = 1;
  bytes = 0;

  constructor(rows: number, seed: number) {
    this.#rows = madeUpRows(this.#instance, rows, seed);
    this.#texts = this.#rows.map((row) => JSON.stringify(row));
  }

  change(): void {
    const index = this.#seq % this.#rows.length;
    this.#texts[index] = JSON.stringify({ ...this.#rows[index], title: MARK + stamp() });
    this.#seq += 1;
  }

  async write(kv: KV): Promise<void> {
    const value = await encodeValue(
      {
        instance: this.#instance,
        host: `host-${this.#instance.slice(0, 6)}`,
        epoch: this.#epoch,
        seq: this.#seq,
        bookmarks: 0,
        polled_at: 1_700_000_000_000,
        sources: [{ scheme: "tmux", status: "ok", since_at: 1_700_000_000_000 }],
        removed: [],
      },
      this.#texts,
    );
    this.bytes = value.length;
    await kv.put(topicKey(this.#instance, "terminals"), value);
  }
}

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function writer(): void {
  let instances: readonly MadeUpInstance[] = [];
  let kv: KV | undefined;
  let values = 0;
  let bytes = 0;
  const random = randomFrom(1);
  let beats = 0;
  const put = async (instance: MadeUpInstance | undefined) => {
    if (kv === undefined || instance === undefined) return;
    await instance.write(kv);
    values += 1;
    bytes += instance.bytes;
  };
  const fill = async ({ url, instances: count, rows }: Request & { do: "fill" }) => {
    const connection = await connect({ servers: url });
    kv = await new Kvm(connection).create("termtopic", { history: HISTORY, ttl: MAX_AGE_MS });
    instances = Array.from({ length: count }, (_, index) => new MadeUpInstance(rows, index + 1));
    for (let first = 0; first < count; first += AT_ONCE) {
      await Promise.all(instances.slice(first, first + AT_ONCE).map(put));
    }
    setInterval(() => void put(instances[beats++ % count]), HEARTBEAT_MS / count);
  };
  const write = async ({ ms, perSecond, changed }: Request & { do: "write" }) => {
    [values, bytes] = [0, 0];
    const cpu = process.cpuUsage();
    const ends = after(ms + DRAIN_MS);
    const start = performance.now();
    for (const at of changeTimes(perSecond, ms, random)) {
      const wait = start + at - performance.now();
      if (wait > 0) await after(wait);
      const instance = instances[Math.floor(random() * instances.length)];
      if (changed) instance?.change();
      void put(instance);
    }
    await ends;
    const { user, system } = process.cpuUsage(cpu);
    return { values, bytes, cpuMs: (user + system) / 1_000 };
  };
  answerParent<Request>((request) => (request.do === "fill" ? fill(request) : write(request)));
}

export const roles = { writer };
