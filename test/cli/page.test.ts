import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { acting, row } from "./acting.ts";
import { Place, type Publisher } from "./support.ts";

/** What a page asks for with its token, or with its cookie. */
async function session({ ready }: Publisher, credential: Record<string, string>) {
  const Origin = new URL(ready.endpoint).origin;
  const answer = await fetch(`${ready.endpoint}session`, {
    method: "POST",
    headers: { Origin, ...credential },
  });
  const cookie = answer.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  return { status: answer.status, body: await answer.text(), cookie };
}

test("the pages that the package has are served, and all that they name", async () => {
  const { ready } = await new Place().serve();
  for (const path of ["", "terminals/pty%3Ax"]) {
    const page = `${ready.endpoint}${path}`;
    const document = await (await fetch(page)).text();
    const named = [...document.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name]) => name ?? "");
    expect(named.length).toBeGreaterThan(2);
    for (const name of named) {
      const url = new URL(name, page).href;
      expect(url.startsWith(`${ready.endpoint}assets/`)).toBe(true);
      expect([url, (await fetch(url)).status]).toEqual([url, 200]);
    }
  }
});

test("a cookie outlives the publisher that made it, and ends with the token that it was made with", async () => {
  const place = new Place();
  const first = await place.serve();
  const { cookie } = await session(first, { Authorization: `Bearer ${first.token}` });
  const end = async ({ program }: Publisher) => {
    program.signal("SIGTERM");
    expect((await program.ended).code).toBe(0);
  };
  await end(first);
  const second = await place.serve();
  expect(await session(second, { Cookie: cookie })).toMatchObject({
    status: 200,
    body: '{"read_only":false}\n',
  });
  await end(second);
  rmSync(join(place.state, "token"));
  const third = await place.serve();
  expect(await session(third, { Cookie: cookie })).toMatchObject({
    status: 401,
    body: expect.stringContaining("`termtopic url`"),
  });
  // Each token has its own.
  const look = readFileSync(join(place.state, "read-only-token"), "utf8").trim();
  expect(await session(third, { Authorization: `Bearer ${look}` })).toMatchObject({
    body: '{"read_only":true}\n',
  });
});

test("who may only look is told what became of a terminal, also where nobody watched it going", async () => {
  const place = new Place();
  place.session();
  const publisher = await place.serve();
  const look = readFileSync(join(place.state, "read-only-token"), "utf8").trim();
  const { terminal } = acting({ ...publisher, token: look }, "websocket");
  place.tmux("new-window", "-d", "exec cat");
  const { id } = await row(publisher, (one) => one.id.endsWith("/1"));
  const listed = { error: { code: "not_found", msg: expect.stringContaining("is listed") } };
  await expect(terminal.gone(id)).rejects.toMatchObject(listed);
  const before = Date.now();
  place.tmux("kill-pane", "-t", "%1");
  // Until the publisher has seen that, it is listed.
  const gone = await (async () => {
    for (;;) {
      try {
        return await terminal.gone(id);
      } catch (error) {
        expect(error).toMatchObject(listed);
      }
      await new Promise((turn) => setTimeout(turn, 10));
    }
  })();
  expect(gone).toMatchObject({ terminal: { id, command: ["cat"] }, reason: "closed" });
  expect(gone.removed_at).toBeGreaterThanOrEqual(before);
  await expect(terminal.gone("tmux:never@1.2/3")).rejects.toMatchObject({
    error: { code: "not_found", msg: expect.stringContaining("nothing is known") },
  });
});
