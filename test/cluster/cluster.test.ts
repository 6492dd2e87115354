import { describe, expect, it } from "vitest";
import { bus, keysOf, link, TestInstance } from "./ground.ts";

async function two() {
  const server = await bus();
  const here = new TestInstance({ url: server.url });
  const there = new TestInstance({ url: server.url });
  await Promise.all([here.met("joined"), there.met("joined")]);
  return { server, here, there };
}

describe("a subscriber of one of many instances", () => {
  it("gets the rows of all, each part with its own instance, epoch, position and sources", async () => {
    const { here, there } = await two();
    here.state("a");
    there.state("b", "c");
    const subscriber = await here.subscriber().open("terminals");
    await subscriber.until(() => subscriber.ids(there)?.length === 2);
    expect(subscriber.ids(here)).toEqual(["pty:a"]);
    expect(subscriber.ids(there)).toEqual(["pty:b", "pty:c"]);
    const frame = subscriber.of(there).at(-1);
    expect(frame).toMatchObject({ epoch: there.epoch, seq: there.terminals.position });
    expect(frame?.data).toHaveProperty("polled_at");
    expect(subscriber.sources(there)?.map(({ status }) => status)).toEqual(["ok"]);
  });

  it("gets them with the first snapshot where they can be read at once", async () => {
    const { here, there } = await two();
    there.state("b");
    const subscriber = await here.subscriber().open("terminals");
    const [first] = subscriber.of(there);
    expect(first).toMatchObject({ snapshot: true, data: { terminals: [{ id: "pty:b" }] } });
  });

  it("gets a change, and a removal with the reason and time that its owner gave", async () => {
    const { here, there } = await two();
    there.state("b", "c");
    const subscriber = await here.subscriber().open("terminals");
    await subscriber.until(() => subscriber.ids(there)?.length === 2);
    there.state(there.row("b", { state: "dead" }));
    await subscriber.until(() => subscriber.ids(there)?.length === 1);
    expect(subscriber.rows(there)).toEqual([there.row("b", { state: "dead" })]);
    const removal = subscriber
      .of(there)
      .flatMap(({ data }) => (data as { terminals: object[] }).terminals)
      .find((element) => "removed" in element);
    const [{ element } = { element: { text: "{}" } }] = there.terminals.removedSince(0);
    expect(removal).toEqual(JSON.parse(element.text));
  });

  it("sees the end of what had a handle before what has it now", async () => {
    const { here, there } = await two();
    there.state(there.row("b", { command: ["old"] }));
    const subscriber = await here.subscriber().open("terminals");
    await subscriber.until(() => subscriber.ids(there)?.length === 1);
    const before = subscriber.of(there).length;
    there.state();
    there.state(there.row("b", { command: ["new"] }));
    await subscriber.until(() => JSON.stringify(subscriber.rows(there)).includes("new"));
    const elements = subscriber
      .of(there)
      .slice(before)
      .map(({ data }) => (data as { terminals: object[] }).terminals);
    expect(elements).toMatchObject([[{ id: "pty:b", removed: true }], [{ command: ["new"] }]]);
  });

  it("gets the others' bookmarks", async () => {
    const { here, there } = await two();
    there.state("b");
    const subscriber = await here.subscriber().open("terminals");
    await subscriber.until(() => subscriber.ids(there)?.length === 1);
    const before = subscriber.of(there).length;
    there.bookmark();
    await subscriber.until(() => subscriber.of(there).length > before);
    const frame = subscriber.of(there).at(-1);
    expect(frame).toMatchObject({ data: { terminals: [] } });
    expect(frame?.seq).toBe(frame?.prev_seq);
  });

  it("sees who there is", async () => {
    const { here, there } = await two();
    const subscriber = await here.subscriber().open("instances");
    await subscriber.until(() => subscriber.instances.length === 2);
    expect(subscriber.instances).toEqual([
      { id: here.instance, host: here.host, reachable: true },
      { id: there.instance, host: there.host, reachable: true },
    ]);
  });

  it("gets an instance that comes later, whole", async () => {
    const { server, here } = await two();
    const subscriber = await here.subscriber().open("terminals");
    const third = new TestInstance({ url: server.url });
    third.state("d");
    await subscriber.until(() => subscriber.ids(third)?.length === 1);
    expect(subscriber.of(third)[0]).toMatchObject({ snapshot: true });
  });

  it("is not kept waiting by an instance that reads for long", async () => {
    const { here, there } = await two();
    there.isRead = false;
    here.state("a");
    const subscriber = await here.subscriber().open("terminals");
    expect(subscriber.ids(here)).toEqual(["pty:a"]);
    await subscriber.until(() => subscriber.sources(there) !== undefined);
    expect(subscriber.sources(there)).toMatchObject([{ scheme: "instance", status: "starting" }]);
    there.isRead = true;
    there.state("b");
    await subscriber.until(() => subscriber.ids(there)?.length === 1);
  });

  it("gets a value that is too long for one message", async () => {
    const { server, here, there } = await two();
    const noise = (index: number) =>
      Array.from({ length: 60 }, (_, at) => (index * 7_919 + at * 104_729).toString(36)).join("");
    there.state(
      ...Array.from({ length: 12_000 }, (_, index) =>
        there.row(`t${index}`, { title: noise(index).slice(0, 250) }),
      ),
    );
    const subscriber = await here.subscriber().open("terminals");
    await subscriber.until(() => subscriber.ids(there)?.length === 12_000);
    expect(await keysOf(server)).toContain(`${there.instance}.terminals.1`);
    there.state("b");
    await subscriber.until(() => subscriber.ids(there)?.length === 1);
  });
});

describe("an instance that nobody reads", () => {
  it("reads nothing, and writes no rows", async () => {
    const { here, there } = await two();
    there.state("b");
    expect(there.wants).toEqual({ terminals: 0, agents: 0, "terminals.usage": 0 });
    const subscriber = await here.subscriber().open("instances");
    await subscriber.until(() => subscriber.instances.length === 2);
    expect(there.wants.terminals).toBe(0);
  });

  it("begins with the first subscriber anywhere, and stops with the last", async () => {
    const { here, there } = await two();
    const subscriber = await here.subscriber().open("terminals");
    await there.wanted(1);
    expect(there.wants.agents).toBe(0);
    subscriber.close("terminals");
    await there.wanted(0);
  });

  it("stops where the one that wanted it is silent for its lease", async () => {
    const server = await bus();
    const way = await link(server);
    const here = new TestInstance({ url: way.url });
    const there = new TestInstance({ url: server.url });
    await Promise.all([here.met("joined"), there.met("joined")]);
    await here.subscriber().open("terminals");
    await there.wanted(1);
    way.cut();
    await there.wanted(0);
  });

  it("states its runs of agents only while these are wanted", async () => {
    const { here, there } = await two();
    const subscriber = await here.subscriber().open("agents");
    await subscriber.until(() => there.wants.agents === 1 || there.wants.terminals === 1);
    expect(there.wants).toMatchObject({ terminals: 0 });
    there.agent({
      instance: there.instance,
      pid: 7,
      cwd: "/",
      kind: "interactive",
      started_at: 1,
      config_dir: "/c",
    });
    await subscriber.until(() => subscriber.ids(there, "agents")?.length === 1);
    expect(subscriber.ids(there, "agents")).toEqual(["7"]);
  });
});
