/** The colours that programs are told when they ask, as 24-bit RGB integers. */
export interface Theme {
  readonly foreground: number;
  readonly background: number;
  readonly scheme: "light" | "dark";
}

/** What is told before anybody named colours. */
export const DEFAULT_THEME: Theme = { foreground: 0xd0d0d0, background: 0x000000, scheme: "dark" };

/** The size of a character in pixels. Nobody draws here, so programs that ask are told one of the usual proportion. */
export const CELL_PIXELS = { width: 8, height: 16 };
