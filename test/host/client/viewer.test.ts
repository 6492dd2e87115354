import { describe, expect, onTestFinished, test } from "vitest";
import { encodeFrame } from "../../../src/host/channel/frames.ts";
import {
  ACKNOWLEDGE_BYTES,
  MAX_BACKLOG,
  SLOW_LINK_ACKNOWLEDGE_BYTES,
} from "../../../src/host/channel/limits.ts";
import { connectHost, type Viewer, type ViewerOptions } from "../../../src/host/index.ts";
import { type Peer, scriptedHost, terminal } from "./peer.ts";

interface Attached {
  readonly viewer: Viewer;
  readonly peer: Peer;
}

async function attached(options: ViewerOptions & { readOnly?: boolean } = {}): Promise<Attached> {
  const { attaching, peer } = await asked(options);
  await peer.next();
  peer.say({ type: "attached", terminal: terminal() });
  return { viewer: await attaching, peer };
}

/** A viewer that waits for the host's answer. */
async function asked(options: ViewerOptions & { readOnly?: boolean } = {}) {
  const host = await scriptedHost();
  const connection = await connectHost({ path: host.path });
  await host.accept();
  const attaching = connection.attach("t1", options);
  attaching.catch(() => {});
  return { attaching, peer: await host.accept(), connection, host };
}

/** Takes that many bytes of output. */
async function taken(viewer: Viewer, bytes: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  if (bytes === 0) return Buffer.alloc(0);
  for await (const piece of viewer) {
    pieces.push(piece);
    length += piece.length;
    if (length >= bytes) break;
  }
  return Buffer.concat(pieces);
}

describe("attaching", () => {
  test("names the terminal and gives it as the host states it", async () => {
    const { attaching, peer } = await asked();
    expect(await peer.next()).toEqual({ type: "attach", terminalId: "t1" });
    peer.say({ type: "attached", terminal: terminal({ title: "vim" }) });
    expect((await attaching).terminal).toEqual(terminal({ title: "vim" }));
  });

  test("says when it is only to look", async () => {
    const { peer } = await asked({ readOnly: true });
    expect(await peer.next()).toEqual({ type: "attach", terminalId: "t1", readOnly: true });
  });

  test("opens a terminal where that is asked for", async () => {
    const host = await scriptedHost();
    const connection = await connectHost({ path: host.path });
    await host.accept();
    const fields = { sessionId: "work", cwd: "/", env: null, cols: 80, rows: 24 };
    const opening = connection.open({ ...fields, exec: ["top"] });
    const peer = await host.accept();
    expect(await peer.next()).toEqual({ type: "open", ...fields, exec: ["top"] });
    peer.say({ type: "attached", terminal: terminal({ id: "t9" }) });
    expect((await opening).terminal.id).toBe("t9");
  });

  test("is refused in the host's words, and leaves no connection behind", async () => {
    const { attaching, peer } = await asked();
    await peer.next();
    peer.say({ type: "error", message: "there is no terminal of that id" });
    await expect(attaching).rejects.toMatchObject({
      reason: "refused",
      message: "there is no terminal of that id",
    });
    await peer.ended();
  });

  test("fails with the connection, and is given up by its signal", async () => {
    const { attaching, peer } = await asked();
    await peer.next();
    peer.socket.destroy();
    await expect(attaching).rejects.toMatchObject({ reason: "lost" });

    const giveUp = new AbortController();
    const given = await asked({ signal: giveUp.signal });
    await given.peer.next();
    giveUp.abort(new Error("enough"));
    await expect(given.attaching).rejects.toThrow("enough");
    await given.peer.ended();
  });
});

