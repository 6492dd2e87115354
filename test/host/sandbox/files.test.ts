import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { confined } from "./confined.ts";

test("a sandboxed program writes in its workspace, and what it writes is there outside", async () => {
  const sandbox = await confined();
  const { outcome } = await sandbox.run("echo in > here.txt");
  expect(outcome).toEqual({ exited: 0 });
  expect(readFileSync(join(sandbox.served.workspace, "here.txt"), "utf8")).toBe("in\n");
});
