import { once } from "node:events";
import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import WebSocket from "ws";
import { PublishedViews } from "../../../src/acting/views/published.ts";
import type { Looker, OpenView, View } from "../../../src/acting/views/view.ts";
import { createMetrics } from "../../../src/server/metrics.ts";
import type { ServerOptions } from "../../../src/server/server.ts";
import { BLOCKED_MS, MAX_WAITING_BYTES, OPEN_MS } from "../../../src/server/views/limits.ts";
import { MAX_MESSAGE_BYTES } from "../../../src/server/websocket.ts";
import { INSTANCE, startServer, TOKEN } from "../support.ts";
import { rowOf, Seen } from "./support.ts";

const ID = "pty:one";
const TERMINAL = { id: ID, title: "", cols: 80, rows: 24 };

/** A terminal that does what the test says, and keeps what is done with it. */
class Scripted implements View {
  readonly done: string[] = [];
  looker: Looker | undefined;
  /** What its `type` answers. */
  taken: Promise<void> | undefined;
  readonly #waiting = new Set<() => void>();

  readonly open: OpenView = async (_, looker) => {
    this.looker = looker;
    this.#note("open");
    looker.event({ type: "attached", terminal: TERMINAL });
    return this;
  };

  type(bytes: Uint8Array): Promise<void> | undefined {
    this.#note(`type ${Buffer.from(bytes)}`);
    return this.taken;
  }
  resize = (cols: number, rows: number) => this.#note(`resize ${cols} ${rows}`);
  shown = (bytes: number) => this.#note(`shown ${bytes}`);
  theme = () => this.#note("theme");
  close = (force: boolean) => this.#note(`close ${force}`);
  leave = () => this.#note("leave");

