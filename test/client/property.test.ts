import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { frame, HERE, THERE, terminal } from "./support/frames.ts";
import { Subscriber } from "./support/subscriber.ts";

type Row = ReturnType<typeof terminal>;

/** One instance as it really is, and as far as the client was told of it. */
class Model {
  readonly instance: string;
  readonly hasChain: boolean;
  rows = new Map<number, Row>();
  epoch = 1;
  seq = 0;
  /** What the client must hold: the rows after the last frame that it got and could use. */
  told: Row[] | undefined;
  /** Whether a frame was lost since: what is told from then on is of no use before a snapshot. */
  isBroken = false;

  constructor(instance: string, hasChain: boolean) {
    this.instance = instance;
    this.hasChain = hasChain;
  }

  get chain() {
    return { epoch: this.epoch.toString(16).padStart(16, "0"), seq: this.seq };
  }

  frame(head: object, elements: object[], chain: object): object {
    return frame({ ...head, instance: this.instance, ...(this.hasChain ? chain : {}) }, elements);
  }

  snapshot(parts: number): object[] {
    const rows = [...this.rows.values()];
    if (!this.hasChain) return [this.frame({ snapshot: true }, rows, {})];
    const size = Math.max(1, Math.ceil(rows.length / parts));
    const groups = Array.from({ length: parts }, (_, part) =>
      rows.slice(part * size, (part + 1) * size),
    );
    return groups.map((group, part) => {
      const head = {
        ...(part === 0 ? { snapshot: true } : { prev_seq: this.seq }),
        ...(part < parts - 1 ? { more: true } : {}),
      };
      return this.frame(head, group, this.chain);
    });
  }

  /** Changes the rows and gives the frames that say so. */
  change(set: number[], removed: number[], version: number, parts: number): object[] {
    const from = this.seq;
    this.seq += 1;
    const elements: object[] = [];
    for (const number of set) {
      const row = terminal(number, { instance: this.instance, state: `v${version}` });
      this.rows.set(number, row);
      elements.push(row);
    }
    for (const number of removed.filter((other) => !set.includes(other))) {
      this.rows.delete(number);
      elements.push({ instance: this.instance, id: `tmux:a/${number}`, removed: true });
    }
    const count = this.hasChain ? parts : 1;
    const size = Math.max(1, Math.ceil(elements.length / count));
    return Array.from({ length: count }, (_, part) => {
      const isLast = part === count - 1;
      return this.frame(
        isLast ? {} : { more: true },
        elements.slice(part * size, (part + 1) * size),
        {
          epoch: this.chain.epoch,
          prev_seq: from,
          seq: isLast ? this.seq : from,
        },
      );
    });
  }

  bookmark(): object {
    return this.frame({}, [], { ...this.chain, prev_seq: this.seq });
  }

  tell(): void {
    this.told = [...this.rows.values()];
    this.isBroken = false;
  }
}

type Step =
  | { kind: "change"; who: number; set: number[]; removed: number[]; parts: number; lose: number }
  | { kind: "bookmark"; who: number }
  | { kind: "answer"; parts: number }
  | { kind: "cut" | "restart" | "again" }
  | { kind: "wait"; ms: number };

const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 5 });
const who = fc.integer({ min: 0, max: 1 });
const parts = fc.integer({ min: 1, max: 3 });

const steps = (canLose: boolean): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      {
        weight: 8,
        arbitrary: fc.record({
          kind: fc.constant("change" as const),
          who,
          set: numbers,
          removed: numbers,
          parts,
          /** From which part on they are lost: 0 is none. */
          lose: canLose ? fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3 })) : fc.constant(0),
        }),
      },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant("bookmark" as const), who }) },
      { weight: 5, arbitrary: fc.record({ kind: fc.constant("answer" as const), parts }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("cut", "restart", "again") }) },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.nat(12_000) }),
      },
    ),
    { maxLength: 60 },
  ) as fc.Arbitrary<Step[]>;

/** A publisher of two instances and a client, moved step by step. */
class World {
  readonly subscriber = new Subscriber();
  readonly models: Model[];
  #answered = new Set<object>();
  #version = 0;

  constructor(hasChain: boolean) {
    this.models = [HERE, THERE].map((instance) => new Model(instance, hasChain));
    this.#follow();
  }

  get isConnected(): boolean {
    return ["live", "stale"].includes(this.subscriber.state);
  }

