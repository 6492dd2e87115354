import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findProgram } from "../../src/sources/programs.ts";
import { temporaryFolder } from "../inventory/unit/support.ts";

function file(folder: string, name: string, mode = 0o755): string {
  const path = join(folder, name);
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, mode);
  return path;
}

describe("a program", () => {
  test("is the first file of its name on the path", async () => {
    const [first, second] = [temporaryFolder(), temporaryFolder()];
    const later = file(second, "manager");
    expect(await findProgram("manager", `${first}:${second}`)).toBe(later);
    const earlier = file(first, "manager");
    expect(await findProgram("manager", `${first}:${second}`)).toBe(earlier);
  });

  test("is found behind a link", async () => {
    const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()];
    symlinkSync(file(elsewhere, "manager-2.0"), join(folder, "manager"));
    expect(await findProgram("manager", folder)).toBe(join(folder, "manager"));
  });

  test("is none that cannot be executed, and no folder", async () => {
    const [text, deeper, real] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    file(text, "manager", 0o644);
    mkdirSync(join(deeper, "manager"));
    expect(await findProgram("manager", `${text}:${deeper}`)).toBeUndefined();
    const program = file(real, "manager");
    expect(await findProgram("manager", `${text}:${deeper}:${real}`)).toBe(program);
  });

  test.each([undefined, "", ":", ".", "/nowhere", "/dev/null", "relative:also/relative"])(
    "is nowhere on the path %j",
    async (path) => {
      expect(await findProgram("no-such-program-of-termtopic", path)).toBeUndefined();
    },
  );
});