describe("output", () => {
  test("comes as it was sent, from before the loop began too, and ends with the terminal", async () => {
    const { viewer, peer } = await attached();
    peer.say(Buffer.from("one "));
    peer.say(Buffer.from("two "));
    expect((await taken(viewer, 8)).toString()).toBe("one two ");
    peer.say(Buffer.from("three"));
    peer.say({ type: "closed", terminalId: "t1" });
    expect((await taken(viewer, 1_000)).toString()).toBe("three");
    await peer.ended();
  });

  test("comes without waiting for the end of its frame", async () => {
    const { viewer, peer } = await attached();
    const frame = encodeFrame(Buffer.from("half a line and the rest"));
    peer.socket.write(frame.subarray(0, 16));
    expect((await taken(viewer, 11)).toString()).toBe("half a line");
    peer.socket.write(frame.subarray(16));
    expect((await taken(viewer, 13)).toString()).toBe(" and the rest");
  });

  test("is acknowledged when it has been consumed, a step at a time", async () => {
    const { viewer, peer } = await attached();
    const half = Buffer.alloc(ACKNOWLEDGE_BYTES / 2);
    peer.say(half);
    await taken(viewer, half.length);
    peer.say(half);
    expect(peer.untaken).toEqual([]);
    await taken(viewer, half.length);
    expect(await peer.next()).toEqual({ type: "ack", bytes: ACKNOWLEDGE_BYTES });
  });

  test("that somebody is still busy with is not acknowledged", async () => {
    const { viewer, peer } = await attached();
    peer.say(Buffer.alloc(ACKNOWLEDGE_BYTES + 1));
    let shown = 0;
    for await (const piece of viewer) {
      shown += piece.length;
      if (shown < ACKNOWLEDGE_BYTES + 1) continue;
      viewer.resize(81, 24);
      // What is sent now is sent before any acknowledgement of this piece.
      expect(await peer.next()).toEqual({ type: "resize", cols: 81, rows: 24 });
      break;
    }
    expect(await peer.next()).toEqual({ type: "ack", bytes: ACKNOWLEDGE_BYTES + 1 });
  });

  test("is acknowledged in small steps on a slow link", async () => {
    const { viewer, peer } = await attached({ slowLink: true });
    peer.say(Buffer.alloc(SLOW_LINK_ACKNOWLEDGE_BYTES));
    await taken(viewer, SLOW_LINK_ACKNOWLEDGE_BYTES);
    expect(await peer.next()).toEqual({ type: "ack", bytes: SLOW_LINK_ACKNOWLEDGE_BYTES });
  });

  test("goes to a function in place of the loop, which says when it is consumed", async () => {
    const consumers: (() => void)[] = [];
    let bytes = 0;
    let isThere = () => {};
    const all = new Promise<void>((resolve) => {
      isThere = resolve;
    });
    const { peer } = await attached({
      output(piece, consumed) {
        bytes += piece.length;
        consumers.push(consumed);
        if (bytes === ACKNOWLEDGE_BYTES) isThere();
      },
    });
    peer.say(Buffer.alloc(ACKNOWLEDGE_BYTES));
    await all;
    expect(peer.untaken).toEqual([]);
    for (const consumed of consumers) {
      consumed();
      consumed();
    }
    expect(await peer.next()).toEqual({ type: "ack", bytes: ACKNOWLEDGE_BYTES });
  });

  test("from a host that waits for no acknowledgement ends the viewer before memory does", async () => {
    let ended = (_reason: string) => {};
    const end = new Promise<string>((resolve) => {
      ended = resolve;
    });
    const { viewer, peer } = await attached({ end: ({ reason }) => ended(reason) });
    for (let sent = 0; sent <= MAX_BACKLOG; sent += 1024 * 1024)
      peer.say(Buffer.alloc(1024 * 1024));
    expect(await end).toBe("protocol");
    await expect(taken(viewer, Number.POSITIVE_INFINITY)).rejects.toMatchObject({
      reason: "protocol",
    });
    expect((await taken(viewer, 1)).length).toBe(0);
  });

  test("that is there when the connection is lost is given before the error", async () => {
    const { viewer, peer } = await attached();
    peer.say(Buffer.from("last words"));
    peer.socket.end();
    const pieces: string[] = [];
    const reading = (async () => {
      for await (const piece of viewer) pieces.push(Buffer.from(piece).toString());
    })();
    await expect(reading).rejects.toMatchObject({ reason: "lost" });
    expect(pieces.join("")).toBe("last words");
  });
});