  has(what: string): Promise<void> {
    return this.until(() => this.done.includes(what));
  }

  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!holds()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  #note(what: string): void {
    this.done.push(what);
    for (const look of [...this.#waiting]) look();
  }
}

/** A publisher whose one terminal is scripted, and a clock that stands still. */
async function scripted(options: Partial<ServerOptions> = {}, open?: OpenView) {
  const terminal = new Scripted();
  const schemes = { pty: open ?? terminal.open };
  const views = new PublishedViews({ instance: INSTANCE, find: async (id) => rowOf(id), schemes });
  const server = await startServer({ views, ...options });
  return { terminal, server };
}

/** A WebSocket of a view without a client around it. */
async function raw(server: { readonly endpoint: string }, options: WebSocket.ClientOptions = {}) {
  const url = `${server.endpoint.replace("http", "ws")}terminals/${encodeURIComponent(ID)}`;
  const socket = new WebSocket(url, ["ccmsg.v1", `ccmsg.token.${TOKEN}`], options);
  onTestFinished(() => socket.terminate());
  const closed = once(socket, "close").then(([code]) => code as number);
  socket.on("error", () => {});
  await once(socket, "open");
  return { socket, closed };
}

const LAST = Buffer.from("last");

/** A promise that the test resolves. */
function deferred<T>() {
  let resolve = (_: T) => {};
  const promise = new Promise<T>((given) => {
    resolve = given;
  });
  return { promise, resolve };
}

describe("a view of a terminal that does not answer", () => {
  test("is lost where it is not opened in time, and left where it is opened later", async () => {
    const terminal = new Scripted();
    const [asked, opening] = [deferred<AbortSignal>(), deferred<View>()];
    const { server } = await scripted({}, (_, __, signal) => {
      asked.resolve(signal);
      return opening.promise;
    });
    const seen = new Seen(server, ID);
    const signal = await asked.promise;
    server.clock.advance(OPEN_MS);
    await seen.ended();
    expect(seen.error).toMatchObject({ reason: "lost", code: 4503 });
    expect(seen.error?.message).toContain(`has not been reached in ${OPEN_MS} ms`);
    expect(signal.aborted).toBe(true);
    opening.resolve(terminal);
    await terminal.has("leave");
  });

  test("is given up when its viewer leaves or the publisher stops meanwhile", async () => {
    for (const isStopped of [false, true]) {
      const [asked, opening] = [deferred<AbortSignal>(), deferred<View>()];
      const { server } = await scripted({}, (_, __, signal) => {
        asked.resolve(signal);
        return opening.promise;
      });
      const { socket, closed } = await raw(server);
      const signal = await asked.promise;
      const aborted = once(signal, "abort");
      if (isStopped) {
        await server.stop("stop");
        expect(await closed).toBe(1001);
      } else {
        // Nothing is read of it while the terminal is reached, so its end shows with the deadline.
        socket.terminate();
        server.clock.advance(OPEN_MS);
      }
      await aborted;
    }
  });

  test("types nothing on while that is held up, and is lost where it lasts", async () => {
    const { server, terminal } = await scripted();
    const seen = new Seen(server, ID);
    await seen.attached();
    const first = deferred<void>();
    terminal.taken = first.promise;
    seen.type("one");
    await terminal.has("type one");
    terminal.taken = undefined;
    seen.type("two");
    first.resolve();
    await terminal.has("type two");
    terminal.taken = new Promise(() => {});
    seen.type("three");
    await terminal.has("type three");
    server.clock.advance(BLOCKED_MS);
    await seen.ended();
    expect(seen.error).toMatchObject({ reason: "lost", code: 4503 });
    expect(seen.error?.message).toContain("has taken nothing of what was typed");
    expect(terminal.done.at(-1)).toBe("leave");
  });

  test("that fails inside the publisher is lost, and says nothing of how", async () => {
    const { server } = await scripted({}, async () => {
      throw new RangeError("secret of the publisher");
    });
    const seen = new Seen(server, ID);
    await seen.ended();
    expect(seen.error).toMatchObject({ reason: "lost" });
    expect(seen.error?.message).not.toContain("secret");
  });
});

describe("a viewer", () => {
  test("that takes nothing of what it is told is given up as too slow", async () => {
    const { server, terminal } = await scripted();
    const { socket, closed } = await raw(server);
    await terminal.has("open");
    socket.pause();
    let sent = 0;
    while (!terminal.done.includes("leave")) {
      terminal.looker?.event({ type: "error", message: "x".repeat(60_000) });
      sent += 60_000;
      await new Promise((turn) => setImmediate(turn));
      // What the kernel takes is nothing of ours.
      expect(sent).toBeLessThan(64 * MAX_WAITING_BYTES);
    }
    socket.resume();
    expect(await closed).toBe(4408);
  });

  test("whose message is too long is closed, and nothing of it is typed", async () => {
    const { server, terminal } = await scripted();
    const { socket, closed } = await raw(server);
    await terminal.has("open");
    socket.send(Buffer.alloc(MAX_MESSAGE_BYTES + 1));
    expect(await closed).toBe(1009);
    await terminal.has("leave");
    expect(terminal.done).toEqual(["open", "leave"]);
  });

  test("that sends a thousand messages at once keeps nobody else waiting for all of them", async () => {
    const { server, terminal } = await scripted();
    const { socket } = await raw(server);
    await terminal.has("open");
    let turn = 0;
    let next = setImmediate(function count() {
      turn += 1;
      next = setImmediate(count);
    });
    onTestFinished(() => clearImmediate(next));
    const turns = new Set<number>();
    terminal.type = (bytes) => {
      turns.add(turn);
      if (Buffer.from(bytes).equals(LAST)) terminal.resize(1, 1);
      return undefined;
    };
    for (let message = 0; message < 1_000; message += 1) socket.send(Buffer.from("x"));
    socket.send(LAST);
    await terminal.has("resize 1 1");
    expect(turns.size).toBeGreaterThan(500);
  });

  test("that answers no ping is cut, and its view left", async () => {
    const { server, terminal } = await scripted();
    const { socket, closed } = await raw(server, { autoPong: false });
    await terminal.has("open");
    const pinged = once(socket, "ping");
    server.clock.advance(15_000);
    await pinged;
    server.clock.advance(15_000);
    expect(await closed).toBe(1006);
    await terminal.has("leave");
  });

  test("asks for all in the order in which it came, bytes among it", async () => {
    const { server, terminal } = await scripted();
    const seen = new Seen(server, ID);
    await seen.attached();
    seen.viewer.resize(90, 20);
    seen.type("a");
    seen.viewer.theme({ foreground: 0, background: 1, scheme: "dark" });
    seen.type("b");
    seen.viewer.close();
    seen.viewer.close({ force: true });
    await terminal.has("close true");
    expect(terminal.done).toEqual([
      ...["open", "resize 90 20", "type a", "theme", "type b", "close false", "close true"],
    ]);
  });

  test("that pastes megabytes sends them in pieces, none of which is too long", async () => {
    const { server, terminal } = await scripted();
    const seen = new Seen(server, ID);
    await seen.attached();
    const pasted = "0123456789".repeat(300_000);
    seen.type(pasted);
    const typed = () => terminal.done.filter((what) => what.startsWith("type "));
    const text = () =>
      typed()
        .map((what) => what.slice(5))
        .join("");
    await terminal.until(() => text().length >= pasted.length);
    expect(text()).toBe(pasted);
    expect(typed().length).toBeGreaterThan(10);
  });

  test("is one connection among those that an address may have", async () => {
    const { server } = await scripted({ maxConnectionsPerAddress: 1 });
    const first = new Seen(server, ID);
    await first.attached();
    const second = new Seen(server, ID);
    await second.ended();
    expect(second.error).toMatchObject({ reason: "lost", message: "the publisher answers 429" });
    first.viewer.leave();
    const { promise, resolve } = deferred<void>();
    const again = async () => {
      const third = new Seen(server, ID);
      await third.until(() => third.error !== undefined || third.terminal !== undefined);
      if (third.terminal === undefined) await again();
      else resolve();
    };
    await Promise.all([again(), promise]);
  });
});

test("what views did is logged and counted, and never what was typed or shown", async () => {
  const lines: string[] = [];
  const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
  const metrics = createMetrics();
  const { server, terminal } = await scripted({ log, metrics });
  const seen = new Seen(server, ID);
  await seen.attached();
  seen.type("typed-secret");
  await terminal.has("type typed-secret");
  terminal.looker?.output(Buffer.from("shown-secret"));
  await seen.says("shown-secret");
  expect((await metrics.page()).text).toContain("termtopic_views 1");
  seen.viewer.leave();
  await terminal.has("leave");
  const text = lines.join("");
  expect(text).not.toContain("secret");
  expect(text).toMatch(/"terminal":"pty:one","readOnly":false.*"viewed"/);
  expect(text).toMatch(/"terminal":"pty:one","reason":"left","shown":12,"typed":12.*"view ended"/);
  const page = (await metrics.page()).text;
  expect(page).toContain("termtopic_views 0");
  expect(page).toContain('termtopic_views_ended_total{reason="left"} 1');
});
