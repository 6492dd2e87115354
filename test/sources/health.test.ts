import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SourceInfo, validationErrors } from "../../src/index.ts";
import { SourceHealth } from "../../src/sources/health.ts";
import type { Finding as FindingOf, Reading as ReadingOf } from "../../src/sources/source.ts";

interface Item {
  readonly id: string;
  readonly state: string;
  readonly cols?: number;
}
type Finding = FindingOf<Item>;
type Reading = ReadingOf<Item>;

const terminal = (id: string): Item => ({ id, state: "running" });
const rows = (...ids: string[]): Finding => ({ kind: "rows", items: ids.map(terminal) });
const failing: Finding = {
  kind: "failing",
  fault: { code: "no_answer", msg: "it did not answer" },
};
const error = { code: "no_answer", msg: "it did not answer" };

function taking(...readings: Reading[]) {
  const health = new SourceHealth<Item>(({ id }) => id);
  const take = (at: number, finding: Finding, name?: string) =>
    health.take("tmux", { at, finding, ...(name === undefined ? {} : { name }) });
  for (const { at, finding, name } of readings) take(at, finding, name);
  return {
    health,
    take,
    sources: () => health.sources(undefined),
    ids: () => health.items().map(({ id }) => id),
  };
}

describe("a source", () => {
  test("is starting until it was read, and states no reading till then", () => {
    const { take, sources } = taking();
    take(1, { kind: "starting" });
    expect(sources()).toEqual([{ scheme: "tmux", status: "starting", since_at: 1 }]);
    take(2, rows());
    expect(sources()).toEqual([{ scheme: "tmux", status: "ok", since_at: 2, polled_at: 2 }]);
  });

  test("moves the time since when it stands so only with its status", () => {
    const { take, sources } = taking();
    const since: number[] = [];
    const findings: Finding[] = [
      { kind: "starting" },
      rows("a"),
      rows(),
      failing,
      { ...failing, fault: { code: "other", msg: "other" } },
      rows("a"),
      { kind: "absent" },
      { kind: "absent" },
    ];
    for (const [index, finding] of findings.entries()) {
      take(index, finding);
      since.push(sources()[0]?.since_at ?? -1);
    }
    expect(since).toEqual([0, 1, 1, 3, 3, 5, 6, 6]);
  });

  test("keeps its rows while it is failing, and says when the last good reading ran", () => {
    const { take, sources, ids } = taking();
    take(1, rows("a", "b"));
    take(2, failing);
    expect(ids()).toEqual(["a", "b"]);
    expect(sources()).toEqual([
      { scheme: "tmux", status: "failing", since_at: 2, polled_at: 1, error },
    ]);
    take(3, rows("b"));
    expect(ids()).toEqual(["b"]);
    expect(sources()).toEqual([{ scheme: "tmux", status: "ok", since_at: 3, polled_at: 3 }]);
  });

  test("shows other rows while it is failing where it knows them by another way", () => {
    const { take, sources, ids } = taking();
    take(1, rows("a", "b"));
    take(2, { ...failing, items: [terminal("b"), terminal("c")] } as Finding);
    expect(ids()).toEqual(["b", "c"]);
    take(3, failing);
    expect(ids()).toEqual(["b", "c"]);
    expect(sources()[0]?.polled_at).toBe(1);
  });

  test("has no rows once it is known to be absent, which is a good reading", () => {
    const { take, sources, ids } = taking();
    take(1, rows("a"));
    take(2, { kind: "absent" });
    expect(ids()).toEqual([]);
    expect(sources()).toEqual([{ scheme: "tmux", status: "absent", since_at: 2, polled_at: 2 }]);
  });

  test("that is gone is no longer listed, and its terminals went with it until that is told", () => {
    const { health, take, sources, ids } = taking();
    take(1, rows("a"), "/one");
    take(1, rows("b"), "/two");
    take(2, { kind: "gone" }, "/one");
    expect(ids()).toEqual(["b"]);
    expect(sources().map(({ name }) => name)).toEqual(["/two"]);
    expect([health.wentWithItsPlace("a"), health.wentWithItsPlace("b")]).toEqual([true, false]);
    health.settle();
    expect(health.wentWithItsPlace("a")).toBe(false);
    take(3, { kind: "gone" }, "/never");
    expect(ids()).toEqual(["b"]);
  });

  test("says how it falls short while it is well, its own limits first", () => {
    const { health, take } = taking();
    const limit = { code: "polling", msg: "no watch" };
    const own = { code: "partial", msg: "half of it" };
    const errors = () => health.sources(limit).map(({ error }) => error?.code);
    take(1, rows(), "/one");
    take(1, { ...rows(), limited: own } as Finding, "/two");
    take(1, failing, "/three");
    take(1, { kind: "starting" }, "/four");
    take(1, { kind: "absent" }, "/five");
    expect(errors()).toEqual(["polling", "partial", "no_answer", undefined, undefined]);
    take(2, rows(), "/two");
    expect(errors()[1]).toBe("polling");
  });
});

