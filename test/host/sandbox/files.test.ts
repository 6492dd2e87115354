import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { closedFolders } from "../../../src/host/sandbox/closed-folders.ts";
import { sandboxCommandLine } from "../../../src/host/sandbox/command-line.ts";
import { grantOf } from "../../../src/host/sandbox/grant.ts";
import { sandboxTools } from "../../../src/host/sandbox/tools.ts";
import { runProgram } from "../../../src/sources/run-program.ts";
import { confined, folderOutside } from "./confined.ts";

test("a sandboxed program writes in its workspace, and what it writes is there outside", async () => {
  const sandbox = await confined();
  const { outcome } = await sandbox.run("echo in > here.txt");
  expect(outcome).toEqual({ exited: 0 });
  expect(readFileSync(join(sandbox.served.workspace, "here.txt"), "utf8")).toBe("in\n");
});

test("a sandboxed program reads what is elsewhere and cannot write it", async () => {
  const outside = folderOutside();
  writeFileSync(join(outside, "kept"), "as it was\n");
  const sandbox = await confined();
  const tries = ["echo x > kept", "rm kept", "mv kept other", "touch new", "chmod 777 kept"];
  const { text } = await sandbox.run(
    `cd ${outside}; cat kept; for one in ${tries.map((one) => `'${one}'`).join(" ")}; do (eval "$one") && echo DONE; done`,
  );
  expect(text).toContain("as it was");
  expect(text.match(/Read-only file system/g)).toHaveLength(tries.length);
  expect(text).not.toContain("DONE");
  expect(readFileSync(join(outside, "kept"), "utf8")).toBe("as it was\n");
});

test("a profile adds folders and files that may be written, by their real paths", async () => {
  const outside = folderOutside();
  mkdirSync(join(outside, "real"));
  symlinkSync("real", join(outside, "named"));
  for (const name of ["one", "two"]) writeFileSync(join(outside, name), "");
  const sandbox = await confined();
  const { text } = await sandbox.run(
    `cd ${outside}; echo a > named/new; echo b > one; echo c > two; echo d > three`,
    { write: [join(outside, "named"), join(outside, "one")] },
  );
  expect(text.match(/Read-only file system/g)).toHaveLength(2);
  expect(readFileSync(join(outside, "real/new"), "utf8")).toBe("a\n");
  expect(readFileSync(join(outside, "one"), "utf8")).toBe("b\n");
  expect(readFileSync(join(outside, "two"), "utf8")).toBe("");
});

test("a link in the workspace leads to nothing that could be written", async () => {
  const outside = folderOutside();
  const sandbox = await confined();
  symlinkSync(outside, join(sandbox.served.workspace, "way-out"));
  const { text } = await sandbox.run(
    `touch way-out/x; ln -s ${outside} another; touch another/y; touch ../z`,
  );
  expect(text.match(/Read-only file system/g)).toHaveLength(2);
  expect(existsSync(join(outside, "x")) || existsSync(join(outside, "y"))).toBe(false);
  // The folder around the workspace is in a temporary one, of which the sandbox has its own.
  expect(existsSync(join(sandbox.served.folder, "z"))).toBe(false);
});

test("temporary folders are the sandbox's own: writable, empty, and gone with it", async () => {
  const mine = mkdtempSync("/tmp/tt-seen-");
  onTestFinished(() => rmSync(mine, { recursive: true, force: true }));
  const sandbox = await confined();
  const { text } = await sandbox.run(
    `ls -d ${mine}; for f in /tmp /var/tmp /dev/shm; do echo x > $f/tt-mine && cat $f/tt-mine; done; mktemp; echo "[$TMPDIR]"`,
  );
  expect(text).toMatch(/No such file[\s\S]*x\nx\nx\n\/tmp\/tmp\.\S+\n\[\]\n$/);
  for (const folder of ["/tmp", "/var/tmp", "/dev/shm"]) {
    expect(existsSync(join(folder, "tt-mine"))).toBe(false);
  }
});

test("nothing is run where a path was exchanged for a link after it was looked at", async () => {
  const outside = folderOutside();
  const folder = join(outside, "folder");
  mkdirSync(folder);
  mkdirSync(join(outside, "secret"));
  const grants = [await grantOf(folder, [])];
  const parts = {
    tools: await sandboxTools(process.env["PATH"]),
    mounts: grants.map(({ path }) => ({ kind: "write" as const, path })),
    grants,
    network: false,
    cwd: "/",
  };
  const run = async () => {
    const [program, ...args] = [...sandboxCommandLine(parts), "touch", join(folder, "x")];
    const environment = { PATH: process.env["PATH"] };
    const limits = { deadlineMs: 60_000, limitBytes: 65_536 };
    return runProgram(
      { program: program ?? "", args, environment, ...limits },
      new AbortController().signal,
    );
  };
  expect(await run()).toMatchObject({ exitCode: 0 });
  renameSync(folder, join(outside, "moved"));
  symlinkSync("secret", folder);
  const { exitCode, stderr } = await run();
  expect(exitCode).not.toBe(0);
  expect(stderr).not.toBe("");
  // Another folder in its place is none that was granted either.
  rmSync(folder);
  mkdirSync(folder);
  expect(await run()).toMatchObject({
    exitCode: 126,
    stderr: `termtopic: ${folder} was exchanged for another file; nothing was run`,
  });
  expect(existsSync(join(outside, "secret/x")) || existsSync(join(folder, "x"))).toBe(false);
});

test("folders that are not there are not closed, and the root never is", async () => {
  const folders = await closedFolders(["/no/such"], { XDG_RUNTIME_DIR: "/", TMUX_TMPDIR: "x" });
  expect([...folders.guarded, ...folders.emptied]).not.toContain("/no/such");
  expect(folders.emptied).not.toContain("/");
});