describe("a viewer", () => {
  test("types, resizes and is told of changes in their order", async () => {
    const told: unknown[] = [];
    let last = () => {};
    const isLast = new Promise<void>((resolve) => {
      last = resolve;
    });
    const { viewer, peer } = await attached({
      changed: ({ title }) => told.push(["changed", title]),
      skipped: (bytes) => told.push(["skipped", bytes]),
      error: (message) => told.push(["error", message]),
      outdated: (running) => told.push(["outdated", running]),
      closed() {
        told.push("closed");
        last();
      },
      end: () => told.push("end"),
    });
    viewer.write(Buffer.from("ls\r"));
    expect(await peer.next()).toEqual(new Uint8Array(Buffer.from("ls\r")));
    viewer.resize(100, 50);
    expect(await peer.next()).toEqual({ type: "resize", cols: 100, rows: 50 });
    peer.say({ type: "changed", terminal: terminal({ title: "new" }) });
    peer.say({ type: "skipped", terminalId: "t1", bytes: 4_096 });
    peer.say({ type: "outdated", running: 1 });
    peer.say({ type: "error", message: "no" });
    peer.say({ type: "closed", terminalId: "another" });
    peer.say({ type: "closed", terminalId: "t1" });
    await isLast;
    expect(viewer.terminal.title).toBe("new");
    await peer.ended();
    expect(told).toEqual([
      ["changed", "new"],
      ["skipped", 4_096],
      ["outdated", 1],
      ["error", "no"],
      "closed",
    ]);
  });

  test("is told that the program has ended once it has consumed the last output", async () => {
    const told: [string, number | undefined][] = [];
    const { viewer, peer } = await attached({
      changed: ({ exited }) => told.push(["changed", exited?.code]),
      exited: ({ exited }) => {
        told.push(["exited", exited?.code]);
        viewer.leave();
      },
    });
    peer.say(Buffer.from("one "));
    peer.say(Buffer.from("two"));
    peer.say({ type: "changed", terminal: terminal({ exited: { code: 3 } }) });
    peer.say({ type: "changed", terminal: terminal({ exited: { code: 3 }, name: "done" }) });
    let shown = "";
    for await (const piece of viewer) {
      expect(told).not.toContainEqual(["exited", 3]);
      shown += Buffer.from(piece).toString();
    }
    expect(shown).toBe("one two");
    expect(told.filter(([what]) => what === "exited")).toEqual([["exited", 3]]);
    await peer.ended();
  });

  test("that waits for the host in many places listens once", async () => {
    const { viewer, peer } = await attached();
    peer.socket.pause();
    while (viewer.write(Buffer.alloc(64 * 1024))) await viewer.drained();
    const waiting = Array.from({ length: 50 }, () => viewer.drained());
    // The same wait, and no listener of the socket for each.
    const warned: Error[] = [];
    const warn = (warning: Error) => void warned.push(warning);
    process.on("warning", warn);
    onTestFinished(() => void process.off("warning", warn));
    peer.socket.resume();
    await Promise.all(waiting);
    for (let count = 0; count < 50; count += 1) {
      viewer.write(Buffer.alloc(512 * 1024));
      await viewer.drained();
    }
    expect(warned).toEqual([]);
  });

  test("sends a large paste in frames that leave room for others, in order", async () => {
    const { viewer, peer } = await attached();
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
    const isTaken = viewer.write(bytes);
    if (!isTaken) await viewer.drained();
    const frames: Uint8Array[] = [];
    for (let length = 0; length < bytes.length; length = Buffer.concat(frames).length) {
      frames.push((await peer.next()) as Uint8Array);
    }
    expect(Buffer.concat(frames).equals(bytes)).toBe(true);
    expect(Math.max(...frames.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024);
  });

  test("holds no more input than may wait for a host that does not read", async () => {
    const { viewer, peer } = await attached();
    peer.socket.pause();
    const megabyte = Buffer.alloc(1024 * 1024);
    const write = () => {
      for (let count = 0; count < 16; count += 1) viewer.write(megabyte);
    };
    expect(write).toThrow(expect.objectContaining({ reason: "backlog" }));
    peer.socket.resume();
    await viewer.drained();
    expect(viewer.write(Buffer.from("x"))).toBe(true);
  });

  test("closes the terminal, or says what is in the way", async () => {
    const { viewer, peer } = await attached();
    const asking = viewer.close();
    expect(await peer.next()).toEqual({ type: "close" });
    peer.say({ type: "busy", terminalId: "t1", program: "vim" });
    expect(await asking).toEqual({ closed: false, program: "vim" });
    const again = viewer.close();
    await peer.next();
    peer.say({ type: "busy", terminalId: "t1" });
    expect(await again).toEqual({ closed: false });
    const forcing = viewer.close({ force: true });
    expect(await peer.next()).toEqual({ type: "close", force: true });
    peer.say({ type: "closed", terminalId: "t1" });
    expect(await forcing).toEqual({ closed: true });
    await expect(viewer.close()).rejects.toMatchObject({ reason: "closed" });
    expect(viewer.write(Buffer.from("nobody gets this"))).toBe(true);
  });

  test("that cannot close the terminal says why", async () => {
    const { viewer, peer } = await attached({ readOnly: true });
    const asking = viewer.close();
    asking.catch(() => {});
    await peer.next();
    peer.say({ type: "error", message: "the viewer is read-only" });
    await expect(asking).rejects.toThrow("the viewer is read-only");
  });

  test("leaves without closing the terminal, and its loop ends", async () => {
    const { viewer, peer } = await attached();
    const reading = taken(viewer, 1);
    viewer.write(Buffer.from("bye"));
    viewer.leave();
    expect((await reading).length).toBe(0);
    expect(await peer.next()).toEqual(new Uint8Array(Buffer.from("bye")));
    await peer.ended();
    expect(peer.untaken).toEqual([]);
  });
});
