import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ptySelfTest } from "../../../src/host/pty/self-test.ts";
import {
  type Lack,
  NODE_PTY_VERSION,
  PtyUnavailable,
  unavailable,
} from "../../../src/host/pty/unavailable.ts";

const lack: Lack = {
  platform: "linux",
  arch: "x64",
  isMusl: false,
  isInstalled: true,
  cause: "Failed to load native module: pty.node\nRequire stack",
};

test("a shell on a terminal starts, answers and ends here", async () => {
  await expect(ptySelfTest()).resolves.toBeUndefined();
});

test.each<[string, Partial<Lack>, string[]]>([
  ["another platform", { platform: "win32" }, ["on Linux and macOS only", "win32"]],
  [
    "no package",
    { isInstalled: false },
    ["not installed", `npm install node-pty@${NODE_PTY_VERSION}`],
  ],
  ["musl", { isMusl: true }, ["musl", "apk add python3 make g++", "npm rebuild node-pty"]],
  ["no built part", { arch: "riscv64" }, ["linux-riscv64", "C++ compiler", "npm rebuild node-pty"]],
])("says what is missing and what to install: %s", (_, found, words) => {
  const error = unavailable({ ...lack, ...found });
  expect(error).toBeInstanceOf(PtyUnavailable);
  expect(error.code).toBe("pty_unavailable");
  for (const word of ["No terminal can be opened", ...words]) expect(error.message).toContain(word);
  expect(error.message).not.toContain("Require stack");
});

test("the package asks for the version whose native part this is written for", () => {
  const { optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(optionalDependencies).toEqual({ "node-pty": NODE_PTY_VERSION });
});
