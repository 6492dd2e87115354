import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Discovery, type ServerPlace } from "../../../../src/inventory/tmux/discovery.ts";
import { createProcessTable } from "../../../../src/processes/index.ts";
import { createSnapshot } from "../../../../src/processes/snapshot.ts";
import { systemClock } from "../../../../src/time/clock.ts";
import { FakeTable, processInfo } from "../../../lib/fake-table.ts";
import { temporaryFolder, until } from "../support.ts";
import { folderNamed, isRunning, startServer, tmux } from "./support.ts";

const table = createProcessTable({ clock: systemClock });

const discovery = (...filter: string[]) => new Discovery(table, [], filter);

const find = async (discovery: Discovery) => discovery.find(await table.sweep());

const inShort = (places: readonly ServerPlace[]) =>
  places
    .map(({ socket, process, reachable }) => ({ socket, pid: process?.pid, reachable }))
    .sort((a, b) => (a.pid ?? 0) - (b.pid ?? 0));

const found = async (...filter: string[]) => inShort(await find(discovery(...filter)));

/** Somebody who listens there and is no tmux server. */
async function listen(path: string): Promise<Server> {
  const server = createServer();
  server.listen(path);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return server;
}

/** A socket file that nobody listens on any more, as a tmux server leaves it behind. */
async function deadSocket(path: string): Promise<void> {
  const server = await startServer(path);
  await server.end();
  expect(existsSync(path)).toBe(true);
}

describe("a tmux server", () => {
  test.each(["plain", "with spaces in it", "nön-ÄSCII 日本 😀", "quote' \"$x;#{pid}"])(
    "is found with its process by a socket in a folder that is called %s",
    async (name) => {
      const folder = folderNamed(name);
      const { socket, pid } = await startServer(join(folder, name));
      const place = [{ socket, pid, reachable: true }];
      expect(await found(folder)).toEqual(place);
      expect(await found(socket)).toEqual(place);
    },
  );

  test("is found in a folder that is spelled in another way, or that a link leads to", async () => {
    const top = temporaryFolder();
    const folder = join(top, "real");
    mkdirSync(folder, { mode: 0o700 });
    symlinkSync(folder, join(top, "link"));
    const { socket, pid } = await startServer(join(folder, "s"));
    symlinkSync(socket, join(top, "socket"));
    const place = [{ socket, pid, reachable: true }];
    for (const spelled of [
      `${folder}/`,
      `${top}//real/.`,
      `${folder}/../real`,
      join(top, "link"),
      `${folder}/../real/s`,
      join(top, "link", "s"),
      join(top, "socket"),
    ]) {
      expect(await found(spelled)).toEqual(place);
    }
  });

  test("is found once though its own spelling of the path is another", async () => {
    const top = temporaryFolder();
    mkdirSync(join(top, "real"), { mode: 0o700 });
    symlinkSync(join(top, "real"), join(top, "link"));
    const { socket, pid } = await startServer(join(top, "link", "s"));
    const place = [{ socket, pid, reachable: true }];
    expect(await found(join(top, "real"))).toEqual(place);
    expect(await found(join(top, "link"))).toEqual(place);
    expect(await found(join(top, "real"), join(top, "link"), socket)).toEqual(place);
  });

  test("is found by the whole path though its socket was given relative to where it was started", async () => {
    const folder = temporaryFolder();
    const { pid } = await startServer("relative", folder);
    expect(await found(folder)).toEqual([
      { socket: join(folder, "relative"), pid, reachable: true },
    ]);
  });

  test("is found by the name of its socket in the folder of sockets", async () => {
    const base = temporaryFolder();
    const env = { ...process.env, TMUX: undefined, TMUX_TMPDIR: base };
    await tmux(["-L", "named", "new-session", "-d", "exec cat"], { env });
    const pid = Number(await tmux(["-L", "named", "display-message", "-p", "#{pid}"], { env }));
    onTestFinished(() => void process.kill(pid, "SIGKILL"));
    const folder = join(base, `tmux-${process.getuid?.()}`);
    expect(await found(folder)).toEqual([{ socket: join(folder, "named"), pid, reachable: true }]);
  });

  test("is found and told as out of reach when its socket was deleted, and in reach again when it is back", async () => {
    const { socket, pid } = await startServer();
    const looking = discovery(socket);
    unlinkSync(socket);
    expect(inShort(await find(looking))).toEqual([{ socket, pid, reachable: false }]);
    process.kill(pid, "SIGUSR1");
    await until(() => existsSync(socket));
    expect(inShort(await find(looking))).toEqual([{ socket, pid, reachable: true }]);
  });

  test("is out of reach when something else is in the place of its socket", async () => {
    const { socket, pid } = await startServer();
    unlinkSync(socket);
    writeFileSync(socket, "");
    expect(await found(socket)).toEqual([{ socket, pid, reachable: false }]);
  });

  test("that has the path of another whose socket was deleted is the one in reach", async () => {
    const first = await startServer();
    unlinkSync(first.socket);
    const second = await startServer(first.socket);
    expect(await found(first.socket)).toEqual(
      [
        { socket: first.socket, pid: first.pid, reachable: false },
        { socket: first.socket, pid: second.pid, reachable: true },
      ].sort((a, b) => a.pid - b.pid),
    );
  });

  test("is gone when it has ended, whatever file it left behind", async () => {
    const { socket, pid, end } = await startServer();
    const looking = discovery(socket);
    expect(inShort(await find(looking))).toHaveLength(1);
    await end();
    expect(isRunning(pid)).toBe(false);
    expect(existsSync(socket)).toBe(true);
    expect(await find(looking)).toEqual([]);
  });

  test("is not wanted outside of what is asked for", async () => {
    const folder = temporaryFolder();
    const { socket } = await startServer(join(folder, "one"));
    await startServer(join(folder, "two"));
    mkdirSync(join(folder, "below"));
    await startServer(join(folder, "below", "three"));
    const sockets = async (...filter: string[]) =>
      (await found(...filter)).map((place) => place.socket).sort();
    expect(await sockets(socket)).toEqual([socket]);
    expect(await sockets(folder)).toEqual([socket, join(folder, "two")]);
    expect(await sockets(join(folder, "on"))).toEqual([]);
    expect(await sockets()).toEqual([]);
    const all = await find(new Discovery(table, [], undefined));
    expect(all.map((place) => place.socket)).toEqual(
      expect.arrayContaining([socket, join(folder, "two"), join(folder, "below", "three")]),
    );
  });
});

