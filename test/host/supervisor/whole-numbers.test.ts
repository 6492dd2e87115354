import fc from "fast-check";
import { expect, test } from "vitest";
import { parseExact } from "../../../src/host/supervisor/exact-json.ts";
import { FrameReader, LOCAL_HELLO, negotiate } from "../../../src/host/supervisor/index.ts";
import { type Client, requestId, serveSupervisor } from "./served-supervisor.ts";

const MAX = 2n ** 64n - 1n;
const parse = (text: string) => parseExact(Buffer.from(text));

/** JSON as it is on the wire; `JSON.stringify` writes no bigint. */
const frame = (json: string) => {
  const payload = Buffer.from(json);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(payload.length);
  return Buffer.concat([length, payload]);
};

async function askText(client: Client, json: string) {
  client.socket.write(frame(json));
  return client.next();
}

test("every whole number of 64 bits is read as itself: as a number below 2^53, as a bigint from there on", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: MAX }), (wanted) => {
      const [read] = parse(`[${wanted}]`) as [number | bigint];
      expect(BigInt(read)).toBe(wanted);
      expect(typeof read).toBe(wanted < 2n ** 53n ? "number" : "bigint");
    }),
  );
  expect(parse(` ${MAX} `)).toBe(MAX);
  expect(parse(`{"a":${2n ** 53n},"b":${2n ** 53n - 1n}}`)).toEqual({
    a: 2n ** 53n,
    b: 2 ** 53 - 1,
  });
});

test("all other JSON is read as JSON.parse reads it, with the same refusals", () => {
  const json = fc.jsonValue().map((value) => JSON.stringify(value));
  const number = fc.stringMatching(/^-?[0-9]{1,22}(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?$/);
  const near = fc
    .array(
      fc.constantFrom(
        "12345678901234567",
        '"',
        "\\",
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        " ",
        "-",
        ".",
        "e",
        "é",
      ),
    )
    .map((parts) => parts.join(""));
  const withoutBigints = (text: string) => {
    try {
      return JSON.stringify(parse(text), (_, value) =>
        typeof value === "bigint" ? Number(value) : value,
      );
    } catch (error) {
      return (error as Error).name;
    }
  };
  const plain = (text: string) => {
    try {
      return JSON.stringify(JSON.parse(text));
    } catch (error) {
      return (error as Error).name;
    }
  };
  fc.assert(
    fc.property(fc.oneof(json, number, near), (text) => {
      expect(withoutBigints(text)).toBe(plain(text));
    }),
    { numRuns: 1_000 },
  );
});

test("a text of digits stays a text, and what is longer than 64 bits can be a number", () => {
  const digits = "12345678901234567890";
  expect(parse(JSON.stringify([digits, `\\"${digits}`]))).toEqual([digits, `\\"${digits}`]);
  expect(parse(`${digits}1`)).toBe(Number(`${digits}1`));
  expect(parse(`-${digits}`)).toBe(-Number(digits));
});

test("a frame holds 64 numbers of 16 digits or more at most, and one more is told in words", () => {
  const numbers = (count: number) => `{"a":[${Array(count).fill(MAX)}],"b":{"__proto__":${MAX}}}`;
  const read = parse(numbers(63)) as { a: bigint[]; b: object };
  expect(read.a).toEqual(Array(63).fill(MAX));
  expect(Object.entries(read.b)).toEqual([["__proto__", MAX]]);
  expect(() => parse(numbers(64))).toThrow(
    expect.objectContaining({ kind: "decode", message: expect.stringContaining("at most 64") }),
  );
});

test("a frame reader gives whole numbers as they were written, however the frame is cut", () => {
  const bytes = frame(`{"capabilities":${MAX}}`);
  const reader = new FrameReader();
  const read = [...bytes].flatMap((_, at) => [...reader.push(bytes.subarray(at, at + 1))]);
  expect(read).toEqual([{ capabilities: MAX }]);
});

test("capabilities of 64 bits are read without damage: the lowest bit is seen beside the highest", async () => {
  const versions = { minimum: 6, current: 6 };
  expect(negotiate(LOCAL_HELLO, { ...versions, capabilities: 2n ** 63n + 1n })).toBe(6);
  expect(() => negotiate(LOCAL_HELLO, { ...versions, capabilities: 2n ** 63n })).toThrow(/bit 0/);
  const client = (await serveSupervisor()).connect();
  const hello = (capabilities: bigint) =>
    askText(
      client,
      `{"kind":"hello","hello":{"minimum":6,"current":6,"capabilities":${capabilities}}}`,
    );
  expect(await hello(MAX)).toMatchObject({ kind: "hello", negotiated: 6 });
  expect(await hello(2n ** 63n + 1n)).toMatchObject({ kind: "hello", negotiated: 6 });
  expect(await hello(2n ** 63n)).toMatchObject({ code: "incompatible_protocol" });
  expect(await hello(MAX - 1n)).toMatchObject({ code: "incompatible_protocol" });
  expect(await hello(MAX + 1n)).toMatchObject({ code: "invalid_request" });
  expect(await hello(-1n)).toMatchObject({ code: "invalid_request" });
});

test("an operation takes the largest number of 64 bits as one that is larger than all", async () => {
  const served = await serveSupervisor();
  const client = served.connect();
  const { session_id } = (await client.operate(served.start("echo hi; sleep 600"))).success.start
    .session;
  const operate = async (fields: string) => {
    const operation = `{"session_id":"${session_id}",${fields}}`;
    const request = `{"kind":"terminal","request_id":"${requestId()}","operation":${operation}}`;
    return (await askText(client, request)).output.structured;
  };
  const wait = `"action":"wait","wait_ceiling_ms":${MAX}`;
  const matched = await operate(`${wait},"return_when":{"kind":"match","pattern":"hi"}`);
  expect(matched.success.wait.outcome).toEqual({ condition_met: {} });
  const read = await operate(`"action":"read","cursor_segment":1,"cursor_offset":${MAX}`);
  expect(read.failure).toMatchObject({
    code: "cursor_gap",
    message: expect.stringContaining(`got ${MAX} in 1`),
  });
  const segment = await operate(`"action":"read","cursor_segment":${MAX},"cursor_offset":0`);
  expect(segment.failure.code).toBe("cursor_gap");
  const inspect = await operate(`"action":"inspect","max_events":1,"after_event_id":${MAX}`);
  expect(inspect.success.inspect.events).toEqual([]);
});
