import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { sandboxTools } from "../../../src/host/sandbox/tools.ts";
import { type Confined, confined, folderOutside } from "./confined.ts";

/** What a start that was refused says; nothing runs. */
async function refusal(sandbox: Confined, profile: object | string = {}, more: object = {}) {
  const { failure } = await sandbox.start("touch started", profile, more);
  expect(failure).toMatchObject({ action: "start", code: "unsupported_host", retryable: false });
  expect(sandbox.served.host.terminals.all).toEqual([]);
  return String(failure.message);
}

/** A PATH of the programs that sandboxes are made with, without some and with others in place. */
async function toolsOnly(others: Readonly<Record<string, string | undefined>>): Promise<void> {
  const folder = folderOutside();
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const [name, file] of Object.entries(await sandboxTools(process.env["PATH"]))) {
    const path = join(folder, name);
    const script = others[name];
    if (!(name in others)) symlinkSync(file, path);
    else if (script !== undefined) {
      writeFileSync(path, `#!/bin/sh\n${script}\n`);
      chmodSync(path, 0o755);
    }
  }
  vi.stubEnv("PATH", folder);
}

test.each(["{}", "(version 1)", '{"write":[],"network":false,"exec":[]}'])(
  "a start with the profile %s is refused in words",
  async (profile) => {
    expect(await refusal(await confined(), profile)).toMatch(/^sandbox_profile must be \{"write"/);
  },
);

test.each([
  ["bwrap", "bubblewrap"],
  ["env", "coreutils"],
  ["nsenter", "util-linux"],
])("without %s a start with a profile is refused and names the package %s", async (name, pack) => {
  const sandbox = await confined();
  await toolsOnly({ [name]: undefined });
  expect(await refusal(sandbox)).toMatch(
    new RegExp(`without ${name}: install the package ${pack}`),
  );
  vi.unstubAllEnvs();
  // It may be installed at any time.
  expect((await sandbox.start("true")).success).toBeDefined();
});

test("where user namespaces are forbidden a start with a profile is refused and says what to allow", async () => {
  const sandbox = await confined();
  const { bwrap, env } = await sandboxTools(process.env["PATH"]);
  // Those within a namespace are counted by its own limit.
  await toolsOnly({
    bwrap: `PATH=${process.env["PATH"]}; [ "$1" = --unshare-user ] || exit 9
exec unshare -Ur ${env} sh -c 'echo 0 > /proc/sys/user/max_user_namespaces && exec ${bwrap} "$@"' sh "$@"`,
  });
  expect(await refusal(sandbox)).toMatch(
    /^no sandbox can be had here \(bwrap: .*sysctl user\.max_user_namespaces/,
  );
});

test("an env that cannot reset signals is refused, for keys would not reach the program", async () => {
  const sandbox = await confined();
  await toolsOnly({ env: `echo "env: unrecognized option: $1" >&2; exit 1` });
  expect(await refusal(sandbox)).toMatch(/install GNU coreutils 8\.31/);
});

test("a bwrap that confines nothing is refused", async () => {
  const sandbox = await confined();
  await toolsOnly({ bwrap: `while [ "$1" != -- ]; do shift; done; shift; exec "$@"` });
  expect(await refusal(sandbox)).toMatch(/^no sandbox can be had here/);
});

test.each<[string, (sandbox: Confined) => string, RegExp]>([
  ["is not there", () => "/no/such", /there is no such file/],
  ["is everything", () => "/", /nothing would be confined/],
  ["is everything by another name", () => "/usr/..", /nothing would be confined/],
  ["is the kernel's", () => "/proc/sys", /within \/proc, which is the kernel's/],
  ["is a device", () => "/dev/null", /within \/dev/],
  [
    "leads to a folder of termtopic",
    ({ served }) => {
      const own = join(served.folder, "own");
      mkdirSync(join(own, "host"), { recursive: true });
      symlinkSync(join(own, "host"), join(served.folder, "by-the-way"));
      return join(served.folder, "by-the-way");
    },
    /is .*own\/host, within .*own, through which other terminals can be reached/,
  ],
  [
    "is a socket",
    ({ served }) => {
      const path = join(served.folder, "socket");
      const server = createServer().listen(path);
      onTestFinished(() => void server.close());
      return path;
    },
    /neither a file nor a folder/,
  ],
])("a path to write that %s is refused", async (_, pathOf, why) => {
  const sandbox = await confined();
  expect(await refusal(sandbox, { write: [pathOf(sandbox)] })).toMatch(why);
});

test("a workspace that cannot be handed out is refused", async () => {
  const sandbox = await confined();
  const more = { workspace_root: "/", cwd: folderOutside() };
  expect(await refusal(sandbox, {}, more)).toMatch(/"\/" cannot be made writable/);
});
