import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { SCRIPT } from "../../src/server/page/script.ts";
import { greet, INSTANCE, startServer, TOKEN } from "./support.ts";

const bearer = { Authorization: `Bearer ${TOKEN}` };

describe("what needs no token", () => {
  test("health tells status and version and nothing else", async () => {
    const server = await startServer();
    const answer = await fetch(`${server.endpoint}healthz`);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await answer.json()).toEqual({ status: "ok", version: "0.0.0-test" });
  });

  test("the page and its files are served under any prefix, not to be kept or guessed about", async () => {
    const server = await startServer();
    const files = { "": "text/html", "page.js": "text/javascript", "page.css": "text/css" };
    for (const [name, type] of Object.entries(files)) {
      for (const prefix of ["", "a/b/"]) {
        const answer = await fetch(`${server.endpoint}${prefix}${name}`);
        expect([name, answer.status]).toEqual([name, 200]);
        expect(answer.headers.get("content-type")).toBe(`${type}; charset=utf-8`);
        expect(answer.headers.get("cache-control")).toBe("no-store");
        expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
        expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
        const body = await answer.text();
        expect(body).not.toContain(INSTANCE);
        expect(body).not.toContain(TOKEN);
      }
    }
  });

  test("the page's policy allows its own files and its own socket, and the page has nothing inline", async () => {
    const server = await startServer();
    const answer = await fetch(server.endpoint);
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain(`ws://127.0.0.1:${server.port}`);
    expect(policy).not.toContain("unsafe");
    const page = await answer.text();
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|style=/);
  });

  test("HEAD is answered like GET without the body", async () => {
    const answer = await fetch((await startServer()).endpoint, { method: "HEAD" });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe("");
  });
});

