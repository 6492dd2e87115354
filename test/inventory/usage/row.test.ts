import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TerminalUsage } from "../../../src/contract/usage.ts";
import { isValid } from "../../../src/contract/validation.ts";
import { usageRow } from "../../../src/inventory/usage/row.ts";

const INSTANCE = "0123456789abcdef0123456789abcdef";
const MIB = 1_048_576;

const row = (cpuPercent: number, memoryBytes: number, stated?: TerminalUsage) =>
  usageRow(INSTANCE, "pty:a", { cpuPercent, memoryBytes }, stated);

describe("the row of a terminal", () => {
  it("is stated in whole percentage points and in grains of memory", () => {
    expect(row(12.4, 3 * MIB + 70_000)).toEqual({
      instance: INSTANCE,
      id: "pty:a",
      cpu_percent: 12,
      memory_bytes: 3 * MIB + 65_536,
    });
  });

  it("stays the same object while neither figure has moved by a step", () => {
    const stated = row(12, 50 * MIB);
    expect(row(12.9, 50.9 * MIB, stated)).toBe(stated);
    expect(row(11.1, 49.1 * MIB, stated)).toBe(stated);
  });

  it("is stated anew, with both figures, where one has moved by a step", () => {
    const stated = row(12, 50 * MIB);
    expect(row(13, 50.5 * MIB, stated)).toMatchObject({
      cpu_percent: 13,
      memory_bytes: 50.5 * MIB,
    });
    expect(row(12.4, 51 * MIB, stated)).toMatchObject({ cpu_percent: 12, memory_bytes: 51 * MIB });
  });

  it("moves in larger steps where the figures are large", () => {
    const stated = row(400, 1_000 * MIB);
    expect(row(419, 1_009 * MIB, stated)).toBe(stated);
    expect(row(420, 1_009 * MIB, stated)).not.toBe(stated);
    expect(row(419, 1_010 * MIB, stated)).not.toBe(stated);
  });

  it("comes to nothing where the terminal is idle again, and is not moved by a tick now and then", () => {
    const idle = row(0, 5 * MIB, row(0.6, 5 * MIB));
    expect(idle.cpu_percent).toBe(0);
    expect(row(0.5, 5 * MIB, idle)).toBe(idle);
    expect(row(0.99, 5 * MIB, idle)).toBe(idle);
  });

  it("is never further than a step from what holds, and valid", () => {
    const used = fc.record({
      cpuPercent: fc.double({ min: 0, max: 25_600, noNaN: true }),
      memoryBytes: fc.maxSafeNat(),
    });
    fc.assert(
      fc.property(fc.array(used, { minLength: 1 }), (all) => {
        let stated: TerminalUsage | undefined;
        for (const { cpuPercent, memoryBytes } of all) {
          stated = row(cpuPercent, memoryBytes, stated);
          const { cpu_percent, memory_bytes } = stated;
          expect(isValid(TerminalUsage, stated)).toBe(true);
          expect(Math.abs(cpu_percent - cpuPercent)).toBeLessThan(Math.max(1, cpu_percent * 0.05));
          expect(Math.abs(memory_bytes - memoryBytes)).toBeLessThan(
            Math.max(MIB, memory_bytes * 0.01),
          );
        }
      }),
    );
  });
});
