import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ChannelError, connectHost, encodeFrame } from "../../../src/host/index.ts";
import { FakeClock } from "../../lib/fake-clock.ts";
import { scriptedHost, terminal } from "./peer.ts";

describe("connecting", () => {
  test("is done when the host has greeted, and tells what it said", async () => {
    const host = await scriptedHost();
    const connection = await connectHost({ path: host.path });
    expect(connection.hello).toEqual({ type: "hello", version: "0.1.0", running: 2, pid: 4711 });
    connection.close();
    await (await host.accept()).ended();
  });

  test("understands a greeting that comes byte by byte", async () => {
    const host = await scriptedHost({ greets: false });
    const connecting = connectHost({ path: host.path });
    const peer = await host.accept();
    peer.socket.setNoDelay(true);
    for (const byte of encodeFrame({ type: "hello", version: "1", running: 0, pid: 7 })) {
      await new Promise((resolve) => peer.socket.write(Buffer.of(byte), resolve));
    }
    expect((await connecting).hello.version).toBe("1");
  });

  test("fails where nobody listens", async () => {
    const folder = mkdtempSync(join(tmpdir(), "termtopic-channel-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const failing = connectHost({ path: join(folder, "channel.sock") });
    await expect(failing).rejects.toMatchObject({ name: "ChannelError", reason: "unreachable" });
  });

  test("fails where the greeting does not come in time", async () => {
    const host = await scriptedHost({ greets: false });
    const clock = new FakeClock();
    const connecting = connectHost({ path: host.path, timeoutMs: 700, clock });
    connecting.catch(() => {});
    const peer = await host.accept();
    await clock.advance(700);
    await expect(connecting).rejects.toMatchObject({ reason: "silent" });
    await peer.ended();
  });

  test("is given up by its signal", async () => {
    const host = await scriptedHost({ greets: false });
    const giveUp = new AbortController();
    const connecting = connectHost({ path: host.path, signal: giveUp.signal });
    const peer = await host.accept();
    giveUp.abort(new Error("changed my mind"));
    await expect(connecting).rejects.toThrow("changed my mind");
    await peer.ended();
    await expect(connectHost({ path: host.path, signal: giveUp.signal })).rejects.toThrow("mind");
  });

  test.each([
    ["another event before the greeting", encodeFrame({ type: "error", message: "no" })],
    ["output before the greeting", encodeFrame(Buffer.from("output"))],
    ["no frame", Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n")],
    ["an event that is none", encodeFrame({ type: "hello", version: 1 })],
    ["a list in place of an event", encodeFrame([])],
  ])("fails where the peer says %s", async (_, bytes) => {
    const host = await scriptedHost({ greets: false });
    const connecting = connectHost({ path: host.path });
    connecting.catch(() => {});
    const peer = await host.accept();
    peer.socket.write(bytes);
    await expect(connecting).rejects.toMatchObject({ reason: "protocol" });
    await peer.ended();
  });

  test("fails where the host closes before it has greeted", async () => {
    const host = await scriptedHost({ greets: false });
    const connecting = connectHost({ path: host.path });
    connecting.catch(() => {});
    (await host.accept()).socket.end();
    await expect(connecting).rejects.toMatchObject({ reason: "unreachable" });
  });
});

describe("a connection", () => {
  test("tells of another build, of errors, and of its end, once", async () => {
    const host = await scriptedHost();
    const told: unknown[] = [];
    const ended = new Promise<void>((resolve) => {
      void connectHost({
        path: host.path,
        outdated: (running) => told.push(["outdated", running]),
        error: (message) => told.push(["error", message]),
        end(error) {
          told.push(["end", error.reason]);
          resolve();
        },
      });
    });
    const peer = await host.accept();
    peer.say({ type: "outdated", running: 3 });
    peer.say({ type: "from a newer host", anything: true });
    peer.say({ type: "error", message: "no" });
    peer.say({ type: "outdated" });
    peer.socket.end();
    await ended;
    expect(told).toEqual([
      ["outdated", 3],
      ["error", "no"],
      ["outdated", undefined],
      ["end", "lost"],
    ]);
  });

  test("ends at a frame that is corrupt, and its calls with it", async () => {
    const host = await scriptedHost();
    const connection = await connectHost({ path: host.path });
    const peer = await host.accept();
    const listing = connection.session("work").list();
    listing.catch(() => {});
    await peer.next();
    peer.socket.write(Buffer.of(0, 0, 0, 0));
    await expect(listing).rejects.toMatchObject({ reason: "protocol" });
    await peer.ended();
    await expect(connection.session("work").list()).rejects.toBeInstanceOf(ChannelError);
  });

  test("states colours, and shuts the host down", async () => {
    const host = await scriptedHost();
    const connection = await connectHost({ path: host.path });
    const peer = await host.accept();
    connection.theme({ foreground: 0xffffff, background: 0, scheme: "dark" });
    expect(await peer.next()).toEqual({
      type: "theme",
      foreground: 0xffffff,
      background: 0,
      scheme: "dark",
    });
    const down = connection.shutdown();
    expect(await peer.next()).toEqual({ type: "shutdown" });
    peer.socket.end();
    await down;
  });
});

describe("a watch", () => {
  test("has a session's terminals and tells of every change", async () => {
    const host = await scriptedHost();
    const connection = await connectHost({ path: host.path });
    await host.accept();
    const told: unknown[] = [];
    let next = () => {};
    const opening = connection.watch("work", {
      terminals(terminals) {
        told.push(terminals.map(({ id }) => id));
        next();
      },
      end: () => told.push("end"),
    });
    const peer = await host.accept();
    expect(await peer.next()).toEqual({ type: "list", sessionId: "work" });
    peer.say({ type: "list", terminals: [terminal()] });
    const watch = await opening;
    expect(watch.terminals).toEqual([terminal()]);
    for (const terminals of [[terminal(), terminal({ id: "t2", index: 2 })], []]) {
      const isTold = new Promise<void>((resolve) => {
        next = resolve;
      });
      peer.say({ type: "terminals", terminals });
      await isTold;
      expect(watch.terminals).toEqual(terminals);
    }
    watch.close();
    await peer.ended();
    expect(told).toEqual([["t1", "t2"], []]);
  });

  test("is refused where the host says so, and fails where it goes", async () => {
    const host = await scriptedHost();
    const connection = await connectHost({ path: host.path });
    await host.accept();
    const refused = connection.watch("work");
    refused.catch(() => {});
    const peer = await host.accept();
    await peer.next();
    peer.say({ type: "error", message: "too many lists" });
    await expect(refused).rejects.toMatchObject({ reason: "refused", message: "too many lists" });
    await peer.ended();
    const lost = connection.watch("work");
    lost.catch(() => {});
    const other = await host.accept();
    await other.next();
    other.socket.destroy();
    await expect(lost).rejects.toMatchObject({ reason: "lost" });
  });
});
