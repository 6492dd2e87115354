import { describe, expect, test } from "vitest";
import { VIEW_WINDOW_BYTES } from "../../../src/contract/view.ts";
import { LOOK, Seen } from "../../server/views/support.ts";
import { two } from "./support.ts";

describe("a view of a terminal of another instance", () => {
  test("shows what it shows and goes on to say, and types what is typed", async () => {
    const { here, there } = await two();
    const id = await there.start("sh", "-c", "echo before; exec cat");
    const seen = new Seen(here.server, id, there);
    await seen.says("before");
    expect(seen.told).toEqual(["attached"]);
    expect(seen.terminal).toMatchObject({ id, cols: 60, rows: 10 });
    seen.type("h\u00e9llo\n");
    await seen.says("h\u00c3\u00a9llo\r\nh\u00c3\u00a9llo\r\n");
  });

  test("gives it a size, and is told its name and its end", async () => {
    const { here, there } = await two();
    const id = await there.start(
      "sh",
      "-c",
      'trap "stty size; exit 3" WINCH; echo up; while :; do sleep 0.05; done',
    );
    const seen = new Seen(here.server, id, there);
    await seen.says("up");
    await there.session.rename({ target: id.slice("pty:".length), name: "job" });
    await seen.until(() => seen.terminal?.name === "job");
    seen.viewer.resize(91, 17);
    await seen.until(() => seen.terminal?.exited !== undefined);
    expect(seen.output).toContain("17 91");
    expect(seen.terminal).toMatchObject({ cols: 91, rows: 17, exited: { code: 3 } });
  });

  test("is closed with it, which a job holds up unless that is forced", async () => {
    const { here, there } = await two();
    const id = await there.start("sh", "-i");
    const seen = new Seen(here.server, id, there);
    await seen.attached();
    seen.type("tail -n +1 -f /etc/passwd\n");
    await seen.says("root:");
    seen.viewer.close();
    await seen.until(() => seen.told.includes("busy tail"));
    seen.viewer.close({ force: true });
    await seen.ended();
    expect(seen.isClosed).toBe(true);
    await there.host.hasLeft(1);
  });

  test("is of the terminal of that instance, and not of one of the same id here", async () => {
    const { here, there } = await two();
    const id = "pty:same";
    for (const [one, name] of [
      [here, "here"],
      [there, "there"],
    ] as const) {
      one.alias(await one.start("sh", "-c", `echo of ${name}; exec cat`), id);
    }
    const own = new Seen(here.server, id);
    const distant = new Seen(here.server, id, there);
    await Promise.all([own.says("of here"), distant.says("of there")]);
    distant.type("typed there\n");
    await distant.says("typed there\r\ntyped there");
    own.type("typed here\n");
    await own.says("typed here\r\ntyped here");
    expect(own.output).not.toContain("there");
    expect(distant.output).not.toContain("here\r\ntyped here");
  });

  test("leaves nothing at its owner once nobody looks", async () => {
    const { here, there } = await two();
    const id = await there.start("cat");
    const seen = new Seen(here.server, id, there);
    await seen.attached();
    seen.type("typed\n");
    await seen.says("typed\r\ntyped");
    seen.viewer.leave();
    // The one of the test itself.
    await there.host.hasLeft(1);
    const { instance: from } = here;
    expect(there.lookers).toEqual([{ from, terminal: id, readOnly: false }]);
    expect(there.looks).toEqual([{ shown: seen.bytes, typed: "typed\n".length }]);
    const again = new Seen(here.server, id, there);
    await again.attached();
  });

  test("takes what is pasted whole and in its order, beyond any window", async () => {
    const { here, there } = await two();
    const lines = Array.from({ length: 20_000 }, (_, line) => `line ${line} of a long paste`);
    const text = `${lines.join("\n")}\n`;
    expect(text.length).toBeGreaterThan(2 * VIEW_WINDOW_BYTES);
    const id = await there.start("sh", "-c", `stty -echo; echo up; head -c ${text.length} | cksum`);
    const seen = new Seen(here.server, id, there);
    await seen.says("up");
    seen.type(text);
    await seen.until(() => seen.terminal?.exited !== undefined);
    expect(seen.output).toContain(`${text.length}`);
    expect(seen.output).toMatch(new RegExp(`${cksum(text)} ${text.length}`));
  });
});

/** The checksum of POSIX's cksum. */
function cksum(text: string): number {
  const bytes = [...Buffer.from(text)];
  for (let length = bytes.length; length > 0; length = Math.floor(length / 256)) {
    bytes.push(length % 256);
  }
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  }
  return ~crc >>> 0;
}

