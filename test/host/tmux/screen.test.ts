import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { CellRun, CellScreen } from "../../../src/host/screen/cell-screen.ts";
import type { Screen } from "../../../src/host/screen/screen.ts";
import { Screens } from "../../../src/host/screen/screens.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { screenWorker } from "../screen/build-worker.ts";
import { endAll, place, script, type Told, until } from "./support.ts";

let screens: Screens;
const ROOM = 4 * 1024 * 1024;

beforeAll(async () => {
  screens = new Screens({ clock: systemClock, version: "1.2.3", worker: await screenWorker() });
});
afterEach(endAll);
afterAll(() => screens.close());

const opened = (cols: number, rows: number): Screen =>
  screens.open({ cols, rows, answer: () => {} });

/** A screen that has seen nothing of the output, as after a restart whose log was cut. */
function screenOf({ session }: Told): Screen {
  const { cols, rows } = session.size;
  return session.screen(opened(cols, rows), opened);
}

const textOfRun = (run: CellRun): string => {
  if (run.kind === "blank") return " ".repeat(run.count);
  return "text" in run ? [run.text].flat().join("") : "";
};

const textOf = ({ cells }: CellScreen): string[] =>
  cells.map((row) => row.map(textOfRun).join("").trimEnd());

/** Shows what the shell prints, and stays. */
async function showing(format: string, cols = 20, rows = 5): Promise<Told> {
  const { PATH = "" } = process.env;
  const env = { PATH, SHOWN: format, TERM: "xterm-256color" };
  const server = await place().server();
  const told = await script(
    server,
    `stty -echo; printf "$SHOWN"; printf '\\033]2;told\\007'; read never`,
    {
      cols,
      rows,
      env,
    },
  );
  await told.says("told");
  return told;
}

describe("the screen of a tmux session", () => {
  test("has its cells with their styles, wide characters and the cursor", async () => {
    const told = await showing(
      "a\\033[1;31mred\\033[0m 鍵e\\314\\201\\r\\n\\033[48;2;1;2;3m  x \\033[0m.",
    );
    const shown = await screenOf(told).cells(ROOM);
    expect([shown.columns, shown.rows]).toEqual([20, 5]);
    expect(textOf(shown).slice(0, 2)).toEqual(["ared 鍵e\u0301", "  x ."]);
    const [first = [], second = []] = shown.cells;
    const red = first.find((run) => textOfRun(run) === "red");
    expect(shown.styles[red?.style ?? 0]).toMatchObject({ flags: 1, foreground: 0x1000001 });
    expect(first.find(({ kind }) => kind === "wide")).toMatchObject({ count: 1, text: "鍵" });
    expect(shown.styles[second[0]?.style ?? 0]).toMatchObject({ background: 0x3010203 });
    expect(shown.cursor).toMatchObject({ row: 1, column: 5, visible: true });
  });

  test("has lines where they are drawn by letters", async () => {
    const told = await showing("\\033(0lqk\\033(B ok");
    expect(textOf(await screenOf(told).cells(ROOM))[0]).toBe("┌─┐ ok");
  });

  test("tells the modes that the program has asked for", async () => {
    const plain = await screenOf(await showing("plain")).cells(ROOM);
    expect(plain.modes).toMatchObject({
      alternate_screen: false,
      application_cursor_keys: false,
      application_keypad: false,
      mouse_tracking: false,
      insert: false,
      origin: false,
      autowrap: true,
    });
    const told = await showing(
      "\\033[?1049h\\033[?1h\\033=\\033[?1000h\\033[4h\\033[?6h\\033[?7l\\033[?25lfull",
    );
    const { modes, cursor } = await screenOf(told).cells(ROOM);
    expect(modes).toMatchObject({
      alternate_screen: true,
      application_cursor_keys: true,
      application_keypad: true,
      mouse_tracking: true,
      insert: true,
      origin: true,
      autowrap: false,
    });
    expect(cursor.visible).toBe(false);
  });

  test("has what tmux does not tell from the output", async () => {
    const told = await showing("\\033[?2004h\\033[4 q\\033[?1004h");
    const model = opened(20, 5);
    model.feed(told.output);
    const { modes, cursor } = await told.session.screen(model, opened).cells(ROOM);
    expect(modes).toMatchObject({ bracketed_paste: true, focus_tracking: true });
    expect(cursor).toMatchObject({ shape: "underline", blinking: false });
  });

  test("is text with its history, and lines that the width broke are whole where that is asked", async () => {
    const told = await showing(
      `1\\r\\n2\\r\\n3\\r\\n${"x".repeat(25)}\\r\\n\\033[7mlast\\033[0m`,
      20,
      3,
    );
    const screen = screenOf(told);
    const rows = `${"x".repeat(20)}\n${"x".repeat(5)}\nlast`;
    expect(await screen.capture({ scrollback: 0 })).toEqual({ text: rows, alternate: false });
    expect((await screen.capture({ scrollback: 2 })).text).toBe(`2\n3\n${rows}`);
    expect((await screen.capture({ scrollback: 1000 })).text).toBe(`1\n2\n3\n${rows}`);
    const joined = await screen.capture({ scrollback: 1, joinWrapped: true });
    expect(joined.text).toBe(`3\n${"x".repeat(25)}\nlast`);
    expect((await screen.capture({ scrollback: 0, escapes: true })).text).toContain("\x1b[7mlast");
  });

  test("of a program that has the whole screen has no history", async () => {
    const told = await showing(
      "1\\r\\n2\\r\\n3\\r\\n4\\r\\n5\\r\\n6\\033[?1049h\\033[Hfull",
      20,
      3,
    );
    const captured = await screenOf(told).capture({ scrollback: 100 });
    expect(captured).toEqual({ text: "full", alternate: true });
  });

  test("is of another size once that is asked for", async () => {
    const told = await showing("here");
    told.pty.resize(31, 7);
    const screen = screenOf(told);
    await until(async () => (await screen.cells(ROOM)).columns === 31);
    expect(await screen.cells(ROOM)).toMatchObject({ columns: 31, rows: 7 });
  });

  test("stays as it was when the program ends", async () => {
    const server = await place().server();
    const told = await script(server, "printf '1\\n2\\n3\\n4\\n5'", { rows: 5, cols: 10 });
    await told.exited;
    expect(textOf(await screenOf(told).cells(ROOM))).toEqual(["1", "2", "3", "4", "5"]);
  });

  test("of a session that is gone is what its output shows", async () => {
    const made = place();
    const told = await script(await made.server(), "echo there; read never");
    await told.says("there");
    const model = opened(80, 24);
    model.feed(told.output);
    process.kill(made.pid ?? 0, "SIGKILL");
    await told.exited;
    const screen = told.session.screen(model, opened);
    expect(await screen.capture({ scrollback: 0 })).toEqual({ text: "there", alternate: false });
    expect(textOf(await screen.cells(ROOM))[0]).toBe("there");
  });
});
