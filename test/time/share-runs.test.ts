import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shareRuns } from "../../src/time/share-runs.ts";

/** Runs that end when told, each answering with its number. */
function controlled() {
  const begun: Array<Deferred<number>> = [];
  const call = shareRuns(() => {
    const end = deferred<number>();
    begun.push(end);
    return end.promise;
  });
  return { begun, call };
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: Error): void;
}

function deferred<T>(): Deferred<T> {
  let resolve!: Deferred<T>["resolve"];
  let reject!: Deferred<T>["reject"];
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("a shared run", () => {
  it("answers all calls of one turn", async () => {
    const { begun, call } = controlled();
    const answers = [call(), call(), call()];
    await turn();
    expect(begun.length).toBe(1);
    begun[0]?.resolve(0);
    expect(await Promise.all(answers)).toEqual([0, 0, 0]);
  });

  it("that has begun is joined by nobody: later calls wait for the one behind it", async () => {
    const { begun, call } = controlled();
    const first = call();
    await turn();
    const later = [call(), call()];
    await turn();
    later.push(call());
    expect(begun.length).toBe(1);
    begun[0]?.resolve(0);
    expect(await first).toBe(0);
    await turn();
    expect(begun.length).toBe(2);
    begun[1]?.resolve(1);
    expect(await Promise.all(later)).toEqual([1, 1, 1]);
  });

  it("that fails fails for its callers alone", async () => {
    const { begun, call } = controlled();
    const first = call();
    await turn();
    const second = call();
    begun[0]?.reject(new Error("no descriptor"));
    await expect(first).rejects.toThrow("no descriptor");
    await turn();
    begun[1]?.resolve(1);
    expect(await second).toBe(1);
  });

  it("began after each of its callers called, and no two overlap, however calls and ends fall", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom("call", "end", "turn")), async (steps) => {
        let time = 0;
        let underWay: Deferred<void> | undefined;
        const call = shareRuns(async () => {
          expect(underWay).toBeUndefined();
          const began = time++;
          underWay = deferred();
          await underWay.promise;
          underWay = undefined;
          return began;
        });
        const calls: Array<Promise<void>> = [];
        for (const step of [...steps, "turn", "end", "turn", "end"]) {
          if (step === "end") underWay?.resolve();
          if (step !== "call") await turn();
          else {
            const called = time++;
            calls.push(call().then((began) => expect(began).toBeGreaterThan(called)));
          }
        }
        await Promise.all(calls);
      }),
      { numRuns: 50 },
    );
  });
});
