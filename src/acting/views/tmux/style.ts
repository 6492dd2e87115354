/** How text looks. */
export interface Style {
  /** The sequence that says the whole of it, whatever held before. */
  readonly bytes: string;
  /** Whether blanks in it cannot be seen. */
  readonly isPlain: boolean;
  /** Codes of SGR: what is switched on, and colours. */
  readonly switches: readonly string[];
  readonly foreground: string;
  readonly background: string;
  readonly underline: string;
}

type Codes = Pick<Style, "switches" | "foreground" | "background" | "underline">;

const NO_CODES: Codes = { switches: [], foreground: "", background: "", underline: "" };

export const PLAIN: Style = styleOf(NO_CODES);

/** How many changes of a style are remembered: most programs have few, and make them again and again. */
const REMEMBERED = 4_096;

const changes = new Map<string, Style>();

/** What a sequence of SGR makes of a style, with parameters as tmux writes them into a capture: switches are taken away
 * all at once, by 0. */
export function styled(style: Style, parameters: string): Style {
  // Of 24 bits each colour may be another one.
  if (parameters.includes(";2;")) return styleOf(applied(style, parameters.split(";")));
  const change = `${style.bytes} ${parameters}`;
  const known = changes.get(change);
  if (known !== undefined) return known;
  const made = styleOf(applied(style, parameters.split(";")));
  if (changes.size >= REMEMBERED) changes.clear();
  changes.set(change, made);
  return made;
}

function styleOf({ switches, foreground, background, underline }: Codes): Style {
  const codes = [...switches, foreground, background, underline].filter((code) => code !== "");
  return {
    bytes: codes.length === 0 ? "\x1b[m" : `\x1b[0;${codes.join(";")}m`,
    isPlain: switches.length === 0 && background === "",
    switches,
    foreground,
    background,
    underline,
  };
}

/** tmux writes codes of two digits with a colon, so that an overline, 53, comes as blinking of a third kind
 * (`grid_string_cells_code` in its `grid.c`). */
const MISSPELT: Readonly<Record<string, string>> = { "5:3": "53" };

function applied(style: Codes, codes: readonly string[]): Codes {
  let { switches, foreground, background, underline } = style;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? "";
    const number = Number.parseInt(code, 10);
    if (code === "" || code === "0") {
      ({ switches, foreground, background, underline } = NO_CODES);
    } else if (number === 38 || number === 48 || number === 58) {
      const length = code.includes(":") ? 1 : codes[at + 1] === "2" ? 5 : 3;
      const colour = codes.slice(at, at + length).join(";");
      if (number === 38) foreground = colour;
      else if (number === 48) background = colour;
      else underline = colour;
      at += length - 1;
    } else if (number === 39) foreground = "";
    else if (number === 49) background = "";
    else if (number === 59) underline = "";
    else if (isWithin(number, 30, 37) || isWithin(number, 90, 97)) foreground = code;
    else if (isWithin(number, 40, 47) || isWithin(number, 100, 107)) background = code;
    else if (isWithin(number, 1, 9) || number === 53) {
      const known = MISSPELT[code] ?? code;
      if (!switches.includes(known)) switches = [...switches, known];
    }
  }
  return { switches, foreground, background, underline };
}

const isWithin = (number: number, from: number, to: number) => number >= from && number <= to;
