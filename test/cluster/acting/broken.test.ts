import { randomBytes } from "node:crypto";
import type { NatsConnection } from "@nats-io/transport-node";
import { describe, expect, test } from "vitest";
import type { Looker, View } from "../../../src/acting/views/view.ts";
import { MAX_VIEWS_OF_ONE, TYPED_WINDOW_BYTES } from "../../../src/cluster/acting/limits.ts";
import { inboxPrefix, viewSubject } from "../../../src/cluster/subjects.ts";
import type { NatsServer } from "../../lib/nats/server.ts";
import { Seen } from "../../server/views/support.ts";
import { BUCKET, type Publisher, type PublisherOptions, stranger, two } from "./support.ts";

/** A view over distance that has shown something. */
async function viewed(options: { here?: PublisherOptions; there?: PublisherOptions } = {}) {
  const ground = await two(options);
  const { here, there } = ground;
  const id = await there.start("sh", "-c", "echo up; exec cat");
  const seen = new Seen(here.server, id, there);
  await seen.says("up");
  return { ...ground, id, seen };
}

const lost = (words: string) => ({ reason: "lost", message: expect.stringContaining(words) });

describe("a view over distance whose way is broken", () => {
  test("ends at once where the publisher that is looked at from loses it, and its owner lets go", async () => {
    const { here, there, id, seen } = await viewed({ there: { isHasty: true } });
    here.link.cut();
    await seen.ended();
    expect(seen.error).toMatchObject(lost("the connection was lost"));
    await there.host.hasLeft(1);
    here.link.heal();
    await here.becomes(true);
    await new Seen(here.server, id, there).says("up");
  });

  test("ends where its owner loses it, once that has been silent for too long", async () => {
    const { there, seen } = await viewed({ here: { isHasty: true } });
    there.link.cut();
    await seen.ended();
    expect(seen.error).toMatchObject(lost("it said nothing for 15 s"));
    await there.host.hasLeft(1);
  });

  test("ends at both where nothing passes any more and nobody says so", async () => {
    const { there, seen } = await viewed({ here: { isHasty: true }, there: { isHasty: true } });
    there.link.hold();
    await seen.ended();
    expect(seen.error).toMatchObject(lost("it said nothing for 15 s"));
    await there.host.hasLeft(1);
    there.link.heal();
  });

  test("ends at both where the bus is restarted, and is there again after it", async () => {
    const { nats, here, there, id, seen } = await viewed();
    await nats.kill();
    await seen.ended();
    expect(seen.error).toMatchObject(lost("the connection was lost"));
    await there.host.hasLeft(1);
    await nats.restart();
    await Promise.all([here.becomes(true), there.becomes(true)]);
    await new Seen(here.server, id, there).says("up");
  });

  test("ends with the owner's word where its publisher stops", async () => {
    const { there, seen } = await viewed();
    there.distant.stop();
    await seen.ended();
    expect(seen.error).toMatchObject(lost(`the publisher of the instance ${there.instance} stops`));
    await there.host.hasLeft(1);
  });

  test("lasts as long as nothing is said but that both sides are there", async () => {
    const { nats, here, there, seen } = await viewed({
      here: { isHasty: true },
      there: { isHasty: true },
    });
    const { connection } = await stranger(nats);
    let left = 10;
    for await (const message of connection.subscribe(viewSubject(BUCKET, here.instance, "*"))) {
      // The kind of a sign of life.
      if (message.data[0] === 2) left -= 1;
      if (left === 0) break;
    }
    expect(seen.error).toBeUndefined();
    seen.type("still\n");
    await seen.says("still\r\nstill");
    expect(there.host.sockets.size).toBe(2);
  });
});

/** The subjects of the views that one instance is sent something of, as they come up. */
async function subjectOf(nats: NatsServer, { instance }: Publisher, act: () => void) {
  const { connection } = await stranger(nats);
  const messages = connection.subscribe(viewSubject(BUCKET, instance, "*"));
  await connection.flush();
  act();
  for await (const { subject } of messages) return { connection, subject };
  throw new Error("the subscription ended");
}

/** A message of a view. */
function message(kind: number, number: number, content: string | Uint8Array = ""): Uint8Array {
  const head = Buffer.alloc(5);
  head[0] = kind;
  head.writeUInt32BE(number, 1);
  return Buffer.concat([head, Buffer.from(content)]);
}

