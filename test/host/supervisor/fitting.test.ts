import { expect, test } from "vitest";
import { MAXIMUM_FRAME_BYTES, type ReadResult } from "../../../src/host/supervisor/index.ts";
import { READ_PAGE_BYTES } from "../../../src/host/supervisor/limits.ts";
import { successFrame } from "../../../src/host/supervisor/results.ts";
import { readJson } from "../dialect-schemas.ts";
import { currentBackend, onEachBackend } from "./backends.ts";
import { match, SupervisedSession } from "./supervised-session.ts";

const read: ReadResult = readJson("fixtures/supervisor/valid/ReadResult/answer.json");

const outputOf = (frame: Buffer) => JSON.parse(frame.subarray(4).toString("utf8")).output;

onEachBackend(() => {
  test("a page of nothing but any one byte fits its frame, as a value and as text", () => {
    for (let byte = 0; byte < 256; byte += 1) {
      const raw_output = Buffer.alloc(READ_PAGE_BYTES, byte).toString("utf8");
      const frame = successFrame({ success: { read: { ...read, raw_output } } });
      expect(frame.length, String(byte)).toBeLessThanOrEqual(4 + MAXIMUM_FRAME_BYTES);
      const { truncated, content, structured } = outputOf(frame);
      expect(truncated, String(byte)).toBe(false);
      expect(JSON.parse(content).success.read.raw_output).toBe(structured.success.read.raw_output);
    }
  });

  test("a page that a session answers has 65 536 bytes where there are as many, also of control characters alone", async () => {
    const command = "stty raw -echo; head -c 200000 /dev/zero; printf done; sleep 600";
    const session = await SupervisedSession.start(command, match("done"));
    let cursor_offset = 0;
    const sizes: number[] = [];
    while (cursor_offset < 200_004) {
      const { read } = (await session.do("read", { cursor_segment: 1, cursor_offset })).success;
      sizes.push(read.raw_range.end.offset - read.raw_range.start.offset);
      cursor_offset = read.raw_range.end.offset;
    }
    expect(sizes).toEqual([65_536, 65_536, 65_536, 200_004 - 3 * 65_536]);
  });

  const pagesOf = (text: string) => ({ ...read, raw_output: text });

  test("where a frame does not hold a result twice its text is the session's facts, and it says how long all was", () => {
    const result = { success: { read: pagesOf("\x01".repeat(100_000)) } };
    const { truncated, content, original_bytes, structured } = outputOf(successFrame(result));
    expect(truncated).toBe(true);
    expect(JSON.parse(content)).toEqual({ success: { read: { session: read.session } } });
    expect(original_bytes).toBe(Buffer.byteLength(JSON.stringify(result)));
    expect(structured).toEqual(result);
  });

  test("a result that no frame holds is refused with capacity_exceeded", () => {
    const result = { success: { read: pagesOf("x".repeat(MAXIMUM_FRAME_BYTES)) } };
    expect(() => successFrame(result)).toThrow(
      expect.objectContaining({ code: "capacity_exceeded", isRetryable: true }),
    );
  });

  /** Fills a screen of that size, and takes it. */
  async function filled(rows: number, columns: number, cell: string) {
    const program = `BEGIN { for (i = 0; i < ${rows * columns - 6}; i++) ${cell}; printf "done." }`;
    const command = `stty raw -echo; awk '${program}'; sleep 600`;
    const session = await SupervisedSession.start(command, { rows, columns, ...match("done.") });
    session.client.begin({ action: "screen", session_id: session.id });
    return (await session.client.next()).output;
  }

  interface Run {
    readonly kind: string;
    readonly count: number;
  }
  const widthOf = (row: readonly Run[]) =>
    row.reduce((sum, { kind, count }) => sum + (kind === "wide" ? 2 : 1) * count, 0);

  test.each([
    [4_096, 64],
    [64, 4_096],
    [512, 512],
  ])(
    "a screen of %s rows and %s columns, the largest, fits its frame full of text",
    async (rows, columns) => {
      const { structured, truncated, content } = await filled(rows, columns, 'printf "x"');
      const { screen } = structured.success;
      expect(screen.dimensions).toEqual({ rows, columns });
      expect(screen.cells.map(widthOf)).toEqual(Array(rows).fill(columns));
      expect(JSON.parse(content).success.screen.session).toEqual(screen.session);
      expect(truncated).toBe(false);
    },
    30_000,
  );

  test("the largest screen with a colour for each cell is refused with capacity_exceeded, and the next request is answered", async () => {
    const cell = 'printf "\\033[48;5;%dmx", i % 256';
    const { is_error, structured } = await filled(512, 512, cell);
    expect(is_error).toBe(true);
    expect(structured.failure).toMatchObject({ code: "capacity_exceeded", retryable: true });
  }, 60_000);

  test.each([
    ["2", "\u0301"],
    ["3", "\u20d0"],
    ["4", "\u{1e8d0}"],
  ])(
    "the text of a cell has 64 bytes at most, whole characters, also of marks of %s bytes",
    async (_, mark) => {
      const command = `printf e; for i in {1..500}; do printf '${mark}'; done; printf '\\ndone.'; sleep 600`;
      const session = await SupervisedSession.start(command, match("done."));
      const { screen } = (await session.do("screen")).success;
      const [cell = ""] = screen.cells[0][0].text;
      // tmux itself keeps less of a cell.
      const most = currentBackend() === "native" ? 63 : 20;
      expect(cell).toBe(`e${mark.repeat(Math.floor(most / Buffer.byteLength(mark)))}`);
    },
  );
});
