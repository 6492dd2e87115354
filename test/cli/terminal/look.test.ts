import { describe, expect, test } from "vitest";
import { type LookOptions, look } from "../../../src/cli/terminal/look.ts";
import type { OwnTerminal, OwnTerminalEvents } from "../../../src/cli/terminal/own-terminal.ts";
import { readDetachKeys } from "../../../src/cli/terminal/typing.ts";
import { connectHost } from "../../../src/host/client/connect-host.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { type Peer, scriptedHost, terminal } from "../../host/client/peer.ts";

/** A person's terminal whose part the test plays. */
class Played implements OwnTerminal {
  size: { cols: number; rows: number } | undefined = { cols: 100, rows: 30 };
  shown = "";
  entered = 0;
  left = 0;
  events: OwnTerminalEvents | undefined;
  #wake = () => {};

  enter(events: OwnTerminalEvents): void {
    this.entered += 1;
    this.events = events;
    this.#wake();
  }

  leave(): void {
    this.left += 1;
  }

  async colours(): Promise<undefined> {}

  answers(part: string): boolean {
    return part === "\x1b[?1;2c";
  }

  async settled(): Promise<void> {}

  async write(bytes: Uint8Array): Promise<void> {
    this.shown += Buffer.from(bytes).toString();
    this.#wake();
  }

  reads(): void {}

  type(text: string): void {
    this.events?.typed(Buffer.from(text, "latin1"));
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => (this.#wake = resolve));
  }
}

/** A look at the terminal t1 that has been let in. `first`: what the host says together with that. */
async function looked(options: Partial<LookOptions> = {}, first: readonly object[] = []) {
  const host = await scriptedHost();
  const own = new Played();
  const connection = await connectHost({ path: host.path });
  const { readOnly = false } = options;
  const end = look((viewer) => connection.attach("t1", { ...viewer, readOnly }), {
    own,
    clock: systemClock,
    detachKeys: readDetachKeys("C-] d"),
    slowLink: false,
    resizes: true,
    readOnly,
    ...options,
  });
  end.catch(() => {});
  await host.accept();
  const peer = await host.accept();
  await peer.next();
  peer.socket.cork();
  for (const message of [{ type: "attached", terminal: terminal() }, ...first]) peer.say(message);
  peer.socket.uncork();
  await own.until(() => own.entered === 1);
  connection.close();
  return { own, peer, end };
}

const input = async (peer: Peer) =>
  Buffer.from((await peer.next()) as Uint8Array).toString("latin1");

describe("a terminal that is looked at", () => {
  test("gets the size of the person's own, now and when that changes", async () => {
    const { own, peer } = await looked();
    expect(await peer.next()).toEqual({ type: "resize", cols: 100, rows: 30 });
    own.size = { cols: 20, rows: 10 };
    own.events?.resized();
    expect(await peer.next()).toEqual({ type: "resize", cols: 20, rows: 10 });
  });

  test("is typed into, and its output is shown", async () => {
    const { own, peer } = await looked({ resizes: false });
    own.type("ls\r");
    expect(await input(peer)).toBe("ls\r");
    peer.say(Buffer.from("file"));
    await own.until(() => own.shown === "file");
  });

  test("gets an escape that nothing follows after a moment, and what the terminal answers", async () => {
    const { own, peer } = await looked({ resizes: false });
    own.type("\x1b[?62c");
    // The host knows whether the program has been answered.
    expect(await input(peer)).toBe("\x1b[?62c");
    own.type("\x1b");
    expect(await input(peer)).toBe("\x1b");
  });

  test("does not get what the person's terminal was asked here", async () => {
    const { own, peer } = await looked({ resizes: false });
    own.type("a\x1b[?1;2cb");
    expect(await input(peer)).toBe("ab");
  });

  test("is left by the keys for it: nothing after them is typed or shown", async () => {
    const { own, peer, end } = await looked({ resizes: false });
    own.type("a\x1dd");
    own.type("b");
    expect(await end).toMatchObject({ end: "detached", terminal: { id: "t1" } });
    expect(await input(peer)).toBe("a");
    await peer.ended();
    expect([peer.untaken, own.left]).toEqual([[], 1]);
  });

  test("read-only heeds these keys alone, and keeps its size", async () => {
    const { own, peer, end } = await looked({ readOnly: true });
    own.type("rm -r\r\x03");
    own.events?.resized();
    own.type("\x1dd");
    expect((await end).end).toBe("detached");
    await peer.ended();
    expect(peer.untaken).toEqual([]);
  });

  test("is shown to its last output when its program has ended", async () => {
    const { own, peer, end } = await looked();
    peer.say(Buffer.from("last"));
    peer.say({ type: "changed", terminal: terminal({ exited: { code: 3 } }) });
    expect(await end).toMatchObject({ end: "exited", terminal: { exited: { code: 3 } } });
    expect([own.shown, own.left]).toEqual(["last", 1]);
  });

  test("whose program had ended before is shown and left, also where there was no output", async () => {
    const exited = { type: "changed", terminal: terminal({ exited: { code: 3 } }) };
    for (const output of [[], [Buffer.from("all")]]) {
      const { own, end } = await looked({}, [...output, exited]);
      expect((await end).end).toBe("exited");
      expect([own.shown, own.left]).toEqual([output.join(""), 1]);
    }
  });

  test("is no more to be seen when it is closed", async () => {
    const { own, peer, end } = await looked();
    peer.say({ type: "closed", terminalId: "t1" });
    expect((await end).end).toBe("closed");
    expect(own.left).toBe(1);
  });

  test("is left when the person's terminal goes or the program is to stop", async () => {
    for (const [event, how] of [
      ["ended", "detached"] as const,
      ["suspended", "suspended"] as const,
    ]) {
      const { own, end } = await looked();
      own.events?.[event]();
      expect((await end).end).toBe(how);
      expect(own.left).toBe(1);
    }
  });

  test("gives the person's terminal back when the host is gone, and says so", async () => {
    const { own, peer, end } = await looked();
    peer.socket.destroy();
    await expect(end).rejects.toThrow(/the connection to the host at .* ended/);
    expect(own.left).toBe(1);
  });

  test("tells afterwards what the host could not do", async () => {
    const { own, peer, end } = await looked();
    peer.say({ type: "error", message: "cols times rows must be at most 262144" });
    peer.say(Buffer.from("."));
    await own.until(() => own.shown === ".");
    own.type("\x1dd");
    expect((await end).problems).toEqual(["cols times rows must be at most 262144"]);
  });
});
