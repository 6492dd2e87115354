import { expect, test } from "vitest";
import { BOOKMARK_MS, type TopicFrame } from "../../../src/contract/envelope.ts";
import { TerminalsFrame } from "../../../src/contract/terminals.ts";
import { isValid } from "../../../src/contract/validation.ts";
import { faultWithoutText } from "../../../src/host/process/fault.ts";
import type { HostPlaces } from "../../../src/host/process/places.ts";
import { hostPlaces } from "../../../src/host/process/places.ts";
import type { ListedTerminal } from "../../../src/host/process/rows.ts";
import { offerHostTerminals } from "../../../src/host/process/topic.ts";
import { Signal } from "../../../src/host/signal.ts";
import { Topics } from "../../../src/topics/hub.ts";
import { FakeClock } from "../../lib/fake-clock.ts";
import { FakeTable, processInfo } from "../../lib/fake-table.ts";

const INSTANCE = "3f9c1a7b5e2d48069c1a7b5e2d480691";

function terminal(id: string, rest: Partial<ListedTerminal> = {}): ListedTerminal {
  return {
    options: { id, command: ["bash"], cwd: "/srv" },
    createdAt: 1_700_000_000_000,
    state: "running",
    pid: 7,
    tty: "/dev/pts/7",
    name: undefined,
    title: "",
    size: { cols: 80, rows: 24 },
    exit: undefined,
    bell: false,
    activityAt: undefined,
    ...rest,
  };
}

/** A host whose terminals the test sets, and who is subscribed to them. */
class Scene {
  readonly clock = new FakeClock();
  readonly terminals = { all: [] as ListedTerminal[], changed: new Signal() };
  readonly frames: TopicFrame[] = [];
  readonly table = new FakeTable();
  readonly #topics = new Topics({ clock: this.clock });
  readonly topic = offerHostTerminals({
    topics: this.#topics,
    terminals: this.terminals,
    table: this.table,
    clock: this.clock,
    instance: INSTANCE,
    epoch: "0123456789abcdef",
    self: { id: INSTANCE, host: "test", reachable: true },
  });
  readonly reader = this.#topics.connect({
    buffered: 0,
    send: (line) => {
      const frame: TopicFrame = JSON.parse(Buffer.from(line).toString("utf8"));
      expect(isValid(TerminalsFrame, frame)).toBe(true);
      this.frames.push(frame);
    },
    evict() {},
  });

  async subscribe(): Promise<void> {
    (await this.reader.open("terminals"))();
  }

  async set(...all: ListedTerminal[]): Promise<void> {
    this.terminals.all = all;
    this.terminals.changed.emit();
    await this.clock.advance(20);
  }

  get last(): unknown {
    return this.frames.at(-1)?.data;
  }
}

test("a terminal that is there for its viewers alone is not listed", async () => {
  const scene = new Scene();
  const hidden = terminal("b");
  await scene.set(terminal("a"), {
    ...hidden,
    options: { ...hidden.options, isWhileViewed: true },
  });
  await scene.subscribe();
  expect(scene.last).toMatchObject({ terminals: [{ id: "pty:a" }] });
});

test("a row says what is known of a terminal, and a dead one how it ended", async () => {
  const scene = new Scene();
  scene.table.set(processInfo(7, { startTick: "4711" }));
  scene.terminals.all = [
    terminal("a b", { name: "na\nme", title: "ti\u202etle", activityAt: 1_700_000_061_234 }),
  ];
  await scene.subscribe();
  expect(scene.frames[0]).toMatchObject({ snapshot: true, instance: INSTANCE, seq: 1 });
  expect(scene.last).toMatchObject({
    terminals: [
      {
        instance: INSTANCE,
        id: "pty:a%20b",
        state: "running",
        command: ["bash"],
        cwd: "/srv",
        pid: 7,
        start_tick: "4711",
        started_at: 1_700_000_000_000,
        tty: "/dev/pts/7",
        name: "na me",
        cols: 80,
        rows: 24,
        bell: false,
        activity_at: 1_700_000_040_000,
      },
    ],
    sources: [{ scheme: "pty", status: "ok" }],
  });
  expect(JSON.stringify(scene.last)).not.toContain("\u202e");

  await scene.set(
    terminal("a b", { state: "exited", pid: undefined, exit: { signal: "SIGKILL" } }),
  );
  const [dead] = (scene.last as { terminals: object[] }).terminals;
  expect(dead).toMatchObject({ state: "dead", exit_signal: "SIGKILL" });
  expect(dead).not.toHaveProperty("pid");
});