describe("what is not what the other side sent", () => {
  test.each([
    ["a message twice", message(0, 0, "again"), "something that it sent was lost"],
    [
      "a message with a hole before it",
      message(0, 9_999, "later"),
      "something that it sent was lost",
    ],
    ["no message", Buffer.from("x"), "a message that is none"],
  ])("ends the view: %s", async (_, bytes, words) => {
    const { nats, here, there, seen } = await viewed();
    const { connection, subject } = await subjectOf(nats, here, () => seen.type("more\n"));
    const before = seen.output;
    connection.publish(subject, bytes);
    await seen.ended();
    expect(seen.error).toMatchObject(lost(words));
    expect(seen.output).not.toMatch(/again|later/);
    expect(seen.output.startsWith(before)).toBe(true);
    await there.host.hasLeft(1);
  });

  test("begins no view where it is no opening, or one of somebody else", async () => {
    const { nats, here, there } = await two();
    const { instance: from, connection } = await stranger(nats);
    const id = await there.start("cat");
    const subject = viewSubject(BUCKET, there.instance, "f".repeat(32));
    const ask = async (opening: unknown) => {
      const text = typeof opening === "string" ? opening : JSON.stringify(opening);
      return (await connection.request(subject, text, { timeout: 5_000 })).json();
    };
    const wrong = { refused: "a view must be asked for with from, terminal and readOnly" };
    expect(await ask("")).toEqual(wrong);
    expect(await ask("[".repeat(100_000))).toEqual(wrong);
    expect(await ask({ from, terminal: 7, readOnly: false })).toEqual(wrong);
    expect(await ask({ from: "*", terminal: id, readOnly: false })).toEqual(wrong);
    const forged = { from: here.instance, terminal: id, readOnly: false };
    connection.publish(subject, JSON.stringify(forged), { reply: `${inboxPrefix(from)}.x` });
    connection.publish(subject, message(0, 0, "typed"));
    // What came before it was taken by then.
    expect(await ask("")).toEqual(wrong);
    expect(there.host.sockets.size).toBe(1);
  });
});

/** A view of nothing, whose looker is told what the test wants. */
class FakeView implements View {
  readonly looker: Looker;
  typed = 0;
  readonly requests: string[] = [];
  isLeft = false;
  take: () => void = () => {};
  taking: Promise<void> | undefined;
  #look = () => {};

  constructor(looker: Looker) {
    this.looker = looker;
    const terminal = { id: "pty:fake", title: "", cols: 80, rows: 24 };
    looker.event({ type: "attached", terminal });
  }

  /** Takes nothing more until `take` is called. */
  block(): void {
    this.taking = new Promise((resolve) => {
      this.take = resolve;
    });
  }

  type(bytes: Uint8Array): Promise<void> | undefined {
    this.typed += bytes.length;
    this.#look();
    return this.taking;
  }

  resize(cols: number): void {
    this.#note(`resize ${cols}`);
  }

  shown(bytes: number): void {
    this.#note(`shown ${bytes}`);
  }

  theme(): void {
    this.#note("theme");
  }

  close(): void {
    this.#note("close");
  }

  leave(): void {
    this.isLeft = true;
    this.#look();
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => (this.#look = resolve));
  }

  #note(request: string): void {
    this.requests.push(`${request} after ${this.typed}`);
    this.#look();
  }
}

/** Views of nothing. */
class FakeViews {
  readonly opened: FakeView[] = [];

  async open(_: unknown, looker: Looker): Promise<View> {
    const view = new FakeView(looker);
    this.opened.push(view);
    return view;
  }
}

interface ViewAsker {
  readonly from: string;
  readonly connection: NatsConnection;
  readonly readOnly: boolean;
}

/** Asks for a view of nothing; answers where the owner listens for what belongs to it. Rejects where there is none. */
async function asksForView(
  { instance }: Publisher,
  { from, connection, readOnly }: ViewAsker,
): Promise<string> {
  const opening = JSON.stringify({ from, terminal: "pty:fake", readOnly });
  const asked = viewSubject(BUCKET, instance, randomBytes(16).toString("hex"));
  const answer = (await connection.request(asked, opening, { timeout: 5_000 })).json<object>();
  const view: unknown = Reflect.get(answer, "view");
  if (typeof view !== "string") throw new Error(String(Reflect.get(answer, "refused")));
  return viewSubject(BUCKET, instance, view);
}

