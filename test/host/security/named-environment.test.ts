import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serveHost } from "../channel/served-host.ts";

const open = { op: "open", sessionId: "s", cwd: "/", cols: 80, rows: 24 } as const;

async function withFolder() {
  const served = await serveHost();
  const folder = join(served.folder, "environments");
  mkdirSync(folder);
  return { client: await served.connect(), folder };
}

test("variables that somebody wrote down reach the program as they stand, and no shell reads them", async () => {
  const { client, folder } = await withFolder();
  const lines = [
    "# a comment",
    "export PLAIN=a b",
    `QUOTED="it's $HOME"`,
    "COMMAND=$(touch /pwned) `id`",
    "EMPTY=",
    "not a variable",
    "1BAD=x",
  ];
  writeFileSync(join(folder, "work.env"), lines.join("\n"));
  await client.call({ ...open, key: "k", env: "work", exec: ["/usr/bin/env"] });
  const wait = { until: "exit", timeoutMs: 10_000 } as const;
  const { text } = await client.read({ sessionId: "s", target: "1", from: 0, wait });
  const found = text.split("\n");
  expect(found).toContain("PLAIN=a b");
  expect(found).toContain("QUOTED=it's $HOME");
  expect(found).toContain("COMMAND=$(touch /pwned) `id`");
  expect(found).toContain("EMPTY=");
  expect(text).not.toMatch(/comment|BAD|not a/);
});

test.each<[string, (folder: string) => void, RegExp]>([
  ["missing", () => {}, /there is no such file/],
  ["../up", () => {}, /no file may be called so/],
  [".hidden", () => {}, /no file may be called so/],
  ["a/b", () => {}, /no file may be called so/],
  ["folder", (folder) => mkdirSync(join(folder, "folder.env")), /must be a regular file/],
  [
    "pipe",
    (folder) => execFileSync("mkfifo", [join(folder, "pipe.env")]),
    /must be a regular file/,
  ],
  [
    "endless",
    (folder) => symlinkSync("/dev/zero", join(folder, "endless.env")),
    /must be a regular file/,
  ],
  [
    "large",
    (folder) => writeFileSync(join(folder, "large.env"), "A=b\n".repeat(100_000)),
    /must have at most 262144 bytes/,
  ],
])(
  "an environment that cannot be had is refused in words, and opens nothing: %s",
  async (env, make, words) => {
    const { client, folder } = await withFolder();
    make(folder);
    await expect(client.call({ ...open, key: "k", env })).rejects.toThrow(words);
    expect(await client.call({ op: "list", sessionId: "s" })).toEqual({
      kind: "list",
      windows: [],
    });
  },
);
