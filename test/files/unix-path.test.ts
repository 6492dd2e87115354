import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, lstat, mkdir, readdir, symlink, unlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MAX_SOCKET_PATH, publishSocket, requirePrivateFolder } from "../../src/files/unix-path.ts";
import { afterTest, greet, startServer, temporaryFolder } from "../server/support.ts";

function makeServer(): Server {
  const server = createServer((socket) => socket.destroy());
  afterTest(() => void server.close());
  return server;
}

/** A socket whose owner died without a word. */
async function leaveStale(path: string): Promise<void> {
  const source = "require('net').createServer().listen(process.argv[1], () => process.send('up'))";
  const child = spawn(process.execPath, ["-e", source, path], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(child, "message");
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function socketPath(): Promise<string> {
  return join(await temporaryFolder(), "run", "termtopic.sock");
}

test("the folder is made 0700, the socket is 0600, and nothing else is left", async () => {
  const path = await socketPath();
  await publishSocket(makeServer(), path);
  const folder = join(path, "..");
  expect((await lstat(folder)).mode & 0o777).toBe(0o700);
  const stat = await lstat(path);
  expect(stat.isSocket()).toBe(true);
  expect(stat.mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(["termtopic.sock"]);
});

test.each([0o750, 0o705, 0o711, 0o777])("a folder of mode %o is refused", async (mode) => {
  const path = await socketPath();
  await mkdir(join(path, ".."));
  await chmod(join(path, ".."), mode);
  await expect(publishSocket(makeServer(), path)).rejects.toThrow(/closed to others.*chmod 700/);
});

test("a folder that is a link is refused", async () => {
  const path = await socketPath();
  const elsewhere = await temporaryFolder();
  await symlink(elsewhere, join(path, ".."));
  await expect(publishSocket(makeServer(), path)).rejects.toThrow(/symbolic link/);
  expect(await readdir(elsewhere)).toEqual([]);
});

test("somebody else's folder is refused", async () => {
  const folder = await temporaryFolder();
  const somebody = (process.getuid?.() ?? 0) + 1;
  await expect(requirePrivateFolder(folder, somebody)).rejects.toThrow(/must belong to you/);
});

test("a path over the limit of the kernel is refused in words, and one at the limit works", async () => {
  const folder = await temporaryFolder();
  const longest = join(folder, "x".repeat(MAX_SOCKET_PATH - folder.length - 1));
  await expect(publishSocket(makeServer(), `${longest}x`)).rejects.toThrow(
    `at most ${MAX_SOCKET_PATH} bytes`,
  );
  await publishSocket(makeServer(), longest);
  expect((await lstat(longest)).isSocket()).toBe(true);
});

test("the name that a dead publisher left is replaced", async () => {
  const path = await socketPath();
  await mkdir(join(path, ".."), { mode: 0o700 });
  await leaveStale(path);
  const before = await lstat(path);
  await publishSocket(makeServer(), path);
  expect((await lstat(path)).ino).not.toBe(before.ino);
  expect(await readdir(join(path, ".."))).toEqual(["termtopic.sock"]);
});

test("the name of a live publisher is refused and left alone", async () => {
  const server = await startServer();
  const before = await lstat(server.socket);
  await expect(publishSocket(makeServer(), server.socket)).rejects.toThrow(/another process/);
  expect((await lstat(server.socket)).ino).toBe(before.ino);
  expect(await readdir(join(server.socket, ".."))).toEqual(["s"]);
  expect((await greet(await server.unix())).ok).toBe(true);
});

test("what is not a socket is never replaced", async () => {
  const path = await socketPath();
  await mkdir(join(path, ".."), { mode: 0o700 });
  await writeFile(path, "precious");
  await expect(publishSocket(makeServer(), path)).rejects.toThrow(/not a socket/);
  expect((await lstat(path)).size).toBe(8);
});

test("the name is taken away when it is ours, and left when it is another's", async () => {
  const path = await socketPath();
  const first = await publishSocket(makeServer(), path);
  await first.unpublish();
  await expect(lstat(path)).rejects.toThrow(/ENOENT/);

  const second = await publishSocket(makeServer(), path);
  await unlink(path);
  await publishSocket(makeServer(), path);
  await second.unpublish();
  expect((await lstat(path)).isSocket()).toBe(true);
});

test("a server that cannot have its socket gives its port back", async () => {
  const folder = await temporaryFolder();
  await chmod(folder, 0o755);
  const { port, stop } = await startServer();
  await stop("stop");
  const refused = startServer({ port, socketPath: join(folder, "s") });
  await expect(refused).rejects.toThrow(/closed to others/);
  expect((await startServer({ port })).port).toBe(port);
});
