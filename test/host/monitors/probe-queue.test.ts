import { expect, test } from "vitest";
import { ProbeQueue } from "../../../src/host/monitors/probe-queue.ts";
import { settled } from "../../lib/fake-clock.ts";

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

test("no more than 16 probes are under way at once", async () => {
  const queue = new ProbeQueue();
  const jobs = new Jobs();
  for (let index = 0; index < 20; index += 1) queue.add({}, jobs.job(`${index}`));
  expect(jobs.begun.length).toBe(16);
  await jobs.end("3");
  expect(jobs.begun.length).toBe(17);
});

test("probes of one session that wait do not hold up those of another", async () => {
  const queue = new ProbeQueue(1);
  const jobs = new Jobs();
  const [first, second] = [{}, {}];
  for (const name of ["a1", "a2", "a3"]) queue.add(first, jobs.job(name));
  for (const name of ["b1", "b2"]) queue.add(second, jobs.job(name));
  for (const name of ["a1", "a2", "b1", "a3"]) await jobs.end(name);
  expect(jobs.begun).toEqual(["a1", "a2", "b1", "a3", "b2"]);
});

test("a probe that is taken back while it waits does not begin", async () => {
  const queue = new ProbeQueue(1);
  const jobs = new Jobs();
  const owner = {};
  queue.add(owner, jobs.job("a1"));
  const drop = queue.add(owner, jobs.job("a2"));
  drop();
  drop();
  queue.add(owner, jobs.job("a3"));
  await jobs.end("a1");
  expect(jobs.begun).toEqual(["a1", "a3"]);
});