describe("a place without a name", () => {
  test("gives way to those with one", () => {
    const { take, sources } = taking();
    take(1, { kind: "starting" });
    take(2, { kind: "starting" }, "/one");
    take(3, rows("a"), "/two");
    expect(sources().map(({ name }) => name)).toEqual(["/one", "/two"]);
  });

  test("stands for its scheme alone", () => {
    const { health, sources } = taking();
    health.take("screen", { at: 1, finding: { kind: "absent" } });
    health.take("tmux", { at: 2, finding: rows("a"), name: "/one" });
    expect(sources().map(({ scheme, name }) => [scheme, name])).toEqual([
      ["screen", undefined],
      ["tmux", "/one"],
    ]);
  });
});

describe("several places", () => {
  test("state one terminal once, the first of them", () => {
    const { health, take } = taking();
    take(1, { kind: "rows", items: [{ ...terminal("a"), cols: 1 }, terminal("b")] }, "/one");
    take(1, { kind: "rows", items: [{ ...terminal("a"), cols: 2 }] }, "/two");
    expect(health.items()).toEqual([{ ...terminal("a"), cols: 1 }, terminal("b")]);
  });

  test("of several sources state it as the source that is named first does", () => {
    const health = new SourceHealth<Item>(({ id }) => id);
    health.take("b", { at: 1, finding: { kind: "rows", items: [{ ...terminal("x"), cols: 1 }] } });
    health.take("a", { at: 1, finding: { kind: "rows", items: [{ ...terminal("x"), cols: 2 }] } });
    expect(health.items(["a", "b"])).toEqual([{ ...terminal("x"), cols: 2 }]);
    expect(health.items(["b", "a"])).toEqual([{ ...terminal("x"), cols: 1 }]);
    expect(health.placeOf("x")).toMatchObject({ scheme: "b", status: "ok" });
    expect(health.placeOf("y")).toBeUndefined();
  });

  test("were polled when the newest good reading of any ran", () => {
    const { health, take } = taking();
    expect(health.polledAt).toBeUndefined();
    take(5, { kind: "starting" }, "/one");
    expect(health.polledAt).toBeUndefined();
    take(7, rows(), "/two");
    take(6, rows(), "/one");
    take(9, failing, "/two");
    expect(health.polledAt).toBe(7);
  });
});

describe("what sources say of themselves", () => {
  test("is cleaned of what strangers put into paths, names and messages alike", () => {
    const { take, sources } = taking();
    const msg = "error connecting to /tmp/\u202e\u001b[31m\nx (Permission denied)";
    take(1, { kind: "failing", fault: { code: "permission_denied", msg } }, "/tmp/a\nb\u202e");
    expect(sources()).toMatchObject([
      { name: "/tmp/a b", error: { msg: "error connecting to /tmp/ [31m x (Permission denied)" } },
    ]);
  });

  test("is the contract's, whatever is read", () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom("", "\n", "\u202e", "\ud800", "x".repeat(999)),
    );
    const fault = fc.record({ code: fc.constantFrom("no_answer", "polling"), msg: word });
    const finding: fc.Arbitrary<Finding> = fc.oneof(
      fc.constantFrom<Finding>(
        { kind: "starting" },
        { kind: "absent" },
        { kind: "gone" },
        rows("a"),
      ),
      fc.record({ kind: fc.constant("failing" as const), fault }),
      fc.record({ kind: fc.constant("rows" as const), items: fc.constant([]), limited: fault }),
    );
    const reading = fc.record(
      { name: word, at: fc.nat(), finding },
      { requiredKeys: ["at", "finding"] },
    );
    fc.assert(
      fc.property(fc.array(reading), fc.option(fault, { nil: undefined }), (readings, limit) => {
        const { health } = taking(...readings);
        for (const source of health.sources(limit)) {
          expect(validationErrors(SourceInfo, source)).toEqual([]);
          expect(JSON.stringify(source)).not.toContain("\\ud800");
        }
      }),
      { numRuns: 500 },
    );
  });
});
