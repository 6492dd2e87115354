import { cellsIn, type Fields, integerIn, isFields, jsonOf, textIn } from "../fields.ts";

/** A terminal pane as zellij lists it. */
export interface ListedPane {
  readonly number: number;
  /** Whether its program has ended, and it is still shown. */
  readonly hasExited: boolean;
  /** How, where zellij knows. */
  readonly exitCode: number | undefined;
  /** Whether it waits for somebody to press a key before its program runs, for the first time or again. */
  readonly isHeld: boolean;
  readonly title: string | undefined;
  readonly tab: string | undefined;
  readonly cols: number | undefined;
  readonly rows: number | undefined;
  /** What runs there or ran there last, as one line. */
  readonly command: string | undefined;
  readonly cwd: string | undefined;
}

const MAX_PANE = 4_294_967_295;

/** The terminal panes that `zellij action list-panes --json` states: an array of objects whose fields are those of
 * zellij's `PaneInfo`, and of its tab. Plugins are no terminals. `undefined` where it is no such list. */
export function parsePanes(stdout: Buffer): ListedPane[] | undefined {
  const list = jsonOf(stdout.toString("utf8"));
  if (!Array.isArray(list)) return undefined;
  const panes = new Map<number, ListedPane>();
  let isAnyKnown = list.length === 0;
  for (const fields of list.filter(isFields)) {
    const number = integerIn(fields, "id", 0, MAX_PANE);
    if (number === undefined) continue;
    isAnyKnown = true;
    if (fields["is_plugin"] !== true && !panes.has(number)) panes.set(number, pane(number, fields));
  }
  return isAnyKnown ? [...panes.values()] : undefined;
}

function pane(number: number, fields: Fields): ListedPane {
  return {
    number,
    hasExited: fields["exited"] === true,
    exitCode: integerIn(fields, "exit_status", 0, 255),
    isHeld: fields["is_held"] === true,
    title: textIn(fields, "title"),
    tab: textIn(fields, "tab_name"),
    // What its program has, without the frame around it.
    cols: cellsIn(fields, "pane_content_columns") ?? cellsIn(fields, "pane_columns"),
    rows: cellsIn(fields, "pane_content_rows") ?? cellsIn(fields, "pane_rows"),
    command: textIn(fields, "pane_command") ?? textIn(fields, "terminal_command"),
    cwd: textIn(fields, "pane_cwd"),
  };
}