describe("refusals", () => {
  test.each(["nothing", "notws", "healthz/x", "page.js/x", "xmetrics"])(
    "%s is 404",
    async (path) => {
      const server = await startServer();
      expect((await fetch(`${server.endpoint}${path}`, { headers: bearer })).status).toBe(404);
    },
  );

  test.each(["", "healthz", "metrics", "page.js"])("POST to %s is 405", async (path) => {
    const server = await startServer();
    const answer = await fetch(`${server.endpoint}${path}`, { method: "POST", body: "x" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  test("metrics need the token, which is not taken from the query", async () => {
    const server = await startServer();
    for (const path of ["metrics", `metrics?token=${TOKEN}`]) {
      const answer = await fetch(`${server.endpoint}${path}`);
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      expect(await answer.text()).toMatch(/token/);
    }
    const foreign = { ...bearer, Origin: "https://evil.example" };
    expect((await fetch(`${server.endpoint}metrics`, { headers: foreign })).status).toBe(403);
  });
});

/** Samples of a Prometheus page by name and labels. */
function samples(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const parts = /^([a-z_]+(?:\{[^{}]*\})?) (\S+)$/.exec(line);
    expect(parts, line).not.toBeNull();
    if (parts?.[1] !== undefined) found.set(parts[1], Number(parts[2]));
  }
  return found;
}

test("metrics are Prometheus text and count what happened", async () => {
  const server = await startServer();
  const peer = await server.websocket();
  const unix = await server.unix();
  await greet(peer);
  await peer.request("topic.subscribe", { topic: "terminals" });
  await peer.next();
  unix.line("nonsense");
  await unix.next();
  await unix.request("instance.ping");
  server.metrics.reading("tmux", "ok", 12);
  server.metrics.lag(4);

  const answer = await fetch(`${server.endpoint}metrics`, { headers: bearer });
  expect(answer.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  const text = await answer.text();
  const found = samples(text);
  const expected = {
    'termtopic_connections{carrier="websocket"}': 1,
    'termtopic_connections{carrier="unix"}': 1,
    'termtopic_frames_sent_total{carrier="websocket"}': 3,
    'termtopic_frames_sent_total{carrier="unix"}': 2,
    'termtopic_requests_total{op="hello.user",outcome="ok"}': 1,
    'termtopic_requests_total{op="topic.subscribe",outcome="ok"}': 1,
    'termtopic_requests_total{op="none",outcome="bad_request"}': 1,
    'termtopic_requests_total{op="instance.ping",outcome="hello_required"}': 1,
    'termtopic_reading_seconds_count{source="tmux",outcome="ok"}': 1,
    'termtopic_reading_seconds_bucket{le="0.025",source="tmux",outcome="ok"}': 1,
    'termtopic_reading_seconds_bucket{le="0.01",source="tmux",outcome="ok"}': 0,
    termtopic_lag_seconds_count: 1,
  };
  for (const [name, value] of Object.entries(expected)) {
    expect([name, found.get(name)]).toEqual([name, value]);
  }
  expect(found.get("process_resident_memory_bytes")).toBeGreaterThan(1e6);
  expect(found.get('termtopic_bytes_sent_total{carrier="websocket"}')).toBeGreaterThan(100);
});

/** The page's script among the few parts of a browser that it touches. */
function browserWith(hash: string) {
  const elements: Record<string, { textContent: string; className: string }> = {
    status: { textContent: "", className: "" },
    list: { textContent: "", className: "" },
  };
  const stored = new Map<string, string>();
  const sockets: FakeWebSocket[] = [];
  class FakeWebSocket {
    readonly url: string;
    readonly protocols: string[];
    readonly sent: string[] = [];
    onopen = () => {};
    onclose = () => {};
    onmessage = (_: { data: string }) => {};
    constructor(url: URL, protocols: string[]) {
      this.url = String(url);
      this.protocols = protocols;
      sockets.push(this);
    }
    addEventListener() {}
    send(text: string) {
      this.sent.push(text);
    }
  }
  const timers: (() => void)[] = [];
  const asked: object[] = [];
  const answer = { status: 200 };
  const location = { href: `https://h.example/t/${hash}`, hash, pathname: "/t/", search: "" };
  const replaced: string[] = [];
  runInNewContext(SCRIPT, {
    document: { getElementById: (id: string) => elements[id] },
    location,
    history: { replaceState: (_: null, __: string, to: string) => replaced.push(to) },
    sessionStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    },
    WebSocket: FakeWebSocket,
    URL,
    fetch: async (url: string, options: object) => {
      asked.push({ url, ...options });
      return { status: answer.status };
    },
    setTimeout: (task: () => void) => timers.push(task),
    clearTimeout: () => {},
    addEventListener: () => {},
  });
  return { elements, sockets, replaced, timers, asked, answer };
}

describe("the page's script", () => {
  const row = { instance: INSTANCE, id: "tmux:0/1", state: "running", command: ["<b>", "x"] };
  const frame = (more: object, terminals: object[]) => ({
    data: `${JSON.stringify({ ev: "topic", topic: "terminals", instance: INSTANCE, epoch: "e", ...more, data: { terminals } })}\n`,
  });

  test("takes the token out of the address bar and presents it as a subprotocol", () => {
    const { sockets, replaced } = browserWith(`#token=${TOKEN}`);
    expect(replaced).toEqual(["/t/"]);
    expect(sockets[0]?.url).toBe("wss://h.example/t/ws");
    expect(sockets[0]?.protocols).toEqual(["ccmsg.v1", `ccmsg.token.${TOKEN}`]);
  });

  test("says what is missing without a token", () => {
    const { sockets, elements } = browserWith("");
    expect(sockets).toEqual([]);
    expect(elements.status?.textContent).toContain("termtopic url");
  });

  test("greets, subscribes, folds, and subscribes again on a hole", async () => {
    const { sockets, elements, timers } = browserWith("#t");
    const [socket] = sockets;
    if (socket === undefined) throw new Error("it did not connect");
    socket.onopen();
    expect(JSON.parse(socket.sent[0] ?? "")).toMatchObject({
      op: "hello.user",
      protocol_version: 4,
    });
    const reply = `${JSON.stringify({ ok: true, request_id: "hello.user" })}\n`;
    socket.onmessage({ data: reply.slice(0, 9) });
    socket.onmessage({ data: reply.slice(9) });
    expect(JSON.parse(socket.sent[1] ?? "")).toMatchObject({ op: "topic.subscribe" });

    socket.onmessage(frame({ snapshot: true, seq: 1 }, [row]));
    expect(elements.list?.textContent).toBe("running  <b> x  -  -  tmux:0/1");
    socket.onmessage(frame({ prev_seq: 1, seq: 2 }, [{ ...row, id: "tmux:0/2", name: "main" }]));
    expect(elements.status?.textContent).toBe("2 terminals");
    socket.onmessage(frame({ prev_seq: 2, seq: 3 }, [{ id: "tmux:0/1", removed: true }]));
    expect(elements.list?.textContent).toBe("running  <b> x  -  main  tmux:0/2");
    expect(socket.sent).toHaveLength(2);
    socket.onmessage(frame({ prev_seq: 7, seq: 8 }, []));
    expect(socket.sent).toHaveLength(3);

    const closed = socket.onclose();
    expect(elements.list?.className).toBe("stale");
    await closed;
    timers.at(-1)?.();
    expect(sockets).toHaveLength(2);
  });

  test("says that its token is refused, and tries it no more", async () => {
    const { sockets, elements, timers, asked, answer } = browserWith("#old");
    answer.status = 401;
    const waiting = timers.length;
    await sockets[0]?.onclose();
    expect(asked).toEqual([{ url: "metrics", headers: { Authorization: "Bearer old" } }]);
    expect(elements.status?.textContent).toContain("refused");
    expect(timers).toHaveLength(waiting);
  });

  test("shows neither controls nor what turns the direction of text", () => {
    const { sockets, elements } = browserWith("#t");
    const odd = { ...row, command: ["a\u202eb\u0007c\nd"], name: "\u2066n" };
    sockets[0]?.onmessage(frame({ snapshot: true, seq: 1 }, [odd]));
    expect(elements.list?.textContent).toBe("running  a b c d  -   n  tmux:0/1");
  });
});
