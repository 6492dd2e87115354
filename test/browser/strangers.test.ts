import { once } from "node:events";
import { createServer } from "node:http";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { useBrowser } from "./support/browser.ts";
import { rowOf, Stage } from "./support/stage.ts";

const REBOUND = "rebound.example";
const browser = useBrowser(`--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`);
const SLOW = { timeout: 90_000 };

/** A page of somebody else, in the same browser as one that is let in. */
async function stranger(page: Page): Promise<Page> {
  const server = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end("<!doctype html><title>somebody else</title>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const other = await page.context().newPage();
  await other.goto(`http://127.0.0.1:${(server.address() as { port: number }).port}/`);
  return other;
}

/** How a socket ends that a page opens: with what it was told, or with the code. */
const socketOf = (page: Page, url: string) =>
  page.evaluate(
    (address) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(address, ["ccmsg.v1"]);
        socket.onopen = () => resolve("open");
        socket.onclose = ({ code }) => resolve(`closed ${code}`);
      }),
    url,
  );

/** What a page gets that asks with its person's cookies. */
const fetched = (page: Page, url: string, method = "GET") =>
  page.evaluate(
    async ([address, how]) => {
      try {
        const answer = await fetch(address, { method: how, credentials: "include" });
        return `${answer.status} ${(await answer.text()).slice(0, 200)}`;
      } catch {
        return "not readable";
      }
    },
    [url, method] as const,
  );

test(
  "a page of another origin reads nothing and opens no socket, whoever is let in beside it",
  SLOW,
  async () => {
    const stage = await Stage.begin(browser());
    const id = await stage.open("--name", "mine");
    const page = await stage.list();
    await rowOf(page, "mine").waitFor();
    const other = await stranger(page);
    const { endpoint } = stage;
    const sockets = ["ws", `terminals/${encodeURIComponent(id)}`];
    for (const path of sockets) {
      expect(await socketOf(other, endpoint.replace("http", "ws") + path)).toBe("closed 1006");
    }
    for (const path of [
      "",
      "session",
      "metrics",
      "healthz",
      `terminals/${encodeURIComponent(id)}`,
    ]) {
      expect([path, await fetched(other, endpoint + path)]).toEqual([path, "not readable"]);
    }
    for (const method of ["POST", "DELETE"]) {
      expect(await fetched(other, `${endpoint}session`, method)).toBe("not readable");
    }
    const framed = await other.evaluate(async (address) => {
      const frame = document.createElement("iframe");
      frame.src = address;
      const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
      document.body.append(frame);
      await loaded;
      return frame.contentDocument?.title ?? "nothing that can be read";
    }, endpoint);
    expect(framed).toBe("nothing that can be read");
    // It is still let in, and its cookie is the page's own.
    expect(await socketOf(page, `${endpoint.replace("http", "ws")}ws`)).toBe("open");
  },
);

test("a name that was pointed here is no name of the publisher's", SLOW, async () => {
  const stage = await Stage.begin(browser());
  const page = await stage.list();
  await rowOf(page, "work:0.0").waitFor();
  const other = await stranger(page);
  const rebound = `http://${REBOUND}:${stage.publisher.ready.port}/`;
  // A page that came by that name before it was pointed here is not held back by the policy of the refusal.
  const session = await other.context().newCDPSession(other);
  await session.send("Page.setBypassCSP", { enabled: true });
  const answer = await other.goto(rebound);
  expect(answer?.status()).toBe(403);
  expect(await fetched(other, `${rebound}session`)).toMatch(/^403 /);
  expect(await socketOf(other, `${rebound.replace("http", "ws")}ws`)).toBe("closed 1006");
});

test(
  "the token is in no address, no storage and no cookie that a script can read",
  SLOW,
  async () => {
    const stage = await Stage.begin(browser());
    const page = await stage.list();
    await rowOf(page, "work:0.0").waitFor();
    const kept = await page.evaluate(() =>
      JSON.stringify([location.href, document.cookie, { ...localStorage }, { ...sessionStorage }]),
    );
    expect(kept).not.toContain(stage.publisher.token);
    expect(kept).not.toContain("termtopic_");
    await page.goBack().catch(() => null);
    expect(page.url()).not.toContain("token");
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
    expect(cookie?.value).not.toContain(stage.publisher.token);
  },
);
