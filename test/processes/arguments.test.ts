import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  splitArguments,
  splitCommandLine,
  splitEnvironment,
} from "../../src/processes/arguments.ts";

const text = fc
  .string({ unit: "binary" })
  .filter((part) => part.isWellFormed())
  .map((part) => part.replaceAll("\0", ""));
const split = (bytes: string) => splitArguments(Buffer.from(bytes));

describe("arguments", () => {
  it("are those that the program was started with, empty ones among them", () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), fc.string({ minLength: 1 }), (args, last) => {
        const all = [...args, last.replaceAll("\0", "0")];
        expect(split(`${all.join("\0")}\0`)).toEqual(all);
      }),
    );
  });

  it.each([
    ["an empty one in the midst", "sh\0-c\0\0x\0", ["sh", "-c", "", "x"]],
    ["empty ones at the end", "sh\0-c\0\0\0", ["sh", "-c", "", ""]],
    ["one empty one alone behind the name", "cat\0\0", ["cat", ""]],
    ["three empty ones alone behind the name", "cat\0\0\0\0", ["cat", "", "", ""]],
    [
      "many empty ones behind another",
      `cat\0a${"\0".repeat(9)}`,
      ["cat", "a", ...Array(8).fill("")],
    ],
    ["an empty name", "\0a\0", ["", "a"]],
    ["an empty name alone", "\0", [""]],
  ])("keep %s", (_, bytes, args) => {
    expect(split(bytes)).toEqual(args);
  });

  it("are one title when a program has padded it", () => {
    fc.assert(
      fc.property(
        text.filter((title) => title !== ""),
        fc.integer({ min: 5, max: 5000 }),
        (title, padding) => {
          expect(split(title + "\0".repeat(padding))).toEqual([title]);
        },
      ),
    );
  });

  it("are one title when it has grown beyond them and the kernel has cut it", () => {
    expect(split("sshd: somebody@pts/0")).toEqual(["sshd: somebody@pts/0"]);
  });

  it("are none when there are no bytes", () => {
    expect(split("")).toEqual([]);
  });

  it("have U+FFFD for bytes that are no UTF-8", () => {
    expect(splitArguments(Buffer.from([0x61, 0xff, 0x62, 0, 0xc3, 0x28, 0]))).toEqual([
      "a\uFFFDb",
      "\uFFFD(",
    ]);
  });
});

describe("an environment", () => {
  it("maps names to values that hold anything, the first of a name counting", () => {
    const bytes = Buffer.from("A=1\0B=x=y\nz\0EMPTY=\0A=2\0=hidden\0none\0");
    expect([...splitEnvironment(bytes)]).toEqual([
      ["A", "1"],
      ["B", "x=y\nz"],
      ["EMPTY", ""],
    ]);
  });
});

describe("a command line that was joined with spaces", () => {
  it("is split at them", () => {
    expect(splitCommandLine("claude --resume  abc ")).toEqual(["claude", "--resume", "abc"]);
  });

  it("keeps a program whole whose path holds spaces", () => {
    const program = "/Applications/Visual Studio Code.app/Contents/MacOS/Code";
    expect(splitCommandLine(`${program} --wait a`, program)).toEqual([program, "--wait", "a"]);
    expect(splitCommandLine(program, program)).toEqual([program]);
  });
});
