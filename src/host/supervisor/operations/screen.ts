import { reasonOf } from "../../../files/reason.ts";
import type { CellScreen } from "../../screen/cell-screen.ts";
import { CELLS_TOO_LARGE } from "../../screen/cell-screen.ts";
import { colourOf, isOn, type Style } from "../../screen/style.ts";
import type { Terminal } from "../../terminal.ts";
import { OperationError } from "../errors.ts";
import { MAXIMUM_FRAME_BYTES } from "../limits.ts";
import type { ScreenResult } from "../messages.ts";
import type { Operation } from "../operation.ts";
import type { Ground } from "./ground.ts";

/** What a session shows, cell by cell. */
export async function screen(
  { session_id }: Operation<"screen">,
  { sessions }: Ground,
): Promise<ScreenResult> {
  const session = sessions.get(session_id);
  const { rows, columns, cursor, modes, styles, cells } = await cellsOf(session.terminal);
  return {
    session: session.facts(),
    dimensions: { rows, columns },
    cursor,
    modes,
    styles: styles.map(styleOf),
    cells,
  };
}

async function cellsOf({ screen }: Terminal): Promise<CellScreen> {
  try {
    return await screen.cells(MAXIMUM_FRAME_BYTES);
  } catch (error) {
    const why = reasonOf(error);
    if (!why.includes(CELLS_TOO_LARGE)) throw new OperationError("screen_unavailable", why);
    throw new OperationError(
      "capacity_exceeded",
      `the screen's cells do not fit a frame of ${MAXIMUM_FRAME_BYTES} bytes; resize it, or read its output`,
    );
  }
}

const styleOf = (style: Style) => ({
  foreground: colourOf(style.foreground),
  background: colourOf(style.background),
  bold: isOn(style, "bold"),
  faint: isOn(style, "faint"),
  italic: isOn(style, "italic"),
  underline: style.underline !== 0,
  inverse: isOn(style, "inverse"),
  strikethrough: isOn(style, "strikethrough"),
});
