import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { currentSocket, serverSocket } from "../../../../src/inventory/zellij/socket.ts";
import { temporaryFolder } from "../support.ts";

async function socketIn(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  return path;
}

const server = (path: string, isSuperseded = false) => ({ path, isSuperseded });

describe("a server of zellij", () => {
  test.each([
    [
      ["/usr/bin/zellij", "--server", "/run/user/1/zellij/0.44/main"],
      "/run/user/1/zellij/0.44/main",
    ],
    [["zellij", "--server=/s/main"], "/s/main"],
    [["zellij", "--debug", "--server", "/s/main", "--more"], "/s/main"],
    [["zellij", "--server"], undefined],
    [["zellij", "--server", "main"], undefined],
    [["zellij", "--server", "/"], undefined],
    [["zellij", "--server-name", "/s/main"], undefined],
    [["--server", "/s/main"], undefined],
    [["zellij", "attach", "main"], undefined],
    [["zellij"], undefined],
    [[], undefined],
  ])("started as %j listens on %j", (argv, socket) => {
    expect(serverSocket(argv)).toBe(socket);
  });
});

describe("where a server listens now", () => {
  test("is where it was started, as long as the socket is there", async () => {
    const folder = temporaryFolder();
    const one = server(await socketIn(folder, "one"));
    await socketIn(folder, "dead");
    expect(await currentSocket(one, [one])).toBe(one.path);
  });

  test("is the one socket that has no server, where it is the one server that has none", async () => {
    const folder = temporaryFolder();
    const [renamed, other] = [await socketIn(folder, "new"), await socketIn(folder, "other")];
    const servers = [server(join(folder, "old")), server(other)] as const;
    expect(await currentSocket(servers[0], servers)).toBe(renamed);
    expect(await currentSocket(servers[1], servers)).toBe(other);
  });

  test("is not the socket of a server that was started on its path later", async () => {
    const folder = temporaryFolder();
    const [path, renamed] = [await socketIn(folder, "main"), await socketIn(folder, "new")];
    const servers = [server(path, true), server(path)] as const;
    expect(await currentSocket(servers[0], servers)).toBe(renamed);
    expect(await currentSocket(servers[1], servers)).toBe(path);
  });

  test.each([
    ["no socket is left over", [], ["old"]],
    ["two sockets are", ["a", "b"], ["old"]],
    ["two servers have lost theirs", ["a"], ["old", "older"]],
  ])("is not known where %s", async (_, sockets, lost) => {
    const folder = temporaryFolder();
    for (const name of sockets) await socketIn(folder, name);
    const servers = lost.map((name) => server(join(folder, name)));
    for (const one of servers) expect(await currentSocket(one, servers)).toBeUndefined();
  });

  test("is not known where the folder is gone", async () => {
    const one = server("/no/such/folder/main");
    expect(await currentSocket(one, [one])).toBeUndefined();
  });
});