  step(step: Step): void {
    const { subscriber } = this;
    if (step.kind === "change") this.#change(step);
    else if (step.kind === "bookmark") this.bookmark(step.who);
    else if (step.kind === "answer") this.answer(step.parts);
    else if (step.kind === "wait") this.wait(step.ms);
    else if (step.kind === "cut") this.#cut();
    else if (step.kind === "restart") {
      for (const model of this.models) {
        model.epoch += 1;
        model.seq = 0;
      }
      this.#cut();
    } else subscriber.subscription.wake();
    this.#follow();
    this.check();
  }

  /** Answers what is open: the oldest subscribe request, with a snapshot of each instance. */
  answer(count: number): void {
    const { peer } = this.subscriber;
    for (const request of this.isConnected ? peer.requests : []) {
      if (this.#answered.has(request)) continue;
      this.#answered.add(request);
      peer.say({ ok: true, request_id: request.request_id, topic: request.topic });
      if (request.op !== "topic.subscribe") continue;
      for (const model of this.models) {
        for (const part of model.snapshot(count)) peer.say(part);
        model.tell();
      }
    }
  }

  bookmark(index: number): void {
    const model = this.models[index];
    // Before its first snapshot nothing comes of an instance.
    if (model?.told === undefined || !this.isConnected) return;
    this.subscriber.peer.say(model.bookmark());
  }

  wait(ms: number): void {
    const { peer, clock } = this.subscriber;
    clock.advance(ms);
    for (const ping of peer.asked("instance.ping")) {
      if (!this.#answered.has(ping)) peer.say({ ok: true, request_id: ping.request_id });
      this.#answered.add(ping);
    }
  }

  /** What the client says must be true at every moment. */
  check(): void {
    const { subscription } = this.subscriber;
    const view = subscription.view("terminals");
    for (const model of this.models) {
      const held = view.instances.get(model.instance);
      if (held === undefined || held.stale) continue;
      expect([...held.rows.values()].sort(byId)).toEqual([...(model.told ?? [])].sort(byId));
    }
    if (view.status !== "current") return;
    const all = subscription.rows("terminals");
    expect(all).toHaveLength(
      [...view.instances.values()].reduce((n, { rows }) => n + rows.size, 0),
    );
  }

  /** Lets everything that is under way arrive; then the client must hold what is. */
  settle(): void {
    for (let round = 0; round < 6; round += 1) {
      this.wait(10_001);
      this.#follow();
      this.answer(1);
      this.models.forEach((_, index) => {
        this.bookmark(index);
      });
    }
    const { subscription } = this.subscriber;
    expect(subscription.status.state).toBe("live");
    expect(subscription.view("terminals").status).toBe("current");
    for (const model of this.models) {
      const held = subscription.view("terminals").instances.get(model.instance);
      expect(held?.stale).toBe(false);
      expect([...(held?.rows.values() ?? [])].sort(byId)).toEqual(
        [...model.rows.values()].sort(byId),
      );
    }
  }

  #change({ who: index, set, removed, parts: count, lose }: Step & { kind: "change" }): void {
    const model = this.models[index];
    if (model === undefined) return;
    this.#version += 1;
    const frames = model.change(set, removed, this.#version, count);
    if (!this.isConnected || model.told === undefined) return;
    const isLost = lose > 0 && lose <= frames.length;
    // A part goes together with those after it: only the last one moves the position, so that the loss
    // of another one alone would show nowhere.
    const arriving = isLost ? frames.slice(0, lose - 1) : frames;
    for (const part of arriving) this.subscriber.peer.say(part);
    if (isLost) model.isBroken = true;
    else if (!model.isBroken) model.tell();
  }

  #cut(): void {
    if (this.isConnected) this.subscriber.peer.end();
  }

  /** What a connection was told ends with it, and whoever dials is let in. */
  #follow(): void {
    if (this.isConnected) return;
    for (const model of this.models) {
      model.told = undefined;
      model.isBroken = false;
    }
    if (this.subscriber.state === "connecting") this.subscriber.peer.welcome();
  }
}

const byId = (one: Row, other: Row) => one.id.localeCompare(other.id);

describe("whatever happens between a publisher and a client", () => {
  for (const [name, hasChain] of [
    ["with a chain, where frames are lost", true],
    ["without a chain", false],
  ] as const) {
    it(`the rows that are not called stale are the publisher's, ${name}`, () => {
      fc.assert(
        fc.property(steps(hasChain), (taken) => {
          const world = new World(hasChain);
          for (const step of taken) world.step(step);
          world.settle();
          world.subscriber.subscription.close();
          expect(world.subscriber.clock.pending).toBe(0);
        }),
        { numRuns: 250 },
      );
    });
  }
});
