import { execFileSync } from "node:child_process";
import { chmod, chown, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadToken } from "../../src/server/token.ts";
import { temporaryFolder } from "./support.ts";

async function written(content: string, mode = 0o600): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "token"), content, { mode });
  await chmod(join(folder, "token"), mode);
  return folder;
}

test("a token is 256 bits of base64url, for its owner alone, and stays the same", async () => {
  const folder = join(await temporaryFolder(), "state");
  const token = await loadToken(folder);
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(Buffer.from(token, "base64url")).toHaveLength(32);
  expect((await stat(join(folder, "token"))).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(await readFile(join(folder, "token"), "utf8")).toBe(`${token}\n`);
  expect(await loadToken(folder)).toBe(token);
  expect(await readdir(folder)).toEqual(["token"]);
});

test("of many that make it at once all get the same", async () => {
  const folder = await temporaryFolder();
  const tokens = await Promise.all(Array.from({ length: 20 }, () => loadToken(folder)));
  expect(new Set(tokens).size).toBe(1);
  expect(await readdir(folder)).toEqual(["token"]);
});

test.each([0o640, 0o604, 0o660, 0o644])("a file of mode %o is refused", async (mode) => {
  const token = await loadToken(await temporaryFolder());
  await expect(loadToken(await written(token, mode))).rejects.toThrow(
    /by its owner alone.*chmod 600/,
  );
});

test.each([
  ["nothing", ""],
  ["a short one", "abc"],
  ["other characters", "+".repeat(43)],
  ["a second line", `${"A".repeat(43)}\n${"A".repeat(43)}`],
  ["bits that no encoding sets", `${"A".repeat(42)}B`],
  ["much more", "A".repeat(10_000)],
])("a file that holds %s is refused", async (_, content) => {
  await expect(loadToken(await written(content))).rejects.toThrow(/43 characters of base64url/);
});

test("a link, a folder and a pipe in the file's place are refused", async () => {
  const elsewhere = await temporaryFolder();
  await loadToken(elsewhere);
  const linked = await temporaryFolder();
  await symlink(join(elsewhere, "token"), join(linked, "token"));
  await expect(loadToken(linked)).rejects.toThrow(/symbolic link/);
  const folder = await temporaryFolder();
  await mkdir(join(folder, "token"));
  await expect(loadToken(folder)).rejects.toThrow(/regular file/);
  const piped = await temporaryFolder();
  execFileSync("mkfifo", [join(piped, "token")]);
  await expect(loadToken(piped)).rejects.toThrow(/regular file/);
});

test.runIf(process.getuid?.() === 0)("somebody else's file is refused", async () => {
  const folder = await temporaryFolder();
  await loadToken(folder);
  await chown(join(folder, "token"), 12_345, 12_345);
  await expect(loadToken(folder)).rejects.toThrow(/must belong to you.*12345/);
});
