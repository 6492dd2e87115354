import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { pathLook } from "../../../src/host/monitors/probes/path-look.ts";

function workspace(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tt-looks-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "inside"));
  mkdirSync(join(root, "outside"));
  return root;
}

test("what comes, is written, is replaced and goes is seen by the look after it", async () => {
  const root = workspace();
  const path = join(root, "inside/file");
  const look = pathLook({ root, path });
  const size = async () => (await look())?.size;
  expect([await size(), await size()]).toEqual([undefined, undefined]);
  writeFileSync(path, "one");
  expect([await size(), await size()]).toEqual([3n, 3n]);
  writeFileSync(path, "three");
  expect(await size()).toBe(5n);
  writeFileSync(join(root, "other"), "3");
  renameSync(join(root, "other"), path);
  expect(await size()).toBe(1n);
  rmSync(path);
  expect(await size()).toBeUndefined();
});

test("a folder that was looked into and is a link out of the workspace by now is not", async () => {
  const root = workspace();
  const inside = join(root, "inside");
  for (const folder of [inside, join(root, "outside")]) writeFileSync(join(folder, "file"), folder);
  const look = pathLook({ root: inside, path: join(inside, "way/file") });
  mkdirSync(join(inside, "way"));
  writeFileSync(join(inside, "way/file"), "here");
  expect((await look())?.size).toBe(4n);
  rmSync(join(inside, "way"), { recursive: true });
  symlinkSync(join(root, "outside"), join(inside, "way"));
  await expect(look()).rejects.toThrow("leads out of the workspace");
});
