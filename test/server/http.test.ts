import { describe, expect, test } from "vitest";
import { greet, INSTANCE, startServer, TOKEN } from "./support.ts";

const bearer = { Authorization: `Bearer ${TOKEN}` };

describe("what needs no token", () => {
  test("health tells status and version and nothing else", async () => {
    const server = await startServer();
    const answer = await fetch(`${server.endpoint}healthz`);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await answer.json()).toEqual({ status: "ok", version: "0.0.0-test" });
  });

  test("the list and the terminals' document are served under any prefix, with their policy and no word of whose they are", async () => {
    const server = await startServer();
    for (const path of ["", "a/b/", "terminals/pty%3Ax", "a/terminals/tmux%3A%252Ftmp%401.2%2F3"]) {
      const answer = await fetch(`${server.endpoint}${path}`);
      expect([path, answer.status]).toEqual([path, 200]);
      const { headers } = answer;
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(headers.get("cache-control")).toBe("no-cache");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      const policy = headers.get("content-security-policy") ?? "";
      for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]) {
        expect(policy).toContain(part);
      }
      expect(policy).toContain(`ws://127.0.0.1:${server.port}`);
      expect(policy.includes("unsafe")).toBe(path.includes("terminals/"));
      const body = await answer.text();
      expect(body).not.toContain(INSTANCE);
      expect(body).not.toContain(TOKEN);
    }
  });

  test("HEAD is answered like GET without the body", async () => {
    const answer = await fetch((await startServer()).endpoint, { method: "HEAD" });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe("");
  });
});

describe("refusals", () => {
  test.each([
    "nothing",
    "notws",
    "healthz/x",
    "page.js",
    "xmetrics",
    "assets/x.js",
    "assets/..%2Findex.html",
    "terminals/%",
  ])("%s is 404", async (path) => {
    const server = await startServer();
    expect((await fetch(`${server.endpoint}${path}`, { headers: bearer })).status).toBe(404);
  });

  test.each(["", "healthz", "metrics", "terminals/pty%3Ax"])("POST to %s is 405", async (path) => {
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
