import { cellsIn, integerIn, isFields, jsonOf, textIn } from "../fields.ts";

/** A pane as wezterm lists it. */
export interface ListedPane {
  readonly number: number;
  /** The device of its terminal. Absent where that is another process's, such as a server's on another host. */
  readonly tty: string | undefined;
  /** `<workspace>:<tab>` */
  readonly name: string | undefined;
  readonly title: string | undefined;
  readonly cwd: string | undefined;
  readonly cols: number | undefined;
  readonly rows: number | undefined;
}

/** The panes that `wezterm cli list --format json` states: an array of objects with `pane_id`, `tab_id`,
 * `workspace`, `tab_title`, `title`, `size`, `cwd` as a URL, and on Unix `tty_name`. `undefined` where it is no such
 * list. */
export function parsePanes(stdout: Buffer): ListedPane[] | undefined {
  const list = jsonOf(stdout.toString("utf8"));
  if (!Array.isArray(list)) return undefined;
  const panes = new Map<number, ListedPane>();
  for (const fields of list.filter(isFields)) {
    const number = integerIn(fields, "pane_id", 0);
    if (number === undefined || panes.has(number)) continue;
    const size = fields["size"];
    const cells = isFields(size) ? size : {};
    const tab = textIn(fields, "tab_title") ?? integerIn(fields, "tab_id", 0);
    panes.set(number, {
      number,
      tty: textIn(fields, "tty_name"),
      name: tab === undefined ? undefined : `${textIn(fields, "workspace") ?? ""}:${tab}`,
      title: textIn(fields, "title"),
      cwd: pathOf(textIn(fields, "cwd")),
      cols: cellsIn(cells, "cols"),
      rows: cellsIn(cells, "rows"),
    });
  }
  return panes.size > 0 || list.length === 0 ? [...panes.values()] : undefined;
}

/** The path of a file URL, whatever host it names: that is ours as the program in the pane spells it. Older versions
 * state a path. */
function pathOf(cwd: string | undefined): string | undefined {
  if (cwd === undefined || cwd.startsWith("/")) return cwd;
  try {
    const { protocol, pathname } = new URL(cwd);
    return protocol === "file:" ? decodeURIComponent(pathname) : undefined;
  } catch {
    return undefined;
  }
}
