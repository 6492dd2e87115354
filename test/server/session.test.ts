import { once } from "node:events";
import { describe, expect, test } from "vitest";
import WebSocket from "ws";
import { COOKIE_MS } from "../../src/server/cookie.ts";
import { FAILURE_WINDOW_MS, MAX_FAILURES } from "../../src/server/failures.ts";
import { greet, ManualClock, startServer, TOKEN, WebSocketPeer } from "./support.ts";
import { upgrade } from "./upgrade.ts";

const LOOK = "Lq7Pt8mDq0bW1xYk3Zs5vRn7uJh9gFe2LaTiOwQzXcV";
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

const serve = (clock = new ManualClock()) => startServer({ readOnlyToken: LOOK, clock });

const upgradeStatus = async (...asked: Parameters<typeof upgrade>) =>
  (await upgrade(...asked)).status;

/** The cookie that a token is exchanged for, as a browser sends it back. */
async function cookieFor(endpoint: string, token = TOKEN): Promise<string> {
  const answer = await fetch(`${endpoint}session`, { method: "POST", headers: bearer(token) });
  expect(answer.status).toBe(200);
  return answer.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
}

describe("a token is exchanged for a cookie", () => {
  test("that no script reads, no other site sends and only this publisher's page has", async () => {
    const { endpoint } = await serve();
    const answer = await fetch(`${endpoint}a/session`, { method: "POST", headers: bearer(TOKEN) });
    const cookie = answer.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(
      /^termtopic_3f9c1a7b=user\.\d+\.[\w-]{43}; Path=\/a\/; Max-Age=604800; /,
    );
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(TOKEN);
    expect(await answer.json()).toEqual({ read_only: false });
  });

  test("over TLS for TLS alone", async () => {
    const { endpoint, port } = await serve();
    const headers = { ...bearer(TOKEN), Origin: `https://127.0.0.1:${port}` };
    const answer = await fetch(`${endpoint}session`, { method: "POST", headers });
    expect(answer.headers.get("set-cookie")).toMatch(/; Secure$/);
  });

  test("and not without the right one, and not for a page of another origin", async () => {
    const { endpoint } = await serve();
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`${endpoint}session`, { method: "POST", headers })).status;
    expect(await ask({})).toBe(401);
    expect(await ask(bearer("wrong"))).toBe(401);
    expect(await ask({ ...bearer(TOKEN), Origin: "http://evil.example" })).toBe(403);
  });

  test("that is renewed, and forgotten", async () => {
    const { endpoint } = await serve();
    const headers = { Cookie: await cookieFor(endpoint, LOOK), "Sec-Fetch-Site": "same-origin" };
    const renewed = await fetch(`${endpoint}session`, { headers });
    expect(await renewed.json()).toEqual({ read_only: true });
    expect(renewed.headers.get("set-cookie")).toMatch(/^termtopic_3f9c1a7b=look\./);
    const forgotten = await fetch(`${endpoint}session`, { method: "DELETE", headers });
    expect(forgotten.headers.get("set-cookie")).toMatch(/=; Path=\/; Max-Age=0;/);
  });

  test("that is renewed by POST too, of which browsers say whose page makes it over any connection", async () => {
    const { endpoint, port } = await serve();
    const Cookie = await cookieFor(endpoint, LOOK);
    const renew = (headers: Record<string, string>) =>
      fetch(`${endpoint}session`, { method: "POST", headers: { Cookie, ...headers } });
    const renewed = await renew({ Origin: `http://127.0.0.1:${port}` });
    expect([renewed.status, await renewed.json()]).toEqual([200, { read_only: true }]);
    expect((await renew({})).status).toBe(401);
    expect((await renew({ Origin: `http://127.0.0.1:${port + 1}` })).status).toBe(403);
  });

  test.each([
    ["/a/b/session", "/a/b/"],
    ["//session", "//"],
    ["/a;HttpOnly/session", "/"],
    ["/a%3B/session?x=/y/", "/a%3B/"],
  ])("for the page whose session it is: %s", async (path, cookiePath) => {
    const { endpoint } = await serve();
    const url = endpoint.slice(0, -1) + path;
    const answer = await fetch(url, { method: "POST", headers: bearer(TOKEN) });
    expect(answer.headers.get("set-cookie")).toContain(`; Path=${cookiePath}; Max-Age`);
  });
});

