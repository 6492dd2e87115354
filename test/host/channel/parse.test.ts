import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UnreadFrame } from "../../../src/host/channel/frames.ts";
import { parseEvent, parseRequest } from "../../../src/host/channel/parse.ts";

const fixtures = new URL("../../../fixtures/channel/", import.meta.url);

const valid = (type: string): unknown[] =>
  readdirSync(new URL(`valid/${type}`, fixtures)).map((name) =>
    JSON.parse(readFileSync(new URL(`valid/${type}/${name}`, fixtures), "utf8")),
  );

const requests = valid("TerminalRequest");
const calls = valid("HostCall").map((call, id) => ({ type: "call", id, call }));

describe("a request", () => {
  test("of every type, and a call of every op, is taken as it is", () => {
    for (const value of [...requests, ...calls]) {
      expect(parseRequest(value)).toEqual({ request: value });
    }
  });

  const open = { type: "open", sessionId: "s", cwd: "/", env: null, cols: 80, rows: 24 };

  test.each<[unknown, string]>([
    [{ type: "resize", cols: 0, rows: 24 }, "cols must be an integer from 1 to 65535, got 0"],
    [{ type: "resize", cols: 80, rows: 1.5 }, "rows must be an integer from 1 to 65535, got 1.5"],
    [{ type: "resize", cols: "80", rows: 1 }, 'cols must be an integer from 1 to 65535, got "80"'],
    [{ type: "resize", cols: 80 }, "rows must be an integer from 1 to 65535, got nothing"],
    [
      { type: "resize", cols: 65_535, rows: 65_535 },
      "cols times rows must be at most 262144, got 65535 times 65535",
    ],
    [{ type: "ack", bytes: 0 }, "bytes must be an integer of at least 1, got 0"],
    [{ type: "close", force: "yes" }, 'force must be true or false, got "yes"'],
    [{ type: "cancel", id: null }, "id must be an integer, got null"],
    [{ ...open, env: 7 }, "env must be a string or null, got 7"],
    [{ ...open, env: undefined }, "env must be a string or null, got nothing"],
    [{ ...open, exec: [] }, "exec must be a list of 1 to 4096 strings, got a list of 0"],
    [{ ...open, exec: "sh" }, 'exec must be a list of 1 to 4096 strings, got "sh"'],
    [{ ...open, exec: ["sh", {}] }, "exec[1] must be a string, got an object"],
    [{ ...open, exec: [""] }, "exec[0] must name a program, got an empty string"],
    [{ ...open, exec: ["sh", "a\0b"] }, "exec[1] must have no NUL in it, got one at 1"],
    [{ ...open, cwd: "" }, "cwd must not be empty"],
    [{ ...open, cwd: "/a\0" }, "cwd must have no NUL in it, got one at 2"],
    [{ ...open, cwd: "é".repeat(2_048) }, "cwd must be at most 4095 bytes long, got 4096"],
    [{ ...open, sessionId: "s".repeat(257) }, "sessionId must be at most 256 bytes long, got 257"],
    [
      { type: "theme", foreground: -1, background: 0, scheme: "dark" },
      "foreground must be an integer from 0 to 16777215, got -1",
    ],
    [
      { type: "theme", foreground: 0, background: 0, scheme: "sepia" },
      'scheme must be "light" or "dark", got "sepia"',
    ],
    [
      { type: "detach" },
      'type must be one of list, theme, open, attach, resize, ack, close, shutdown, call, cancel, got "detach"',
    ],
    [{ type: "__proto__" }, expect.stringMatching(/^type must be one of .*, got "__proto__"$/)],
    [{ type: "x".repeat(1_000) }, expect.stringMatching(/, got "x{64}…"$/)],
    [{}, expect.stringMatching(/, got nothing$/)],
    [[], "a request must be an object, got a list of 0"],
    [null, "a request must be an object, got null"],
    [7, "a request must be an object, got 7"],
    [
      new UnreadFrame(3_000_000),
      "a request must be at most 2097152 bytes of JSON with at most 20000 values in it, got one of 3000000 bytes",
    ],
  ])("%j is refused in words", (value, fault) => {
    expect(parseRequest(value)).toEqual({ fault });
  });

  const read = { op: "read", sessionId: "s", target: "1" };

  test.each<[unknown, string]>([
    [{ op: "list" }, "sessionId must be a string, got nothing"],
    [
      { ...read, wait: { until: "exit", timeoutMs: -1 } },
      "wait.timeoutMs must be a number from 0 to 2147483647, got -1",
    ],
    [
      { ...read, wait: { until: "match", pattern: "x".repeat(4_097), timeoutMs: 1 } },
      "pattern must be at most 4096 bytes long, got 4097",
    ],
    [{ ...read, from: -1 }, "from must be an integer of at least 0, got -1"],
    [{ ...read, target: "" }, "target must not be empty"],
    [
      { op: "send", sessionId: "s", key: "", target: "1", keys: [], literal: true },
      "key must not be empty",
    ],
    [
      { op: "send", sessionId: "s", key: "k", target: "1", keys: ["a", 1], literal: true },
      "keys[1] must be a string, got 1",
    ],
    [
      { op: "send", sessionId: "s", key: "k", target: "1", keys: [], literal: true, submit: false },
      "submit must be true, got false",
    ],
    [
      { op: "signal", sessionId: "s", target: "1", signal: "SIGWINCH" },
      expect.stringMatching(/^signal must be "SIGHUP" or .*, got "SIGWINCH"$/),
    ],
    [{ op: "paste" }, expect.stringMatching(/^op must be one of list, open, .*, got "paste"$/)],
    ["list", 'call must be an object, got "list"'],
    [undefined, "call must be an object, got nothing"],
  ])("the call %j is refused in words, which go to who made it", (call, fault) => {
    expect(parseRequest({ type: "call", id: 7, call })).toEqual({ fault, callId: 7 });
  });

  test("that is a call without an id is refused without one", () => {
    const call = { op: "list", sessionId: "s" };
    expect(parseRequest({ type: "call", id: 1.5, call })).toEqual({
      fault: "id must be an integer, got 1.5",
    });
  });

  test("of anything at all is taken or refused in a few words, and never throws", () => {
    const wild = fc.oneof(fc.jsonValue(), fc.constantFrom(...requests, ...calls));
    fc.assert(
      fc.property(wild, fc.string(), fc.jsonValue(), (value, field, other) => {
        const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
        const fields = isObject ? Object.keys(value) : [];
        const name = fields[field.length % Math.max(1, fields.length)] ?? field;
        const parsed = parseRequest(isObject ? { ...value, [name]: other } : value);
        if ("fault" in parsed) expect(parsed.fault.length).toBeLessThan(500);
      }),
      { numRuns: 2_000 },
    );
    const deep = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
    expect(parseRequest({ type: "call", id: deep, call: deep })).toHaveProperty("fault");
  });
});

describe("an event", () => {
  test("of every type is taken as it is", () => {
    for (const event of valid("TerminalEvent")) expect(parseEvent(event)).toEqual({ event });
  });

  test("of a type that this build does not know is none, and not wrong", () => {
    expect(parseEvent({ type: "bell", terminalId: "x" })).toBeUndefined();
    expect(parseEvent({ type: "constructor" })).toBeUndefined();
  });

  test.each<[unknown, string]>([
    [[], "an event must be an object, got a list of 0"],
    [{}, "type must be a string, got nothing"],
    [{ type: "error" }, "the event error does not fit its schema"],
  ])("%j is refused", (value, fault) => {
    expect(parseEvent(value)).toEqual({ fault });
  });
});
