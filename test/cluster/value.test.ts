import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { cut, isCutIn, Joined } from "../../src/cluster/parts.ts";
import { placeOf } from "../../src/cluster/subjects.ts";
import { decodeValue, encodeValue, ValueFault } from "../../src/cluster/value.ts";
import { isOf } from "../../src/cluster/writer.ts";

const INSTANCE = "0123456789abcdef0123456789abcdef";
const EPOCH = "0123456789abcdef";
const HEAD = {
  ...{ instance: INSTANCE, host: "h", epoch: EPOCH, seq: 3, bookmarks: 1, polled_at: 5 },
  removed: [{ key: "pty:a", at: 4, reason: "closed" as const, seq: 2 }],
};

describe("a value", () => {
  it.each([0, 1, 400, 20_000])("of %i rows is what was encoded", async (count) => {
    const rows = Array.from({ length: count }, (_, index) => ({ id: `pty:${index}` }));
    const bytes = await encodeValue(
      HEAD,
      rows.map((row) => JSON.stringify(row)),
    );
    expect(await decodeValue(bytes)).toEqual({ v: 1, ...HEAD, rows });
  });

  it("is compressed where that is worth it", async () => {
    const row = JSON.stringify({ id: "pty:a", command: ["zsh"], cwd: "/home/somebody" });
    const bytes = await encodeValue(
      HEAD,
      Array.from({ length: 100 }, () => row),
    );
    expect(bytes.length).toBeLessThan(600);
  });

  it.each([
    ["no JSON", Buffer.from("{")],
    ["no UTF-8", Buffer.from([0x7b, 0xff])],
    ["no gzip after its mark", Buffer.from([0x1f, 0x8b, 1, 2, 3])],
    ["another generation", Buffer.from(JSON.stringify({ v: 2, ...HEAD, rows: [] }))],
    ["no rows", Buffer.from(JSON.stringify({ v: 1, ...HEAD }))],
    ["an instance that is none", Buffer.from(JSON.stringify({ v: 1, ...HEAD, instance: "x" }))],
    ["nothing", Buffer.alloc(0)],
    ["more than there is room for", gzipSync(Buffer.alloc(140 * 1_048_576))],
  ])("is refused where it is %s", async (_, bytes) => {
    await expect(decodeValue(bytes)).rejects.toThrow(ValueFault);
  });
});

describe("a value in parts", () => {
  const bytes = randomBytes(2_500);
  const write = { epoch: EPOCH, write: 7 };

  it("is put together from them", () => {
    const { parts, last } = cut(bytes, write, 1_000);
    expect(parts).toHaveLength(3);
    const joined = new Joined();
    for (const [index, part] of parts.entries()) joined.part(index, part);
    expect(joined.whole(last)).toEqual(bytes);
  });

  it("is not there while one is missing or is of another write", () => {
    const { parts, last } = cut(bytes, write, 1_000);
    const other = cut(bytes, { ...write, write: 8 }, 1_000);
    const joined = new Joined();
    for (const [index, part] of parts.slice(0, 2).entries()) joined.part(index, part);
    expect(joined.whole(last)).toBeUndefined();
    joined.part(2, other.parts[2] ?? Buffer.alloc(0));
    expect(joined.whole(last)).toBeUndefined();
  });

  it("is one where it is short enough", () => {
    expect(cut(bytes, write, 2_500)).toEqual({ parts: [], last: bytes });
    expect(new Joined().whole(bytes)).toBe(bytes);
  });

  it("is refused in words where there would be too many", () => {
    expect(() => cut(bytes, write, 10)).toThrow("at most 640 bytes compressed, it has 2500");
  });

  it("says which start wrote it", async () => {
    const { last } = cut(bytes, write, 1_000);
    expect(isCutIn(last, EPOCH)).toBe(true);
    expect(isCutIn(last, "f".repeat(16))).toBe(false);
    expect(await isOf(last, EPOCH)).toBe(true);
    expect(await isOf(await encodeValue(HEAD, []), EPOCH)).toBe(true);
    expect(await isOf(await encodeValue(HEAD, []), "f".repeat(16))).toBe(false);
    expect(await isOf(Buffer.from("x"), EPOCH)).toBe(false);
  });
});

describe("a key", () => {
  it.each([
    [`${INSTANCE}.terminals`, { kind: "topic", instance: INSTANCE, token: "terminals" }],
    [`${INSTANCE}.usage`, { kind: "topic", instance: INSTANCE, token: "usage" }],
    [`${INSTANCE}.agents.12`, { kind: "part", instance: INSTANCE, token: "agents", part: 12 }],
    [`${INSTANCE}.interest`, { kind: "interest", instance: INSTANCE }],
    [`${INSTANCE}.interest.1`, undefined],
    [`${INSTANCE}.others`, undefined],
    [`${INSTANCE}.terminals.1.2`, undefined],
    [`${INSTANCE}.terminals.x`, undefined],
    ["short.terminals", undefined],
    [INSTANCE, undefined],
  ])("%s is told apart", (key, place) => {
    expect(placeOf(key)).toEqual(place);
  });
});
