import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cuttableLink } from "../../lib/nats/link.ts";
import { NatsServer } from "../../lib/nats/server.ts";
import type { History } from "../history/history.ts";
import { now } from "./now.ts";
import { OpenSpans } from "./open-spans.ts";
import { Publisher } from "./publisher.ts";
import { Reader } from "./reader.ts";
import { Terminals } from "./terminals.ts";

const TOPICS = ["terminals", "agents", "instances"] as const;

/** Three instances on one engine, readers of each, and what is known of them. */
export class World {
  readonly engine: NatsServer;
  readonly publishers: readonly Publisher[];
  readonly readers: Reader[] = [];
  readonly engineOut = new OpenSpans();
  readonly engineFull = new OpenSpans();
  readonly #folder: string;

  private constructor(engine: NatsServer, publishers: readonly Publisher[], folder: string) {
    this.engine = engine;
    this.publishers = publishers;
    this.#folder = folder;
  }

  /** With three terminals in each instance. `end` is owed, also where this fails. */
  static async start(count = 3): Promise<World> {
    const folder = mkdtempSync(join(tmpdir(), "tt-"));
    const engine = await NatsServer.start();
    const publishers: Publisher[] = [];
    for (let number = 0; number < count; number += 1) {
      const own = join(folder, `h${number}`);
      publishers.push(new Publisher(own, new Terminals(own), await cuttableLink(engine)));
    }
    const world = new World(engine, publishers, folder);
    try {
      await Promise.all(publishers.map((publisher) => world.#begin(publisher)));
    } catch (error) {
      await world.end();
      throw error;
    }
    return world;
  }

  async #begin(publisher: Publisher): Promise<void> {
    for (let number = 0; number < 3; number += 1) await publisher.terminals.add();
    await publisher.start();
  }

  publisher(index: number): Publisher {
    const found = this.publishers[index];
    if (found === undefined) throw new RangeError(`Expected a publisher, got number ${index}`);
    return found;
  }

  /** A reader of the instance of that number. */
  read(index: number, name: string, more: readonly string[] = []): Reader {
    const publisher = this.publisher(index);
    const reader = new Reader(`${publisher.name} ${name}`, publisher, [...TOPICS, ...more]);
    this.readers.push(reader);
    return reader;
  }

  /** `quietFrom`: since when nothing is disturbed. */
  history(quietFrom: number): History {
    return {
      instances: this.publishers.map(({ truth }) => truth),
      readers: this.readers.map(({ history }) => history),
      engineOut: this.engineOut.all,
      engineFull: this.engineFull.all,
      quietFrom,
      endsAt: now(),
    };
  }

  /** Forgets what was, for another history. Readers begin anew. */
  async forget(): Promise<void> {
    for (const reader of this.readers) {
      await reader.leave();
      reader.forget();
    }
    for (const publisher of this.publishers) publisher.forget();
    this.engineOut.forget();
    this.engineFull.forget();
    for (const reader of this.readers) reader.come();
  }

  async end(): Promise<void> {
    for (const reader of this.readers) await reader.leave();
    for (const publisher of this.publishers) {
      publisher.end();
      await publisher.link.end();
    }
    await this.engine.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