describe("a view over distance that only looks", () => {
  test.each([
    ["asks for it", { readOnly: true }],
    ["has the token for it", { token: LOOK }],
  ])("because it %s types nothing, resizes nothing and closes nothing", async (_, options) => {
    const { here, there } = await two();
    const id = await there.start("cat");
    const { instance } = there;
    const seen = new Seen(here.server, id, { instance, ...options });
    await seen.attached();
    expect(seen.terminal?.readOnly).toBe(true);
    seen.type("typed\n");
    await seen.until(() => seen.told.some((told) => /^error .*not type into it/.test(told)));
    seen.viewer.resize(33, 3);
    seen.viewer.close({ force: true });
    const other = new Seen(here.server, id, there);
    await other.attached();
    other.type("other\n");
    await seen.says("other\r\nother");
    expect(seen.output).not.toContain("typed");
    expect((await there.session.list())[0]?.terminal).toMatchObject({ cols: 60, rows: 10 });
  });
});

describe("a flood over distance", () => {
  const FLOOD = ["sh", "-c", "read go; yes; echo never"];

  test("is held at the window while nothing is shown, for that viewer alone, and skipped forward", async () => {
    const { here, there } = await two();
    const id = await there.start(...FLOOD);
    const seen = new Seen(here.server, id, there);
    await seen.attached();
    seen.shows = false;
    const beginning = seen.bytes;
    seen.type("\n");
    const other = new Seen(here.server, id, there);
    await other.until(() => other.bytes > 8 * VIEW_WINDOW_BYTES);
    expect(seen.bytes - beginning).toBeLessThanOrEqual(VIEW_WINDOW_BYTES + 64 * 1024);
    expect(seen.told).not.toContain("skipped true");
    seen.shows = true;
    await seen.until(() => seen.told.includes("skipped true"));
    other.type("\x03");
    await seen.until(() => seen.terminal?.exited !== undefined);
    expect(seen.output).not.toContain("never");
  });

  test("is ended by a key of a viewer that has shown nothing of it", async () => {
    const { here, there } = await two();
    const id = await there.start(...FLOOD);
    const seen = new Seen(here.server, id, there);
    await seen.attached();
    seen.shows = false;
    seen.type("\n");
    const other = new Seen(there.server, id);
    await other.until(() => other.bytes > 4 * VIEW_WINDOW_BYTES);
    seen.type("\x03");
    await other.until(() => other.terminal?.exited !== undefined);
    seen.shows = true;
    await seen.until(() => seen.terminal?.exited !== undefined);
  });
});

describe("what cannot be viewed over distance", () => {
  test("is told apart as it is where it is: not listed, not there, of another manager", async () => {
    const { here, there } = await two();
    const [unlisted, nothing, other] = ["pty:unlisted", "pty:nothing", "screen:1.pts-0"].map(
      (id) => new Seen(here.server, id, there),
    ) as [Seen, Seen, Seen];
    await Promise.all([unlisted, nothing, other].map((seen) => seen.ended()));
    expect(unlisted.error).toMatchObject({ reason: "gone", code: 4404 });
    expect(nothing.error).toMatchObject({ reason: "gone", code: 4404 });
    expect(other.error).toMatchObject({ reason: "unsupported", code: 4405 });
    expect(other.error?.message).toContain("screen -x 1");
  });

  test("is lost where the instance is not there, and refused where that is none", async () => {
    const { here, there } = await two();
    const id = await there.start("cat");
    const nobody = new Seen(here.server, id, { instance: "0".repeat(32) });
    await nobody.ended();
    expect(nobody.error).toMatchObject({ reason: "lost" });
    expect(nobody.error?.message).toContain("cannot be reached: it is not there");
    for (const instance of ["there", "*", `${"0".repeat(31)}>`, ""]) {
      const seen = new Seen(here.server, id, { instance });
      await seen.ended();
      expect(seen.error).toMatchObject({ reason: "refused" });
      expect(seen.error?.message).toContain("32 characters of hex");
    }
  });

  test("is lost while the bus is, and the publisher's own is viewed all the same", async () => {
    const { here, there } = await two();
    const id = await there.start("cat");
    here.link.cut();
    await here.becomes(false);
    const seen = new Seen(here.server, id, there);
    await seen.ended();
    expect(seen.error).toMatchObject({ reason: "lost" });
    const own = new Seen(here.server, await here.start("sh", "-c", "echo own; exec cat"), here);
    await own.says("own");
    here.link.heal();
    await here.becomes(true);
    await new Seen(here.server, id, there).attached();
  });
});
