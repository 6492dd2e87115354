import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { onEachBackend } from "./backends.ts";
import { serveSupervisor } from "./served-supervisor.ts";
import { EXIT } from "./supervised-session.ts";

const BYTES = 7 * 1024 * 1024;

/** Of 1 to 4 bytes each, the first and the last of their length among them. */
const CHARACTERS = [
  "a",
  "~",
  "\u00a0",
  "\u07ff",
  "\u0800",
  "世",
  "\ufffd",
  "\u{10000}",
  "😀",
  "\u{10fffd}",
];

/** Characters in no order, always the same ones, of which pages end anywhere in one. */
function mixed(): Buffer {
  let state = 4_711;
  const parts: string[] = [];
  for (let bytes = 0; bytes < BYTES; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const character = CHARACTERS[(state >>> 16) % CHARACTERS.length] ?? "";
    parts.push(character);
    bytes += Buffer.byteLength(character);
  }
  return Buffer.from(parts.join(""));
}

/** Nothing is made of what it writes. */
const COMMAND = "stty -opost; printf ready; read -rs line; exec cat burst";

onEachBackend(() => {
  test.each([
    ["while it comes", undefined],
    ["when all of it is there", EXIT],
  ])(
    "7 MiB of UTF-8 in one burst reach a loop that reads %s whole, in pages, byte for byte",
    async (_, first) => {
      const served = await serveSupervisor();
      const client = served.connect();
      const burst = mixed();
      writeFileSync(join(served.workspace, "burst"), burst);
      const ready = { return_when: { kind: "match", pattern: "ready" }, wait_ceiling_ms: 60_000 };
      const { session } = (await client.operate(served.start(COMMAND, ready))).success.start;
      const { session_id } = session;
      const write = { kind: "keys", keys: ["enter"] };
      await client.operate({ action: "write", session_id, write });
      if (first !== undefined) await client.operate({ action: "wait", session_id, ...first });
      const pages: Buffer[] = [];
      for (let offset = "ready".length; ; ) {
        const where = { cursor_segment: 1, cursor_offset: offset };
        const { read } = (await client.operate({ action: "read", session_id, ...where })).success;
        if (read.raw_range === null) {
          if (read.session.lifecycle === "exited") break;
          continue;
        }
        const page = Buffer.from(read.raw_output);
        expect(read.raw_range).toEqual({
          start: { segment: 1, offset },
          end: { segment: 1, offset: offset + page.length },
        });
        pages.push(page);
        offset = read.raw_range.end.offset;
      }
      expect(Buffer.concat(pages).equals(burst)).toBe(true);
      expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(65_536);
    },
    60_000,
  );
});
