import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import WebSocket from "ws";
import { openPtyView } from "../../../src/acting/views/pty.ts";
import type { OpenView } from "../../../src/acting/views/view.ts";
import { nodeViewSocket } from "../../../src/client/node.ts";
import { VIEW_WINDOW_BYTES } from "../../../src/contract/view.ts";
import { startServer, TOKEN } from "../support.ts";
import { upgrade } from "../upgrade.ts";
import { LOOK, rowOf, Seen, stage } from "./support.ts";

describe("a view of a terminal of the host", () => {
  test("shows what it shows and what it goes on to say, and types what is typed", async () => {
    const { server, open, session } = await stage();
    const id = await open("sh", "-c", "echo before; exec cat");
    await session.read({
      target: id,
      wait: { until: "match", pattern: "before", timeoutMs: 10_000 },
    });
    const seen = new Seen(server, `pty:${id}`);
    await seen.says("before");
    expect(seen.told).toEqual(["attached"]);
    expect(seen.terminal).toMatchObject({ id: `pty:${id}`, cols: 60, rows: 10 });
    seen.type("h\u00e9llo\n");
    await seen.says("h\u00c3\u00a9llo\r\nh\u00c3\u00a9llo\r\n");
  });

  test("has the size that its viewer says, and its name and end are told", async () => {
    const { server, open, session } = await stage();
    const id = await open(
      "sh",
      "-c",
      'trap "stty size; exit 3" WINCH; echo up; while :; do sleep 0.05; done',
    );
    const seen = new Seen(server, `pty:${id}`);
    await seen.says("up");
    await session.rename({ target: id, name: "job" });
    await seen.until(() => seen.terminal?.name === "job");
    seen.viewer.resize(91, 17);
    await seen.until(() => seen.terminal?.exited !== undefined);
    expect(seen.output).toContain("17 91");
    expect(seen.terminal).toMatchObject({ cols: 91, rows: 17, exited: { code: 3 } });
    expect(seen.viewer.terminal).toEqual(seen.terminal);
  });

  test("is told of no change that says nothing new to it", async () => {
    const { server, open, session } = await stage();
    const id = await open("sh", "-c", "read go; cd /tmp; echo there; exec cat");
    const seen = new Seen(server, `pty:${id}`);
    await seen.attached();
    seen.type("\n");
    await seen.says("there");
    // The host says where its program is whenever it says anything, and that somebody else looks is a reason.
    await new Seen(server, `pty:${id}`).attached();
    await session.rename({ target: id, name: "job" });
    await seen.until(() => seen.terminal?.name === "job");
    expect(seen.told).toEqual(["attached", "changed"]);
  });

  test("is closed with its terminal, which a job holds up unless that is forced", async () => {
    const { server, open } = await stage();
    const id = await open("sh", "-i");
    const seen = new Seen(server, `pty:${id}`);
    await seen.until(() => seen.terminal !== undefined);
    // It is in front before it says anything.
    seen.type("tail -n +1 -f /etc/passwd\n");
    await seen.says("root:");
    seen.viewer.close();
    await seen.until(() => seen.told.includes("busy tail"));
    seen.viewer.close({ force: true });
    await seen.until(() => seen.isClosed);
    expect(seen.told.at(-1)).toBe("closed");
  });

  test("is one of several, each of which sees what another types", async () => {
    const { server, open } = await stage();
    const id = `pty:${await open("cat")}`;
    const [one, two] = [new Seen(server, id), new Seen(server, id)];
    await Promise.all([one, two].map((seen) => seen.until(() => seen.terminal !== undefined)));
    one.type("from one\n");
    await two.says("from one\r\nfrom one");
    two.viewer.leave();
    one.type("still\n");
    await one.says("still\r\nstill");
  });
});

