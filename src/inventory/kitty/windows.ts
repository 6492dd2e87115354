import { cellsIn, integerIn, isFields, jsonOf, listIn, textIn, textsIn } from "../fields.ts";

/** A window as kitty lists it: what other terminals call a pane. */
export interface ListedWindow {
  readonly number: number;
  readonly pid: number | undefined;
  /** `<system window>:<tab>` */
  readonly name: string;
  readonly title: string | undefined;
  readonly command: readonly string[];
  readonly cwd: string | undefined;
  readonly cols: number | undefined;
  readonly rows: number | undefined;
}

/** The windows that `kitten @ ls` states: an array of the system's windows, each with `tabs`, each with `windows` of
 * which `id`, `pid`, `title`, `cmdline`, `cwd`, `columns` and `lines` are read. `undefined` where it is no such list. */
export function parseWindows(stdout: Buffer): ListedWindow[] | undefined {
  const list = jsonOf(stdout.toString("utf8"));
  if (!Array.isArray(list)) return undefined;
  const found = new Map<number, ListedWindow>();
  let isAnyKnown = list.length === 0;
  for (const system of list.filter(isFields)) {
    isAnyKnown ||= Array.isArray(system["tabs"]);
    for (const tab of listIn(system, "tabs").filter(isFields)) {
      const name = `${integerIn(system, "id", 0) ?? ""}:${integerIn(tab, "id", 0) ?? ""}`;
      for (const fields of listIn(tab, "windows").filter(isFields)) {
        const number = integerIn(fields, "id", 0);
        if (number === undefined || found.has(number)) continue;
        found.set(number, {
          number,
          pid: integerIn(fields, "pid", 1),
          name,
          title: textIn(fields, "title"),
          command: textsIn(fields, "cmdline"),
          cwd: textIn(fields, "cwd"),
          cols: cellsIn(fields, "columns"),
          rows: cellsIn(fields, "lines"),
        });
      }
    }
  }
  return isAnyKnown ? [...found.values()] : undefined;
}
