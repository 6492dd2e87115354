import type { Look } from "./looks.ts";
import { PROMPT_PROGRAM, promptOf } from "./prompts.ts";
import { after } from "./rounds.ts";
import type { System } from "./systems.ts";
import { Watcher } from "./watcher.ts";

export const FAST = 6;

/** 5 Mbit/s, in bytes. */
const LINK = 625_000;

const SPAN_MS = 1_000;
const SETTLING_MS = 250;

/** About as many as fit in a span. */
const KEYS = 80;

/** People who look at terminals, in processes of their own. They look at one system after the other. */
export interface Crowd {
  readonly fast: readonly Watcher[];
  readonly slow: Watcher;
  readonly stopped: Watcher;
  /** Types in another terminal. */
  readonly typist: Watcher;
}

export async function gatherCrowd(): Promise<Crowd> {
  const watchers = Array.from({ length: FAST + 3 }, () => Watcher.start());
  const [slow, stopped, typist, ...fast] = await Promise.all(watchers);
  if (slow === undefined || stopped === undefined || typist === undefined) throw new RangeError();
  return { slow, stopped, typist, fast };
}

export async function endCrowd({ fast, slow, stopped, typist }: Crowd): Promise<void> {
  for (const watcher of [...fast, slow, stopped, typist]) await watcher.end();
}

/** What the fast ones got of a flood, in MB a second, all of them together. */
export interface Alone {
  readonly rate: number;
}

/** The same with a slow one and a stopped one beside them. */
export interface Together extends Alone {
  /** How long keys in another terminal took to show meanwhile, in milliseconds. */
  readonly echo: readonly number[];
  /** From an interrupt that the slow one typed to its prompt, in milliseconds. Absent where nobody would wait for it. */
  readonly interrupt: number | undefined;
}

/** A terminal that floods, with a crowd that looks at it. */
export class Flooded {
  readonly #crowd: Crowd;
  readonly #look: Look;
  #prompts = 0;

  private constructor(crowd: Crowd, look: Look) {
    this.#crowd = crowd;
    this.#look = look;
  }

  static async open(system: System, crowd: Crowd): Promise<Flooded> {
    const flooded = new Flooded(crowd, await system.open(PROMPT_PROGRAM));
    for (const watcher of crowd.fast) await watcher.look(flooded.#look);
    await crowd.typist.look(await system.open(["cat"]));
    await after(SETTLING_MS);
    return flooded;
  }

  async alone(): Promise<Alone> {
    await this.#begin();
    const rate = await this.#rateDuring(() => after(SPAN_MS));
    await this.#interrupt(this.#fast);
    return { rate };
  }

  /** `slowLink`: the slow one acknowledges in small steps. `interrupts`: it is the one that ends the flood. */
  async together({ slowLink = true, interrupts = true } = {}): Promise<Together> {
    const { slow, stopped, typist } = this.#crowd;
    const look = this.#look;
    await slow.look({
      ...look,
      bytesPerSecond: LINK,
      ...(look.kind === "host" ? { slowLink } : {}),
    });
    await stopped.look(look);
    await after(SETTLING_MS);
    stopped.stop();
    await this.#begin();
    let echo: readonly number[] = [];
    const rate = await this.#rateDuring(async () => {
      echo = await typist.echo(KEYS);
    });
    const interrupt = interrupts ? await this.#interrupt(slow) : undefined;
    stopped.goOn();
    await stopped.leave();
    if (!interrupts) await this.#interrupt(this.#fast);
    await slow.leave();
    return { rate, echo, interrupt };
  }

  async leave(): Promise<void> {
    for (const watcher of [...this.#crowd.fast, this.#crowd.typist]) await watcher.leave();
  }

  get #fast(): Watcher {
    const [first] = this.#crowd.fast;
    if (first === undefined) throw new RangeError("there must be a fast one");
    return first;
  }

  async #begin(): Promise<void> {
    await this.#fast.type("\r");
    await after(SETTLING_MS);
  }

  async #interrupt(by: Watcher): Promise<number> {
    this.#prompts += 1;
    const ms = await by.type("\x03", promptOf(this.#prompts));
    await after(SETTLING_MS);
    return ms;
  }

  async #rateDuring(task: () => Promise<void>): Promise<number> {
    const { fast } = this.#crowd;
    await Promise.all(fast.map((watcher) => watcher.shown()));
    const began = performance.now();
    await task();
    const shown = await Promise.all(fast.map((watcher) => watcher.shown()));
    const bytes = shown.reduce((sum, one) => sum + one.bytes, 0);
    return bytes / 1_000 / (performance.now() - began);
  }
}