describe("a view that only looks", () => {
  test.each([
    ["asks for it", { readOnly: true }],
    ["has the token for it", { token: LOOK }],
  ])("because it %s types nothing, resizes nothing and closes nothing", async (_, options) => {
    const { server, open, session } = await stage();
    const id = await open("cat");
    const seen = new Seen(server, `pty:${id}`, options);
    await seen.until(() => seen.terminal !== undefined);
    expect(seen.terminal?.readOnly).toBe(true);
    seen.type("typed\n");
    await seen.until(() => seen.told.length > 1);
    expect(seen.told[1]).toMatch(/^error .*not type into it/);
    seen.viewer.resize(33, 3);
    seen.viewer.close({ force: true });
    const other = new Seen(server, `pty:${id}`);
    await other.until(() => other.terminal !== undefined);
    other.type("other\n");
    await seen.says("other\r\nother");
    expect(seen.output).not.toContain("typed");
    expect((await session.list())[0]?.terminal).toMatchObject({ cols: 60, rows: 10 });
  });
});

describe("a flood", () => {
  const FLOOD = ["sh", "-c", "read go; yes; echo never"];

  /** A viewer that shows nothing of a flood, and another one that has been sent more than is kept of it. */
  async function flooded() {
    const { server, open } = await stage();
    const id = `pty:${await open(...FLOOD)}`;
    const seen = new Seen(server, id);
    await seen.attached();
    seen.shows = false;
    const beginning = seen.bytes;
    seen.type("\n");
    const other = new Seen(server, id);
    await other.until(() => other.bytes > 8 * VIEW_WINDOW_BYTES);
    return { seen, other, beginning };
  }

  test("is held at the window while nothing is shown, and skipped forward once it is", async () => {
    const { seen, other, beginning } = await flooded();
    expect(seen.bytes - beginning).toBeLessThanOrEqual(VIEW_WINDOW_BYTES + 64 * 1024);
    expect(seen.told).not.toContain("skipped true");
    seen.shows = true;
    await seen.until(() => seen.told.includes("skipped true"));
    other.type("\x03");
    await seen.until(() => seen.terminal?.exited !== undefined);
    expect(seen.output).not.toContain("never");
  });

  test("is ended by a key of a viewer that has shown nothing of it", async () => {
    const { seen, other } = await flooded();
    seen.type("\x03");
    await other.until(() => other.terminal?.exited !== undefined);
    seen.shows = true;
    await seen.until(() => seen.terminal?.exited !== undefined);
  });

  test("makes a viewer that reads nothing cost its window alone, and no other one wait", async () => {
    let sent = 0;
    const counted = (open: OpenView): OpenView => {
      return (row, looker, signal) =>
        open(
          row,
          {
            readOnly: looker.readOnly,
            event: (event) => looker.event(event),
            over: (why) => looker.over(why),
            output(bytes) {
              sent += bytes.length;
              looker.output(bytes);
            },
          },
          signal,
        );
    };
    const { server, open } = await stage({
      schemes: (channel) => ({ counted: counted(openPtyView(async () => channel)) }),
      row: (id) => rowOf(id.replace("counted", "pty")),
    });
    const id = await open(...FLOOD);
    const url = `${server.endpoint.replace("http", "ws")}terminals/${encodeURIComponent(`counted:${id}`)}`;
    const stopped = new WebSocket(url, ["ccmsg.v1", `ccmsg.token.${TOKEN}`]);
    onTestFinished(() => stopped.terminate());
    await once(stopped, "message");
    stopped.pause();
    const other = new Seen(server, `pty:${id}`);
    await other.attached();
    other.type("\n");
    await other.until(() => other.bytes > 16 * VIEW_WINDOW_BYTES);
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThanOrEqual(VIEW_WINDOW_BYTES + 64 * 1024);
    other.type("\x03");
    await other.until(() => other.terminal?.exited !== undefined);
  });
});