describe("what is typed over distance", () => {
  test("is held back where its terminal takes nothing, and what is asked for stays behind it", async () => {
    const views = new FakeViews();
    const { here, there } = await two({ there: { views } });
    const seen = new Seen(here.server, "pty:fake", there);
    await seen.attached();
    const [view] = views.opened as [FakeView];
    view.block();
    const text = "x".repeat(3 * TYPED_WINDOW_BYTES);
    seen.type(text);
    seen.viewer.resize(90, 20);
    view.looker.output(Buffer.alloc(64 * 1024, "o"));
    // The first piece; nothing of the others is taken before that.
    await view.until(() => view.typed > 0);
    await seen.until(() => seen.bytes > 0);
    expect(view.typed).toBeLessThanOrEqual(TYPED_WINDOW_BYTES);
    expect(view.requests.filter((one) => one.startsWith("resize"))).toEqual([]);
    view.taking = undefined;
    view.take();
    await view.until(() => view.requests.some((one) => one.startsWith("resize")));
    expect(view.typed).toBe(text.length);
    expect(view.requests).toContain(`resize 90 after ${text.length}`);
  });

  test("ends the view where it is more than a publisher would send before it was taken", async () => {
    const views = new FakeViews();
    const { nats, there } = await two({ there: { views } });
    const { instance: from, connection } = await stranger(nats);
    const asker = { from, connection, readOnly: false };
    const subject = await asksForView(there, asker);
    const [view] = views.opened as [FakeView];
    view.block();
    for (let number = 0; number < 40; number += 1) {
      connection.publish(subject, message(0, number, "x".repeat(65_536)));
    }
    await view.until(() => view.isLeft);
    expect(view.typed).toBeLessThanOrEqual(2 * TYPED_WINDOW_BYTES);
  });

  test("is nothing where it asks for an answer, as what the bus delivers from elsewhere does", async () => {
    const views = new FakeViews();
    const { nats, there } = await two({ there: { views } });
    const { instance: from, connection } = await stranger(nats);
    const subject = await asksForView(there, { from, connection, readOnly: false });
    const [view] = views.opened as [FakeView];
    for (const reply of ["$JS.ACK.KV_test.x.1.1.1.1.0", `${inboxPrefix(from)}.x`]) {
      connection.publish(subject, message(0, 0, "delivered"), { reply });
    }
    connection.publish(subject, message(0, 0, "own"));
    await view.until(() => view.typed > 0);
    expect(view.typed).toBe("own".length);
    expect(view.isLeft).toBe(false);
  });

  test("is nothing where the view only looks, whoever says otherwise", async () => {
    const views = new FakeViews();
    const { nats, there } = await two({ there: { views } });
    const { instance: from, connection } = await stranger(nats);
    const asker = { from, connection, readOnly: true };
    const subject = await asksForView(there, asker);
    const [view] = views.opened as [FakeView];
    expect(view.looker.readOnly).toBe(true);
    connection.publish(subject, message(0, 0, "typed"));
    const requests = [
      { type: "resize", cols: 9, rows: 9 },
      { type: "close", force: true },
      { type: "theme", foreground: 1, background: 2, scheme: "dark" },
      { type: "ack", bytes: 7 },
    ];
    requests.forEach((request, at) => {
      connection.publish(subject, message(1, at + 1, JSON.stringify({ request })));
    });
    await view.until(() => view.requests.length > 0);
    expect(view.requests).toEqual(["shown 7 after 0"]);
  });
});

test("the views of one instance are bounded, and those of others are there all the same", async () => {
  const views = new FakeViews();
  const { nats, here, there } = await two({ there: { views } });
  const { instance: from, connection } = await stranger(nats);
  const ask = () => asksForView(there, { from, connection, readOnly: true });
  const first = await ask();
  for (let count = 1; count < MAX_VIEWS_OF_ONE; count += 1) await ask();
  await expect(ask()).rejects.toThrow("try again when one is closed");
  await new Seen(here.server, "pty:fake", there).attached();
  connection.publish(first, message(1, 0, JSON.stringify({ left: true })));
  await ask();
});