describe("a socket that no process is seen for", () => {
  test("is a place where somebody listens on it", async () => {
    const folder = temporaryFolder();
    await listen(join(folder, "somebody"));
    const place = [{ socket: join(folder, "somebody"), pid: undefined, reachable: true }];
    expect(await found(folder)).toEqual(place);
    expect(await found(join(folder, "somebody"))).toEqual(place);
    expect(
      inShort(await new Discovery(table, [folder], undefined).find(createSnapshot(0, []))),
    ).toEqual(place);
  });

  test("is none where it is dead, or no socket at all", async () => {
    const folder = temporaryFolder();
    await deadSocket(join(folder, "dead"));
    writeFileSync(join(folder, "file"), "");
    mkdirSync(join(folder, "folder"));
    symlinkSync(join(folder, "nowhere"), join(folder, "broken"));
    expect(await found(folder)).toEqual([]);
    for (const name of ["dead", "file", "folder", "broken", "nothing", "file/below"]) {
      expect(await found(join(folder, name))).toEqual([]);
    }
  });

  test("is one though it was renamed since", async () => {
    const folder = temporaryFolder();
    await listen(join(folder, "before"));
    renameSync(join(folder, "before"), join(folder, "after"));
    expect((await found(folder)).map(({ socket }) => socket)).toEqual([join(folder, "after")]);
  });
});

describe("processes that are called like a server", () => {
  /** A process that has the socket which this one listens on, as one that was just forked has. */
  async function holderOf(server: Server): Promise<number> {
    const { _handle } = server as unknown as { _handle: { fd: number } };
    const child = spawn("sleep", ["1000"], { stdio: ["ignore", "ignore", "ignore", _handle.fd] });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child, "spawn");
    return child.pid ?? 0;
  }

  const server = (pid: number, fields = {}) =>
    processInfo(pid, { tty: undefined, name: "tmux: server", startTick: "1", ...fields });

  const places = (filter: string, processes: ReturnType<typeof server>[]) =>
    new Discovery(new FakeTable(), [], [filter]).find(createSnapshot(0, processes)).then(inShort);

  test("because they are forked from it and have not been through exec are not servers", async () => {
    const path = join(temporaryFolder(), "s");
    const copy = await holderOf(await listen(path));
    expect(
      await places(path, [
        server(process.pid),
        server(copy, { parent: process.pid, startTick: "9" }),
      ]),
    ).toEqual([{ socket: path, pid: process.pid, reachable: true }]);
  });

  test("and were started in one tick on one path are not both in reach", async () => {
    const path = join(temporaryFolder(), "s");
    const other = await holderOf(await listen(path));
    const both = await places(path, [server(process.pid), server(other)]);
    expect(both.map(({ reachable }) => reachable).sort()).toEqual([false, true]);
  });

  test("and listen nowhere, or are gone, are not servers", async () => {
    const path = join(temporaryFolder(), "s");
    expect(await places(path, [server(process.pid), server(4_194_304)])).toEqual([]);
  });

  test("have their descriptors read once", async () => {
    const path = join(temporaryFolder(), "s");
    const listening = await listen(path);
    const looking = new Discovery(new FakeTable(), [], [path]);
    const snapshot = createSnapshot(0, [server(process.pid)]);
    expect(await looking.find(snapshot)).toHaveLength(1);
    listening.close();
    await once(listening, "close");
    // It is known by now, and its socket file has gone: out of reach, but not forgotten.
    expect(inShort(await looking.find(snapshot))).toEqual([
      { socket: path, pid: process.pid, reachable: false },
    ]);
    expect(await looking.find(createSnapshot(0, []))).toEqual([]);
    expect(await looking.find(snapshot)).toEqual([]);
  });
});