describe("a cookie lets in", () => {
  test("a page of the publisher's own, and nobody whom another page makes send it", async () => {
    const server = await serve();
    const Cookie = await cookieFor(server.endpoint);
    const own = `http://127.0.0.1:${server.port}`;
    const status = (headers: Record<string, string>) =>
      upgradeStatus(server, { Cookie, ...headers });
    expect(await status({ Origin: own })).toBe(101);
    // Another port of the same host is the same site to a browser, which sends the cookie.
    expect(await status({ Origin: `http://127.0.0.1:${server.port + 1}` })).toBe(403);
    expect(await status({ Origin: "null" })).toBe(403);
    expect(await status({})).toBe(401);
    const read = async (headers: Record<string, string>) =>
      (await fetch(`${server.endpoint}session`, { headers: { Cookie, ...headers } })).status;
    expect(await read({ "Sec-Fetch-Site": "same-origin" })).toBe(200);
    expect(await read({ "Sec-Fetch-Site": "same-site" })).toBe(401);
    expect(await read({})).toBe(401);
  });

  test("until it is a week old", async () => {
    const clock = new ManualClock();
    const server = await serve(clock);
    const Cookie = await cookieFor(server.endpoint);
    const headers = { Cookie, Origin: `http://127.0.0.1:${server.port}` };
    clock.advance(COOKIE_MS - 1);
    expect(await upgradeStatus(server, headers)).toBe(101);
    clock.advance(1);
    expect(await upgradeStatus(server, headers)).toBe(401);
  });

  test("to the publisher that was started again in the place of the one that made it", async () => {
    const cookie = await cookieFor((await serve()).endpoint);
    const next = await serve();
    const headers = { Cookie: cookie, Origin: `http://127.0.0.1:${next.port}` };
    expect(await upgradeStatus(next, headers)).toBe(101);
  });

  test("as it is and where it was made, and not once its token is another", async () => {
    const server = await serve();
    const Origin = `http://127.0.0.1:${server.port}`;
    const cookie = await cookieFor(server.endpoint);
    const look = await cookieFor(server.endpoint, LOOK);
    const [name = "", value = ""] = cookie.split("=");
    const [, expiry = "", seal = ""] = value.split(".");
    const tampered = [
      `${name}=user.${Number(expiry) + 1}.${seal}`,
      look.replace("=look.", "=user."),
      `${name}=user.${expiry}.${"A".repeat(43)}`,
      `${name}=user.${expiry}.`,
      `${name}=`,
      `termtopic_00000000=${value}`,
      `${name}x=${value}`,
    ];
    for (const Cookie of tampered) {
      expect([Cookie, await upgradeStatus(server, { Cookie, Origin })]).toEqual([Cookie, 401]);
    }
    expect(await upgradeStatus(server, { Cookie: `a=b; ${cookie}; c`, Origin })).toBe(101);
    const next = await startServer({ token: "x".repeat(43), readOnlyToken: LOOK });
    const there = `http://127.0.0.1:${next.port}`;
    expect(await upgradeStatus(next, { Cookie: cookie, Origin: there })).toBe(401);
  });
});

