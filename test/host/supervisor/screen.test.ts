import { expect, test } from "vitest";
import { onEachBackend } from "./backends.ts";
import { serveSupervisor } from "./served-supervisor.ts";

const match = (pattern: string) => ({
  return_when: { kind: "match", pattern },
  wait_ceiling_ms: 60_000,
});

/** What a program has on the screen when it has written `done.`. */
async function shown(format: string, more: object = {}) {
  const served = await serveSupervisor();
  const client = served.connect();
  const command = `stty -echo; printf '${format}done.'; sleep 600`;
  const { session } = (await client.operate(served.start(command, { ...more, ...match("done.") })))
    .success.start;
  client.begin({ action: "screen", session_id: session.session_id });
  return (await client.next()).output;
}

const DEFAULT = {
  foreground: { default: {} },
  background: { default: {} },
  bold: false,
  faint: false,
  italic: false,
  underline: false,
  inverse: false,
  strikethrough: false,
};

onEachBackend(() => {
  test("screen is rows of cells with their styles, wide pairs, the cursor and the modes", async () => {
    const { structured } = await shown(
      "a\\033[1;2;3;4;7;9;31;48;5;200mb\\033[38;2;1;2;3;0m\\033[38;2;1;2;3mc\\033[m世e\\u0301 ",
      { rows: 2, columns: 20 },
    );
    const { screen } = structured.success;
    expect(screen.dimensions).toEqual({ rows: 2, columns: 20 });
    expect(screen.styles[0]).toEqual(DEFAULT);
    const [first, second] = screen.cells;
    expect(first).toEqual([
      { kind: "single", style: 0, count: 1, text: "a" },
      { kind: "single", style: 1, count: 1, text: "b" },
      { kind: "single", style: 2, count: 1, text: "c" },
      { kind: "wide", style: 0, count: 1, text: "世" },
      { kind: "single", style: 0, count: 7, text: ["e\u0301", " ", "d", "o", "n", "e", "."] },
      { kind: "blank", style: 0, count: 8 },
    ]);
    expect(second).toEqual([{ kind: "blank", style: 0, count: 20 }]);
    expect(screen.styles[1]).toEqual({
      foreground: { indexed: 1 },
      background: { indexed: 200 },
      bold: true,
      faint: true,
      italic: true,
      underline: true,
      inverse: true,
      strikethrough: true,
    });
    expect(screen.styles[2].foreground).toEqual({ rgb: { red: 1, green: 2, blue: 3 } });
    expect(screen.cursor).toEqual({
      row: 0,
      column: 12,
      visible: true,
      shape: "block",
      blinking: false,
    });
    expect(screen.modes).toEqual({
      insert: false,
      bracketed_paste: false,
      mouse_tracking: false,
      focus_tracking: false,
      application_cursor_keys: false,
      application_keypad: false,
      keyboard_protocol: false,
      synchronized_updates: false,
      alternate_screen: false,
      origin: false,
      autowrap: true,
    });
  });

  test("screen tells the cursor and the modes that the program has set", async () => {
    const format =
      "\\033[?1049h\\033[4h\\033[?2004h\\033[?1000h\\033[?1004h\\033[?1h\\033=\\033[>1u\\033[?6h\\033[?7l\\033[?25l\\033[5 q";
    const { structured } = await shown(format);
    const { cursor, modes } = structured.success.screen;
    expect(cursor).toMatchObject({ visible: false, shape: "bar", blinking: true });
    expect(modes).toEqual({
      insert: true,
      bracketed_paste: true,
      mouse_tracking: true,
      focus_tracking: true,
      application_cursor_keys: true,
      application_keypad: true,
      keyboard_protocol: true,
      synchronized_updates: false,
      alternate_screen: true,
      origin: true,
      autowrap: false,
    });
  });

  test("every row is as wide as the screen", async () => {
    const { structured } = await shown("世界世界世界世界世界世界", { rows: 4, columns: 11 });
    const widths = structured.success.screen.cells.map((row: { kind: string; count: number }[]) =>
      row.reduce((sum, { kind, count }) => sum + (kind === "wide" ? 2 : 1) * count, 0),
    );
    expect(widths).toEqual([11, 11, 11, 11]);
  });

  test("the largest screen full of text fits its frame", async () => {
    const served = await serveSupervisor();
    const client = served.connect();
    const command = `stty -echo; head -c 262000 /dev/zero | tr '\\0' x; printf done.; sleep 600`;
    const size = { rows: 512, columns: 512 };
    const { session } = (
      await client.operate(served.start(command, { ...size, ...match("done.") }))
    ).success.start;
    client.begin({ action: "screen", session_id: session.session_id });
    const { output } = await client.next();
    const texts = output.structured.success.screen.cells.flat();
    expect(texts.map(({ text = "" }: { text?: string }) => text).join("")).toBe(
      `${"x".repeat(262_000)}done.`,
    );
  });

  test("a screen that does not fit is refused with capacity_exceeded", async () => {
    const served = await serveSupervisor();
    const client = served.connect();
    const cells =
      "awk 'BEGIN { for (i = 0; i < 40000; i++) printf \"\\033[38;2;%d;%d;7mx\", i / 256, i % 256 }'";
    const size = { rows: 200, columns: 200 };
    const command = `${cells}; printf done.; sleep 600`;
    const { session } = (
      await client.operate(served.start(command, { ...size, ...match("done.") }))
    ).success.start;
    const { session_id } = session;
    expect((await client.operate({ action: "screen", session_id })).failure).toMatchObject({
      action: "screen",
      code: "capacity_exceeded",
      session_id,
      retryable: true,
    });
  });
});
