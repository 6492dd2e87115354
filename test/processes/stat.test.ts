import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deviceNumber, ttyPath } from "../../src/processes/device.ts";
import { parseStat } from "../../src/processes/stat.ts";
import type { ProcessInfo } from "../../src/processes/types.ts";

interface Fields {
  pid: number;
  name: Uint8Array;
  state: string;
  parent: number;
  group: number;
  session: number;
  tty: number;
  foregroundGroup: number;
  threads: number;
  startTick: string;
}

/** The text that the kernel writes, fields 9 to 52 other than those given being any numbers. */
function statText(fields: Fields): Buffer {
  const before = [4194304, 1, 2, 3, 4, 5, 6, 7, 8, 20, 0];
  const after = new Array(30).fill("18446744073709551615");
  const numbers = [
    fields.parent,
    fields.group,
    fields.session,
    fields.tty,
    fields.foregroundGroup,
    ...before,
    fields.threads,
    0,
    fields.startTick,
    ...after,
  ];
  return Buffer.concat([
    Buffer.from(`${fields.pid} (`),
    fields.name,
    Buffer.from(`) ${fields.state} ${numbers.join(" ")}\n`),
  ]);
}

const read = (bytes: Buffer) => parseStat(bytes, bytes.length);

const pid = fc.integer({ min: 1, max: 2 ** 22 });
const fields: fc.Arbitrary<Fields> = fc.record({
  pid,
  name: fc.uint8Array({ min: 1, maxLength: 15 }),
  state: fc.constantFrom("R", "S", "D", "T", "t", "I"),
  parent: fc.nat({ max: 2 ** 22 }),
  group: fc.nat({ max: 2 ** 22 }),
  session: fc.nat({ max: 2 ** 22 }),
  tty: fc.integer(),
  foregroundGroup: fc.integer({ min: -1, max: 2 ** 22 }),
  threads: fc.integer({ min: 1, max: 1000 }),
  startTick: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
});

describe("the text of a process's stat file", () => {
  it("gives every field whatever bytes the name holds", () => {
    fc.assert(
      fc.property(fields, (given) => {
        expect(read(statText(given))).toEqual<ProcessInfo>({
          pid: given.pid,
          name: Buffer.from(given.name).toString(),
          state: given.state,
          parent: given.parent,
          group: given.group,
          session: given.session,
          ttyDevice: given.tty >>> 0,
          tty: ttyPath(given.tty >>> 0),
          foregroundGroup: given.foregroundGroup,
          startTick: given.startTick,
        });
      }),
    );
  });

  it("is no process when it is cut anywhere before the start tick", () => {
    fc.assert(
      fc.property(fields, fc.double({ min: 0, max: 1, noNaN: true }), (given, share) => {
        const bytes = statText({ ...given, name: Buffer.from("name") });
        const end = bytes.indexOf(` 0 ${given.startTick} `) + 2;
        expect(parseStat(bytes, Math.floor(end * share))).toBeUndefined();
      }),
    );
  });

  it("is no process, and no error, when it is any bytes at all", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(read(Buffer.from(bytes))).toBeUndefined();
      }),
    );
  });

  it("is read no further than its length says, whatever an earlier reading left behind", () => {
    const [given] = fc.sample(fields, 1) as [Fields];
    const bytes = Buffer.concat([
      statText({ ...given, name: Buffer.from("a") }),
      Buffer.from("9 (x)"),
    ]);
    expect(parseStat(bytes, bytes.length - 5)?.name).toBe("a");
    expect(parseStat(bytes, 0)).toBeUndefined();
    expect(parseStat(bytes, -1)).toBeUndefined();
  });

  const [sample] = fc.sample(fields, 1) as [Fields];

  it("of a zombie speaks of nobody", () => {
    expect(read(statText({ ...sample, state: "Z", threads: 1 }))).toBeUndefined();
    expect(read(statText({ ...sample, state: "X", threads: 1 }))).toBeUndefined();
  });

  it("of a process whose first thread has ended speaks of those that run on", () => {
    expect(read(statText({ ...sample, state: "Z", threads: 2 }))?.state).toBe("Z");
  });

  it("names a tty whose device number has the highest bit", () => {
    const device = deviceNumber(136, 1_048_575);
    expect(device).toBeGreaterThan(2 ** 31);
    expect(read(statText({ ...sample, tty: device | 0 }))).toMatchObject({
      ttyDevice: device,
      tty: "/dev/pts/1048575",
    });
  });
});
