import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deviceNumber, ttyDevice, ttyPath } from "../../src/processes/index.ts";

describe("a tty's device number", () => {
  it.each([
    [1083646, "/dev/pts/510"],
    [34816, "/dev/pts/0"],
    [deviceNumber(136, 255), "/dev/pts/255"],
    [deviceNumber(136, 256), "/dev/pts/256"],
    [deviceNumber(4, 1), "/dev/tty1"],
    [deviceNumber(4, 63), "/dev/tty63"],
    [deviceNumber(4, 64), "/dev/ttyS0"],
    [deviceNumber(4, 95), "/dev/ttyS31"],
  ])("%i is %s", (device, path) => {
    expect(ttyPath(device)).toBe(path);
  });

  it.each([
    ["none", 0],
    ["the virtual console in front", deviceNumber(4, 0)],
    ["the file that stands for one's own tty", deviceNumber(5, 0)],
    ["a pseudo-terminal's other end", deviceNumber(128, 3)],
    ["a major that pseudo-terminals had before Linux 2.6", deviceNumber(137, 3)],
    ["a driver whose files have other names", deviceNumber(229, 0)],
  ])("has no known path when it is %s", (_, device) => {
    expect(ttyPath(device)).toBeUndefined();
  });

  it("holds 12 bits of major and 20 of minor", () => {
    fc.assert(
      fc.property(fc.nat({ max: 0xfffff }), (minor) => {
        expect(ttyPath(deviceNumber(136, minor))).toBe(`/dev/pts/${minor}`);
      }),
    );
  });

  it.skipIf(!existsSync("/dev/tty1"))("equals what the device file states", () => {
    expect(ttyDevice("/dev/tty1")).toBe(deviceNumber(4, 1));
  });

  it("is not to be had of what is no device", () => {
    expect(ttyDevice("/dev")).toBeUndefined();
    expect(ttyDevice("/dev/no-such-tty")).toBeUndefined();
  });

  it.skipIf(!existsSync("/proc/tty/drivers"))("has the majors that this kernel uses", () => {
    const drivers = readFileSync("/proc/tty/drivers", "utf8");
    expect(drivers).toMatch(/^pty_slave +\/dev\/pts +136 0-1048575 pty:slave$/m);
  });
});
