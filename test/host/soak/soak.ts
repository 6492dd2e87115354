import { onTestFinished } from "vitest";
import { type BuiltHost, RealHost } from "../hostile/real-host.ts";
import { type Scene, type Slot, Worker } from "./happenings.ts";
import { follow, look } from "./onlookers.ts";
import { Peer } from "./peer.ts";
import { Random } from "./random.ts";
import { Examination, type Memory, type Vitals } from "./vitals.ts";

const SESSIONS = ["a", "b", "c", "looked-at"] as const;
const TERMINALS = 50;
const WORKERS = 8;
const VIEWERS = 8;
const SUBSCRIBERS = 2;

/** The longest pause between two things that one worker does, in milliseconds: the host is to be used, not to be shown
 * how fast the machine is. */
const PACE_MS = 200;

/** For how many happenings somebody looks at a terminal at most. */
const LOOKS = 80;

/** What is there at a rest: every terminal closed, every connection ended. */
export interface Rest {
  readonly vitals: Vitals;
  readonly memory: Memory;
  /** What its descriptors are of, for people. */
  readonly files: readonly string[];
}

export interface Soaked {
  readonly happenings: number;
  /** The first one after a round that is not looked at: threads, code and tables are made by what needs them. */
  readonly rests: readonly Rest[];
  /** What calls were refused with. */
  readonly refusals: ReadonlyMap<string, number>;
  /** What the host wrote down. */
  readonly log: string;
}

export interface SoakOptions {
  readonly built: BuiltHost;
  readonly seed: number;
  /** How long one round is, in seconds, and how many there are after the first. */
  readonly roundSeconds: number;
  readonly rounds: number;
  readonly rested?: (rest: Rest, happenings: number) => void;
}

/** Uses a host in every way at once, in rounds with a rest after each. */
export async function soak(options: SoakOptions): Promise<Soaked> {
  const { built, seed, roundSeconds, rounds, rested } = options;
  const [node = "", ...rest] = built.program;
  const host = await RealHost.start({ ...built, program: [node, "--expose-gc", ...rest] });
  const { folder, places } = host.place;
  const examination = new Examination(host.process.child, folder);
  onTestFinished(() => examination.endStrays());
  const random = new Random(seed);
  const slots = Array.from({ length: TERMINALS }, (_, index): Slot => {
    const sessionId = SESSIONS[index % (SESSIONS.length - 1)] ?? SESSIONS[0];
    return { sessionId, id: undefined, isTaken: false };
  });
  const [first, ...others] = slots;
  if (first === undefined) throw new Error("there have to be terminals");
  const scene: Scene = {
    path: places.channel,
    folder,
    random,
    slots: [first, ...others],
    refusals: new Map(),
  };
  let happenings = 0;
  const rests: Rest[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    happenings += await new Round(scene, places.topics, `${seed}-${round}`).run(roundSeconds);
    const found = await restOf(scene, examination, rests[0]?.vitals);
    rests.push(found);
    rested?.(found, happenings);
  }
  return { happenings, rests, refusals: scene.refusals, log: host.process.stderr };
}

/** A while of everything at once. */
class Round {
  readonly #scene: Scene;
  readonly #topics: string;
  readonly #name: string;
  #happenings = 0;
  #isOver = false;
  readonly #waiting = new Set<() => void>();

  constructor(scene: Scene, topics: string, name: string) {
    this.#scene = scene;
    this.#topics = topics;
    this.#name = name;
  }

  /** Answers how much happened. */
  async run(seconds: number): Promise<number> {
    const parts = [
      ...Array.from({ length: WORKERS }, (_, index) => this.#work(`${this.#name}-${index}`)),
      ...Array.from({ length: VIEWERS }, () => this.#look()),
      ...Array.from({ length: SUBSCRIBERS }, () => this.#follow()),
    ];
    setTimeout(() => {
      this.#isOver = true;
      this.#tell();
    }, seconds * 1_000);
    await Promise.all(parts);
    return this.#happenings;
  }

  async #work(name: string): Promise<void> {
    const worker = new Worker(this.#scene, name);
    while (!this.#isOver) {
      await worker.happen();
      this.#happenings += 1;
      this.#tell();
      const pause = this.#scene.random.below(PACE_MS);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    await worker.leave();
  }

  async #look(): Promise<void> {
    while (!this.#isOver) await look(this.#scene, this.#after(this.#scene.random.below(LOOKS)));
  }

  async #follow(): Promise<void> {
    while (!this.#isOver) {
      await follow(this.#scene, this.#topics, this.#after(this.#scene.random.below(LOOKS)));
    }
  }

  /** Resolves when so much more has happened, or the round is over. */
  #after(count: number): Promise<void> {
    const at = this.#happenings + count;
    return new Promise((resolve) => {
      const see = () => {
        if (this.#happenings < at && !this.#isOver) return;
        this.#waiting.delete(see);
        resolve();
      };
      this.#waiting.add(see);
      see();
    });
  }

  #tell(): void {
    for (const see of [...this.#waiting]) see();
  }
}

/** How long the system may take until all that was ended is gone, in milliseconds. */
const SETTLING_MS = 15_000;

/** Closes everything and waits until no more is there than in `before`, or that takes too long. */
async function restOf(
  { path, slots }: Scene,
  examination: Examination,
  before: Vitals | undefined,
): Promise<Rest> {
  const peer = await Peer.connect(path);
  for (const sessionId of SESSIONS) await peer.call({ op: "closeSession", sessionId });
  await peer.leave();
  for (const slot of slots) slot.id = undefined;
  const deadline = performance.now() + SETTLING_MS;
  let vitals = await examination.vitals();
  while (!hasSettled(vitals, before) && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    vitals = await examination.vitals();
  }
  return { vitals, memory: await examination.memory(), files: examination.files() };
}

function hasSettled(now: Vitals, before: Vitals | undefined): boolean {
  if (now.children > 0 || now.strays > 0) return false;
  if (before === undefined) return true;
  return now.descriptors <= before.descriptors && now.threads <= before.threads;
}
