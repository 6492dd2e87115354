import { expect, test } from "vitest";
import { encodeFrame } from "../../../src/host/channel/frames.ts";
import { serveHost } from "./served-host.ts";

/** Prints what it is typed, after it has asked for the terminal's attributes and where the cursor is, which is in the
 * first row: that answer looks as F3 with Shift. */
const ASKS =
  "stty raw -echo; printf ready; head -c 1 >/dev/null; printf '\\r\\033[c\\033[6n'; exec cat -v";

test("a program has one answer to what it asks, however many terminals look at it", async () => {
  const served = await serveHost();
  const client = await served.connect();
  const { id } = await client.script("s", ASKS);
  const [one, other] = [await served.connect(), await served.connect()];
  for (const viewer of [one, other]) {
    await viewer.attach(id);
    await viewer.shows("ready");
  }
  one.type("!");
  for (const [viewer, key] of [
    [one, "A"],
    [other, "B"],
  ] as const) {
    await viewer.shows("\x1b[6n");
    // Cut between two frames that come together.
    const frames = ["\x1b[?62;22c\x1b[1;2", `R${key}`].map((text) =>
      encodeFrame(Buffer.from(text)),
    );
    viewer.socket.write(Buffer.concat(frames));
    await viewer.shows(key);
  }
  one.type("\x1b[1;2RC");
  await one.shows("C");
  // The host answers when it comes to that.
  const wait = { until: "match", pattern: "\\[1;1R", timeoutMs: 20_000 } as const;
  const { text } = await client.read({ sessionId: "s", target: id, from: 0, wait });
  expect(text.match(/\^\[\[\?[\d;]*c/g)).toHaveLength(1);
  expect(text.match(/\^\[\[1;\dR/g)?.sort()).toEqual(["^[[1;1R", "^[[1;2R"]);
  expect(text).toContain("^[[1;2RC");
});

test("an answer makes no viewer the one at work, and Escape alone is typed", async () => {
  const served = await serveHost();
  const client = await served.connect();
  const { id } = await client.script("s", "stty raw -echo; printf ready; exec cat -v");
  const [worker, looker] = [await served.connect(), await served.connect()];
  for (const [viewer, cols] of [
    [looker, 90],
    [worker, 100],
  ] as const) {
    await viewer.attach(id);
    await viewer.shows("ready");
    viewer.send({ type: "resize", cols, rows: 24 });
    await viewer.next("changed", ({ terminal }) => terminal.cols === cols);
  }
  looker.type("\x1b[?62;22c");
  // Answered behind it.
  await looker.call({ op: "list", sessionId: "s" });
  expect(served.host.terminals.get(id)?.size.cols).toBe(100);
  looker.type("\x1b");
  await looker.next("changed", ({ terminal }) => terminal.cols === 90);
  await looker.shows("^[");
});

test("what a call sends is nobody's answer", async () => {
  const client = await (await serveHost()).connect();
  const { id } = await client.script("s", "stty raw -echo; printf ready; exec cat -v");
  const target = { sessionId: "s", target: id } as const;
  const wait = (pattern: string) => ({ until: "match", pattern, timeoutMs: 20_000 }) as const;
  await client.read({ ...target, wait: wait("ready") });
  await client.call({ op: "send", ...target, key: "k", keys: ["\x1b[?62;22c"], literal: true });
  await client.read({ ...target, wait: wait("62;22c") });
});