describe("what cannot be viewed", () => {
  test("is told apart: not listed, not there, of another manager", async () => {
    const { server } = await stage();
    const gone = [new Seen(server, "pty:unlisted"), new Seen(server, "pty:nothing")];
    for (const seen of gone) {
      await seen.until(() => seen.error !== undefined);
      expect(seen.error).toMatchObject({ reason: "gone", code: 4404 });
    }
    const other = new Seen(server, "screen:1.pts-0");
    await other.until(() => other.error !== undefined);
    expect(other.error).toMatchObject({ reason: "unsupported", code: 4405 });
    expect(other.error?.message).toContain("screen -x 1");
  });

  test("is away while the publisher restarts", async () => {
    const { server, open } = await stage();
    const seen = new Seen(server, `pty:${await open("cat")}`);
    await seen.until(() => seen.terminal !== undefined);
    await server.stop("restart");
    await seen.until(() => seen.error !== undefined);
    expect(seen.error).toMatchObject({ reason: "lost", code: 1012 });
  });

  test("is not there for who is not let in, and nowhere where nothing views", async () => {
    const { server, open } = await stage();
    const id = `pty:${await open("cat")}`;
    const path = `/terminals/${encodeURIComponent(id)}`;
    const status = async (headers: Record<string, string>) =>
      (await upgrade(server, headers, { path })).status;
    const bearer = { Authorization: `Bearer ${TOKEN}` };
    expect(await status(bearer)).toBe(101);
    expect(await status({})).toBe(401);
    expect(await status({ ...bearer, Origin: "http://evil.example" })).toBe(403);
    expect(await status({ ...bearer, Host: "evil.example" })).toBe(403);
    expect((await upgrade(server, bearer, { path: "/terminals/" })).status).toBe(404);
    expect((await upgrade(server, bearer, { path: "/terminals/%" })).status).toBe(404);
    const refused = new Seen(server, id, { token: "wrong" });
    await refused.until(() => refused.error !== undefined);
    expect(refused.error).toMatchObject({ reason: "unauthorised" });
    const without = await startServer();
    expect((await upgrade(without, bearer, { path })).status).toBe(404);
  });

  test.each([
    ["the token", TOKEN, undefined],
    ["the read-only token", LOOK, true],
  ] as const)(
    "is there for a page of the publisher with a cookie for %s, and for no other page",
    async (_, token, readOnly) => {
      const { server, open } = await stage();
      const id = `pty:${await open("cat")}`;
      const headers = { Authorization: `Bearer ${token}` };
      const answer = await fetch(`${server.endpoint}session`, { method: "POST", headers });
      const cookie = answer.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
      const view = (origin: string) => {
        const open = nodeViewSocket({ headers: { Cookie: cookie, Origin: origin } });
        return new Seen(server, id, { open });
      };
      const ours = view(`http://127.0.0.1:${server.port}`);
      await ours.attached();
      expect(ours.terminal?.readOnly).toBe(readOnly);
      const other = view(`http://127.0.0.1:${server.port + 1}`);
      await other.ended();
      expect(other.error).toMatchObject({
        reason: "refused",
        message: "the publisher answers 403",
      });
    },
  );
});

test("messages that are no request are answered in words, and the view goes on", async () => {
  const { server, open } = await stage();
  const id = `pty:${await open("cat")}`;
  const url = `${server.endpoint.replace("http", "ws")}terminals/${encodeURIComponent(id)}`;
  const socket = new WebSocket(url, ["ccmsg.v1", `ccmsg.token.${TOKEN}`]);
  const events: string[] = [];
  let look = () => {};
  socket.on("message", (data, isBinary) => {
    events.push(isBinary ? `bytes ${data}` : String(data));
    look();
  });
  const until = async (holds: () => boolean) => {
    while (!holds()) await new Promise<void>((resolve) => (look = resolve));
  };
  await until(() => events.length > 0);
  const bad = [
    "{",
    "",
    "[]",
    "null",
    '{"type":"attach","terminalId":"x"}',
    '{"type":"resize","cols":0,"rows":1}',
    '{"type":"resize","cols":70000,"rows":1}',
    '{"type":"ack","bytes":-1}',
    '{"type":"call","id":1,"call":{"op":"list"}}',
    `{"type":"${"x".repeat(100_000)}"}`,
    "[".repeat(1_000_000),
    `{"type":"ack","bytes":1,"__proto__":{"type":"close"}${" ".repeat(5_000)}}`,
    "\ufffd\u0000",
  ];
  for (const text of bad) socket.send(text);
  await until(
    () => events.filter((text) => text.startsWith('{"type":"error"')).length === bad.length,
  );
  expect(events.join("").length).toBeLessThan(20_000);
  socket.send('{"type":"ack","bytes":9007199254740991}');
  socket.send(Buffer.from("still\n"));
  await until(() => events.join("").includes("still\r\nstill"));
  socket.close();
});
