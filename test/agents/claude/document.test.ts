import { describe, expect, test } from "vitest";
import { parseState } from "../../../src/agents/claude/document.ts";
import { sid } from "./support.ts";

const LEAST = { pid: 7, sessionId: sid(1), cwd: "/work", kind: "interactive", startedAt: 1_000 };
const LEAST_READ = { pid: 7, sid: sid(1), cwd: "/work", kind: "interactive", startedAt: 1_000 };

const parse = (fields: object) => parseState(JSON.stringify({ ...LEAST, ...fields }));

describe("a state document", () => {
  test("needs no more than pid, session, folder, kind and start", () => {
    expect(parse({})).toEqual(LEAST_READ);
  });

  test.each([
    ["pid", [undefined, "7", 0, -1, 1.5, 2 ** 53, null]],
    ["sessionId", [undefined, 1, "", "x", sid(1).replace("4", "A"), `${sid(1)}\n`]],
    ["cwd", [undefined, "", 1, ["/work"], "x".repeat(4_097)]],
    ["kind", [undefined, "", true, {}]],
    ["startedAt", [undefined, "1000", -1, 2 ** 60, null]],
  ])("is of something else where %s is missing or of another kind", (name, values) => {
    for (const value of values) expect(parse({ [name]: value })).toBe("alien");
  });

  test.each(["name", "status", "waitingFor", "state", "backgroundId"])(
    "goes without %s where that is of another kind",
    (name) => {
      for (const value of [1, null, "", [], { a: 1 }]) {
        expect(parse({ [name]: value })).toEqual(LEAST_READ);
      }
      expect(parse({ [name]: "any word" })).toEqual({ ...LEAST_READ, [name]: "any word" });
    },
  );

  test("keeps the beginning of a long text for people, and nothing of a long word", () => {
    const long = "x".repeat(60_000);
    const document = parse({ name: long, waitingFor: long, status: long, state: long });
    const text = "x".repeat(4_096);
    expect(document).toEqual({ ...LEAST_READ, name: text, waitingFor: text });
  });

  test("says since when a status holds where it says one", () => {
    expect(parse({ status: "busy", statusUpdatedAt: 2_000.7 })).toEqual({
      ...LEAST_READ,
      status: "busy",
      statusAt: 2_000,
    });
    expect(parse({ statusUpdatedAt: 2_000 })).toEqual(LEAST_READ);
  });

  test("has the start of its process in digits, more than a number holds", () => {
    const procStart = "90071992547409921";
    expect(parse({ procStart })).toEqual({ ...LEAST_READ, procStart });
    for (const other of [90_071, "", "12a", "1".repeat(21)]) {
      expect(parse({ procStart: other })).toEqual(LEAST_READ);
    }
  });

  test("is torn at every place but its end", () => {
    const whole = JSON.stringify({ ...LEAST, name: "née" });
    for (let end = 0; end < whole.length; end += 1) {
      expect(parseState(whole.slice(0, end))).toBe("torn");
    }
  });

  test.each(["null", "1", '"text"', "[]", "{}", '{"__proto__":{"pid":7}}'])(
    "is something else when it is %s",
    (text) => {
      expect(parseState(text)).toBe("alien");
    },
  );
});