test("what would make readers refuse a frame is left out of it", async () => {
  const scene = new Scene();
  scene.terminals.all = [
    terminal("a", { size: { cols: 0, rows: 70_000 }, exit: { signal: "nonsense", code: -1 } }),
  ];
  await scene.subscribe();
  const [row] = (scene.last as { terminals: object[] }).terminals;
  for (const field of ["cols", "rows", "exit_signal", "exit_code"]) {
    expect(row).not.toHaveProperty(field);
  }
});

test("one that is closed is removed as closed, and changes in one flush go together", async () => {
  const scene = new Scene();
  await scene.subscribe();
  await scene.set(terminal("a"), terminal("b"));
  const { length } = scene.frames;
  for (let title = 0; title < 100; title += 1) {
    scene.terminals.all = [terminal("a", { title: String(title) })];
    scene.terminals.changed.emit();
  }
  await scene.clock.advance(50);
  expect(scene.frames.length - length).toBeLessThanOrEqual(2);
  const sent = scene.frames
    .slice(length)
    .flatMap(({ data }) => (data as { terminals: object[] }).terminals);
  expect(sent).toContainEqual(expect.objectContaining({ id: "pty:b", reason: "closed" }));
  expect(sent.at(-1) ?? {}).toBeDefined();
  expect(sent).toContainEqual(expect.objectContaining({ id: "pty:a", title: "99" }));
});

test("bookmarks come while somebody is subscribed; without anybody nothing waits and no row is made", async () => {
  const scene = new Scene();
  await scene.set(terminal("a"));
  expect(scene.clock.pending).toBe(0);
  await scene.subscribe();
  await scene.clock.advance(BOOKMARK_MS + 20);
  expect(scene.frames.at(-1)).toMatchObject({ prev_seq: 1, seq: 1, data: { terminals: [] } });
  scene.reader.end();
  expect(scene.clock.pending).toBe(0);
});

test("at the end what is gone is told before the connections go", async () => {
  const scene = new Scene();
  scene.terminals.all = [terminal("a")];
  await scene.subscribe();
  scene.terminals.all = [];
  scene.topic.end();
  expect(scene.last).toMatchObject({
    terminals: [{ id: "pty:a", removed: true, reason: "closed" }],
  });
});

test("of a fault the kind, the code and the place are told, and never the words", () => {
  const fault = Object.assign(new TypeError("secret\n    at secret"), { code: "EIO" });
  const told = faultWithoutText(fault);
  expect(told).toMatchObject({ kind: "TypeError", code: "EIO" });
  expect(
    JSON.stringify(
      faultWithoutText(Object.assign(new Error("x"), { name: "secret one", code: "secret" })),
    ),
  ).not.toContain("secret");
  expect(JSON.stringify(told)).not.toContain("secret");
  expect(faultWithoutText("secret")).toEqual({ kind: "string" });
});

test("sockets have a short folder where the kernel could not take their paths", () => {
  const short: HostPlaces = hostPlaces("/run/user/0/termtopic", {});
  expect(short.channel).toBe("/run/user/0/termtopic/host/channel.sock");
  expect(short.supervisor).toBe("/run/user/0/termtopic/host/supervisor.sock");
  const long = hostPlaces(`/${"x".repeat(100)}`, { HOME: "/home/me" });
  expect(long.channel).toMatch(/^\/home\/me\/\.termtopic-[0-9a-f]{16}\/channel\.sock$/);
  expect(hostPlaces(`/${"x".repeat(100)}`, { HOME: "/home/me" })).toEqual(long);
});
