import { describe, expect, test } from "vitest";
import { COOKIE_MS } from "../../src/server/cookie.ts";
import { ManualClock, startServer, TOKEN } from "./support.ts";
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
