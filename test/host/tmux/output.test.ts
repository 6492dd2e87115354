import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { LAG_BYTES, MORE_BYTES, PART_BYTES } from "../../../src/host/tmux/writer.ts";
import { endTree } from "../../lib/end-tree.ts";
import { endAll, launched, place, script, Told, until } from "./support.ts";

afterEach(endAll);

const MIB = 1024 * 1024;
const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** How much output is in a log, in bytes, and where it ends. */
function kept(folder: string): { readonly bytes: number; readonly end: number } {
  const parts = readdirSync(folder)
    .filter((name) => name.startsWith("out."))
    .map((name) => ({
      start: Number(name.slice("out.".length)),
      size: statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
    }));
  return {
    bytes: parts.reduce((sum, { size }) => sum + size, 0),
    end: Math.max(0, ...parts.map(({ start, size }) => start + size)),
  };
}

describe("the output of a tmux session", () => {
  test("is there byte for byte where 8 MiB come at once", { timeout: 60_000 }, async () => {
    const made = place();
    const server = await made.server();
    const file = join(made.folder, "burst");
    const line = "каждый — ключ 鍵 \u{1f511} \x1b[31mred\x1b[0m\n";
    const burst = Buffer.from(line.repeat(Math.ceil((8 * MIB) / Buffer.byteLength(line))));
    writeFileSync(file, burst);
    const options = { historyBytes: 8 * MIB, env: { FILE: file, PATH: process.env["PATH"] ?? "" } };
    const told = await script(server, 'stty -opost; cat "$FILE"', options);
    expect(await told.exited).toEqual({ code: 0, drained: true });
    expect(told.bytes).toBe(burst.length);
    expect(digest(told.output)).toBe(digest(burst));
    expect([told.missed, told.late, told.session.start]).toEqual([0, 0, 0]);
  });

  test("is there byte for byte where it is no text", { timeout: 30_000 }, async () => {
    const made = place();
    const server = await made.server();
    const file = join(made.folder, "bytes");
    const every = Buffer.from(
      Array.from({ length: 65_536 }, (_, at) => [at >> 8, at & 255]).flat(),
    );
    // Binary output may well ask something, and what tmux answers is not read by anybody.
    const bytes = Buffer.concat([Buffer.from("é").subarray(0, 1), randomBytes(MIB), every]);
    writeFileSync(file, bytes);
    const told = await script(server, `stty raw -echo; cat '${file}'; printf '\\351'`);
    await told.exited;
    const all = Buffer.concat([bytes, Buffer.from([0xe9])]);
    expect(digest(told.output)).toBe(digest(all));
  });

  test("that is written in the last moment is told before the end, also on a busy machine", {
    timeout: 60_000,
  }, async () => {
    const made = place();
    const server = await made.server();
    const file = join(made.folder, "words");
    // More than the kernel shows tmux at once.
    const words = randomBytes(12_000);
    writeFileSync(file, words);
    const inTurn = async () => {
      for (let round = 0; round < 5; round += 1) {
        const told = await script(server, `stty raw; cat '${file}'; kill -KILL $$`);
        expect(await told.exited).toEqual({ signal: "SIGKILL", drained: true });
        expect([told.output.equals(words), told.bytes, told.late]).toEqual([true, 12_000, 0]);
        await told.pty.remove();
      }
    };
    await Promise.all([inTurn(), inTurn(), inTurn(), inTurn()]);
  });

  test("is told whole where it ends like what tmux is given after it", async () => {
    const server = await place().server();
    const told = await script(server, "printf 'all\\033'; sleep 0.2; printf '\\033]7773;x\\033'");
    expect(await told.exited).toEqual({ code: 0, drained: true });
    expect(told.text).toBe("all\x1b\x1b]7773;x\x1b");
  });

  test("is told in the order and once, whatever is paused in between", async () => {
    const server = await place().server();
    const told = await script(server, "seq 1 20000; read go; seq 20001 40000");
    told.pty.pause();
    told.pty.resume();
    await told.says(/\b20000\r\n/);
    told.pty.pause();
    told.type("\n");
    // The end resumes.
    await told.exited;
    const numbers = told.text.match(/\d+/g)?.map(Number);
    expect(numbers).toEqual(Array.from({ length: 40_000 }, (_, at) => at + 1));
  });

  test("is dropped from the front by its writer alone, and where it begins is told", {
    timeout: 120_000,
  }, async () => {
    const made = place();
    const first = await made.server();
    const session = await first.start(
      "flooded",
      launched({
        file: "/bin/sh",
        args: ["-c", "stty -opost; seq -f %063.0f 225000; echo over; read forever"],
        historyBytes: MIB,
      }),
    );
    expect(session.start).toBe(0);
    // Nobody reads: the host is away.
    first.release();
    const folder = join(made.folder, "logs", "flooded");
    const all = 225_000 * 64 + "over\n".length;
    await until(() => kept(folder).end === all);
    const { bytes } = kept(folder);
    expect(bytes).toBeGreaterThanOrEqual(MIB + LAG_BYTES);
    expect(bytes).toBeLessThanOrEqual(MIB + LAG_BYTES + 2 * (PART_BYTES + MORE_BYTES));

    const adopted = await (await made.server()).adopt("flooded");
    expect(adopted.start).toBe(all - bytes);
    const told = new Told(adopted);
    await until(() => told.bytes >= bytes);
    expect(told.bytes).toBe(bytes);
    // Each line has 64 bytes, so the number says the place.
    const at = 64 - (adopted.start % 64 || 64);
    expect(Number(told.text.slice(at, at + 63))).toBe((adopted.start + at) / 64 + 1);
  });

  test("that a paused reader could not take in time is told as missed", {
    timeout: 120_000,
  }, async () => {
    const made = place();
    const server = await made.server();
    const told = await script(
      server,
      "stty -opost; echo there; read go; seq -f %063.0f 400000; read go",
    );
    await told.says("there");
    told.pty.pause();
    told.type("\n");
    const all = "there\n\n".length + 400_000 * 64;
    await until(() => kept(join(made.folder, "logs", told.session.id)).end === all);
    told.pty.resume();
    await until(() => told.bytes + told.missed >= all);
    expect(told.missed).toBeGreaterThan(0);
    expect(told.bytes + told.missed).toBe(all);
  });

  test("goes on where its writer was killed", async () => {
    const made = place();
    const server = await made.server();
    const told = await script(server, 'echo one; while read word; do echo "got $word"; done');
    await told.says("one");
    const note = join(made.folder, "logs", told.session.id, "writer");
    const writer = Number(readFileSync(note, "latin1"));
    endTree(writer);
    await until(() => Number(readFileSync(note, "latin1")) !== writer);
    told.type("two\n");
    await told.says("got two");
    expect(told.exit).toBeUndefined();
  });
});
