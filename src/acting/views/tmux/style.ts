/** How text looks, as the shortest sequence that says it to a terminal whose text is plain. */
export interface Style {
  /** Codes of SGR that switch something on. */
  readonly switches: readonly string[];
  readonly foreground: string;
  readonly background: string;
  readonly underline: string;
}

export const PLAIN: Style = { switches: [], foreground: "", background: "", underline: "" };

/** The whole style, whatever held before. */
export function sgr({ switches, foreground, background, underline }: Style): string {
  const codes = [...switches, foreground, background, underline].filter((code) => code !== "");
  return codes.length === 0 ? "\x1b[m" : `\x1b[0;${codes.join(";")}m`;
}

/** Whether blanks in it cannot be seen. */
export const isPlain = ({ switches, background }: Style): boolean =>
  switches.length === 0 && background === "";

/** tmux writes codes of two digits with a colon, so that an overline, 53, comes as blinking of a third kind
 * (`grid_string_cells_code` in its `grid.c`). */
const MISSPELT: Readonly<Record<string, string>> = { "5:3": "53" };

/** What a sequence of SGR makes of a style, with parameters as tmux writes them into a capture: switches are taken away
 * all at once, by 0. */
export function styled(style: Style, parameters: string): Style {
  const codes = parameters.split(";");
  let { switches, foreground, background, underline } = style;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? "";
    const number = Number.parseInt(code, 10);
    if (code === "" || code === "0") {
      ({ switches, foreground, background, underline } = PLAIN);
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
