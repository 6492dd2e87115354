import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { LEASE_MS } from "../../../src/contract/instances.ts";
import type { Random } from "../../host/soak/random.ts";
import type { Publisher } from "./publisher.ts";
import type { Reader } from "./reader.ts";
import type { World } from "./world.ts";

/** Something that is wrong for a while. */
export interface Fault {
  readonly name: string;
  /** The bounds of how long it lasts, in milliseconds. */
  readonly lasts: readonly [least: number, most: number];
  begin(): Promise<void> | void;
  end(): Promise<void> | void;
}

/** What may happen to an instance. Pauses, cuts and deaths are shorter than its lease, or longer. */
export const instanceFaults = (publisher: Publisher): readonly [Fault, ...Fault[]] => {
  const pause = { begin: () => publisher.pause(), end: () => publisher.resume() };
  const kill = { begin: () => publisher.kill(), end: () => publisher.start() };
  const severed = (how: "cut" | "hold") => ({
    begin: () => publisher.sever(how),
    end: () => publisher.heal(),
  });
  return [
    { name: "killed, and back soon", lasts: [300, 9_000], ...kill },
    { name: "killed", lasts: [19_000, 24_000], ...kill },
    {
      name: "stopped",
      lasts: [500, 8_000],
      begin: () => publisher.stop(),
      end: () => publisher.start(),
    },
    {
      name: "restarted",
      lasts: [100, 4_000],
      begin: () => publisher.restart(),
      end: () => publisher.start(),
    },
    {
      name: "manager stuck",
      lasts: [1_000, 12_000],
      begin: () => publisher.terminals.freeze(),
      end: () => publisher.terminals.thaw(),
    },
    { name: "paused for a moment", lasts: [500, 9_000], ...pause },
    { name: "paused", lasts: [19_000, 23_000], ...pause },
    { name: "cut off for a moment", lasts: [500, 9_000], ...severed("cut") },
    { name: "cut off", lasts: [19_000, 24_000], ...severed("cut") },
    { name: "out of touch for a moment", lasts: [500, 9_000], ...severed("hold") },
    { name: "out of touch", lasts: [19_000, 24_000], ...severed("hold") },
    {
      name: "disconnected",
      lasts: [500, 2_000],
      begin: () => publisher.link.drop(),
      end: () => {},
    },
    {
      name: "far away",
      lasts: [2_000, 8_000],
      begin: () => publisher.link.delay(150),
      end: () => publisher.link.heal(),
    },
  ];
};

/** Of those the ones that an instance is declared lost by. */
export const losses = (faults: readonly Fault[]): readonly Fault[] =>
  faults.filter(({ lasts: [least] }) => least > LEASE_MS);

/** What may happen to the engine. */
export const engineFaults = (world: World, bucket: string): readonly [Fault, ...Fault[]] => [
  {
    name: "engine killed",
    lasts: [200, 12_000],
    async begin() {
      world.engineOut.begin();
      await world.engine.kill();
    },
    async end() {
      await world.engine.restart();
      world.engineOut.end();
    },
  },
  {
    name: "bucket full",
    lasts: [1_000, 12_000],
    async begin() {
      world.engineFull.begin();
      await limit(world, bucket, "full");
    },
    async end() {
      await limit(world, bucket, "free");
      world.engineFull.end();
    },
  },
];

/** Lets the bucket grow no further than it is, or as far as it likes. */
async function limit(world: World, bucket: string, how: "full" | "free"): Promise<void> {
  const connection = await connect({ servers: world.engine.url });
  try {
    const { streams } = await jetstreamManager(connection);
    const { state } = await streams.info(`KV_${bucket}`);
    await streams.update(`KV_${bucket}`, { max_bytes: how === "full" ? state.bytes : -1 });
  } finally {
    await connection.close();
  }
}

/** What a reader may do. */
export const stalling = (reader: Reader): readonly [Fault, ...Fault[]] => [
  {
    name: "reader stalls",
    lasts: [1_000, 14_000],
    begin: () => reader.stall(),
    end: () => reader.flow(),
  },
];

export const visiting = (reader: Reader): readonly [Fault, ...Fault[]] => [
  {
    name: "reader away",
    lasts: [500, 5_000],
    begin: () => reader.leave(),
    end: () => reader.come(),
  },
];

/** One after the other of some faults, with pauses between. */
export interface Lane {
  readonly name: string;
  readonly faults: readonly [Fault, ...Fault[]];
  /** What it begins with; one of the others where it is absent. */
  readonly first?: Fault;
  readonly random: Random;
  /** The bounds of the pauses, in milliseconds. */
  readonly pauses: readonly [least: number, most: number];
}