describe("a cookie that does not let in", () => {
  const own = ({ port }: { readonly port: number }) => ({ Origin: `http://127.0.0.1:${port}` });

  test("is told why, and forgotten where it never will again", async () => {
    const clock = new ManualClock();
    const server = await serve(clock);
    const cookie = await cookieFor(server.endpoint);
    const renew = async (headers: Record<string, string>) => {
      const answer = await fetch(`${server.endpoint}a/session`, { method: "POST", headers });
      const [, path] =
        /=; Path=(\S+); Max-Age=0;/.exec(answer.headers.get("set-cookie") ?? "") ?? [];
      return [answer.status, await answer.text(), path] as const;
    };
    expect(await renew(own(server))).toEqual([
      401,
      "a token is needed: see `termtopic url`\n",
      undefined,
    ]);
    expect(await renew({ Cookie: cookie })).toEqual([
      401,
      "the cookie lets in this publisher's own pages; who comes from elsewhere needs the token\n",
      undefined,
    ]);
    expect(await renew({ Cookie: `${cookie}x`, ...own(server) })).toEqual([
      401,
      expect.stringMatching(/^the cookie was not made with the token .*`termtopic url` prints\n$/),
      "/a/",
    ]);
    // Somebody else's token is no reason to lose the page's cookie.
    expect(await renew({ Cookie: cookie, ...bearer("wrong"), ...own(server) })).toEqual([
      401,
      "the token is not this publisher's\n",
      undefined,
    ]);
    clock.advance(COOKIE_MS);
    expect(await renew({ Cookie: cookie, ...own(server) })).toEqual([
      401,
      expect.stringMatching(/^the cookie is older than a week: .*`termtopic url` prints\n$/),
      "/a/",
    ]);
  });

  test("counts as a wrong token does, unless it is merely old; and a right one is let in whatever came before", async () => {
    const clock = new ManualClock();
    const server = await serve(clock);
    const old = await cookieFor(server.endpoint);
    clock.advance(COOKIE_MS);
    const right = await cookieFor(server.endpoint);
    const status = (Cookie: string) => upgradeStatus(server, { Cookie, ...own(server) });
    for (let round = 0; round < 2 * MAX_FAILURES; round++) expect(await status(old)).toBe(401);
    for (let round = 0; round < MAX_FAILURES; round++) {
      expect(await status(`${right}x`)).toBe(401);
    }
    const limited = await upgrade(server, { Cookie: `${right}x`, ...own(server) });
    expect([limited.status, limited.headers["retry-after"]]).toEqual([429, "60"]);
    expect(await upgradeStatus(server, bearer("wrong"))).toBe(429);
    expect(await status(right)).toBe(101);
    expect(await status(old)).toBe(401);
    clock.advance(FAILURE_WINDOW_MS);
    expect(await status(`${right}x`)).toBe(401);
    const { text } = await server.metrics.page();
    for (const reason of ["expired_cookie", "wrong_cookie", "cookie_rate"]) {
      expect(text).toContain(`termtopic_refused_total{reason="${reason}"}`);
    }
  });

  test("does not keep out who has the token as well", async () => {
    const server = await serve();
    const Cookie = `${await cookieFor(server.endpoint, LOOK)}x`;
    expect(await upgradeStatus(server, { Cookie, ...bearer(TOKEN), ...own(server) })).toBe(101);
  });

  test("is another one of the same name, where one of both is right", async () => {
    const server = await serve();
    const right = await cookieFor(server.endpoint);
    const Cookie = `${right}x; ${right}`;
    expect(await upgradeStatus(server, { Cookie, ...own(server) })).toBe(101);
  });
});

test("the read-only token gives a cookie with which nothing is done", async () => {
  const server = await serve();
  const Cookie = await cookieFor(server.endpoint, LOOK);
  const headers = { Cookie, Origin: `http://127.0.0.1:${server.port}` };
  const socket = new WebSocket(`${server.endpoint.replace("http", "ws")}ws`, ["ccmsg.v1"], {
    headers,
  });
  const peer = new WebSocketPeer(socket);
  await once(socket, "open");
  expect(socket.protocol).toBe("ccmsg.v1");
  expect(await greet(peer)).toMatchObject({ ok: true, read_only: true });
  expect(await peer.request("terminal.close", { id: "pty:x" })).toMatchObject({
    ok: false,
    error: { code: "forbidden", reason: "read_only" },
  });
  peer.end();
});
