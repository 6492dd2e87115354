import { beforeEach, expect, test } from "vitest";
import { type Pace, ProbeQueue } from "../../../src/host/monitors/probe-queue.ts";
import { FakeClock, settled } from "../../lib/fake-clock.ts";

/** Jobs that end when the test says so. */
class Jobs {
  readonly begun: string[] = [];
  readonly #ends = new Map<string, () => void>();

  job(name: string): () => Promise<void> {
    return () => {
      this.begun.push(name);
      return new Promise((resolve) => this.#ends.set(name, resolve));
    };
  }

  async end(name: string): Promise<void> {
    this.#ends.get(name)?.();
    await settled();
  }
}

const quick = (): Pace => ({ isSlow: false });
const slow = (): Pace => ({ isSlow: true });

let clock: FakeClock;
let queue: ProbeQueue;
let jobs: Jobs;
beforeEach(() => {
  clock = new FakeClock();
  queue = new ProbeQueue(clock);
  jobs = new Jobs();
});

test("eight probes are under way at once, and sixteen of those that were slow", async () => {
  for (let index = 0; index < 10; index += 1) queue.add({}, jobs.job(`${index}`), quick());
  expect(jobs.begun.length).toBe(8);
  await jobs.end("3");
  expect(jobs.begun.length).toBe(9);
  jobs.begun.length = 0;
  for (let index = 0; index < 20; index += 1) queue.add({}, jobs.job(`slow ${index}`), slow());
  expect(jobs.begun.length).toBe(16);
});

test("probes that hang leave their places to others, up to 64 in all", async () => {
  for (let index = 0; index < 80; index += 1) queue.add({}, jobs.job(`${index}`), quick());
  await clock.advance(100);
  expect(jobs.begun.length).toBe(16);
  await clock.advance(1_000);
  expect(jobs.begun.length).toBe(64);
  await jobs.end("0");
  expect(jobs.begun.length).toBe(65);
});

test("a probe that took long is a slow one, until it is quick again", async () => {
  const pace = quick();
  queue.add({}, jobs.job("long"), pace);
  await clock.advance(2_000);
  await jobs.end("long");
  expect(pace.isSlow).toBe(true);
  queue.add({}, jobs.job("short"), pace);
  await jobs.end("short");
  expect(pace.isSlow).toBe(false);
});

test("a quick probe waits for no slow one, however many hang", async () => {
  for (let index = 0; index < 40; index += 1) queue.add({}, jobs.job(`slow ${index}`), slow());
  await clock.advance(1_000);
  jobs.begun.length = 0;
  queue.add({}, jobs.job("quick"), quick());
  expect(jobs.begun).toEqual(["quick"]);
});

test("probes of one session that wait do not hold up those of another", async () => {
  for (let index = 0; index < 7; index += 1) queue.add({}, jobs.job(`other ${index}`), quick());
  jobs.begun.length = 0;
  const [first, second] = [{}, {}];
  for (const name of ["a1", "a2", "a3"]) queue.add(first, jobs.job(name), quick());
  for (const name of ["b1", "b2"]) queue.add(second, jobs.job(name), quick());
  for (const name of ["a1", "a2", "b1", "a3"]) await jobs.end(name);
  expect(jobs.begun).toEqual(["a1", "a2", "b1", "a3", "b2"]);
});

test("a probe that is taken back while it waits does not begin", async () => {
  for (let index = 0; index < 7; index += 1) queue.add({}, jobs.job(`other ${index}`), quick());
  jobs.begun.length = 0;
  const owner = {};
  queue.add(owner, jobs.job("a1"), quick());
  const drop = queue.add(owner, jobs.job("a2"), quick());
  drop();
  drop();
  queue.add(owner, jobs.job("a3"), quick());
  await jobs.end("a1");
  expect(jobs.begun).toEqual(["a1", "a3"]);
});
