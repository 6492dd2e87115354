import type { ITheme } from "@xterm/xterm";
import type { ViewTheme } from "../../contract/view.ts";
import { scheme } from "../shared/scheme.ts";

/** The sixteen colours on a light ground, each of which can be read there, and on a dark one. */
const LIGHT: ITheme = {
  black: "#1b2330",
  red: "#b3161c",
  green: "#12692f",
  yellow: "#7a5200",
  blue: "#0b5cc4",
  magenta: "#8b2aa0",
  cyan: "#0a6675",
  white: "#5b6475",
  brightBlack: "#556074",
  brightRed: "#c92a2f",
  brightGreen: "#1a7f3c",
  brightYellow: "#8f6400",
  brightBlue: "#2f74d0",
  brightMagenta: "#9c3fb0",
  brightCyan: "#16788a",
  brightWhite: "#3a4454",
};
const DARK: ITheme = {
  black: "#2d3848",
  red: "#ff9a96",
  green: "#6fd38f",
  yellow: "#e8c07a",
  blue: "#7ab4ff",
  magenta: "#d9a0e8",
  cyan: "#74d0dc",
  white: "#cfd6e0",
  brightBlack: "#8793a6",
  brightRed: "#ffb3b0",
  brightGreen: "#8fe3a9",
  brightYellow: "#f3d59f",
  brightBlue: "#9cc8ff",
  brightMagenta: "#e6bdf0",
  brightCyan: "#9ae2eb",
  brightWhite: "#ffffff",
};

const ground = () => {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(name).trim();
  return {
    background: of("--terminal"),
    foreground: of("--terminal-text"),
    accent: of("--accent"),
  };
};

/** The colours of a terminal on the page as it is coloured now. */
export function themeOf(): ITheme {
  const { background, foreground, accent } = ground();
  const isDark = scheme.peek() === "dark";
  return {
    ...(isDark ? DARK : LIGHT),
    background,
    foreground,
    cursor: accent,
    cursorAccent: background,
    selectionBackground: isDark ? "#35517a" : "#b8d4f8",
  };
}

/** The same as programs are told that ask. */
export function viewTheme(): ViewTheme {
  const { background, foreground } = ground();
  const number = (colour: string) => Number.parseInt(colour.slice(1), 16) || 0;
  return {
    background: number(background),
    foreground: number(foreground),
    scheme: scheme.peek(),
  };
}

/** How places are marked that were found: text on them can be read. */
export function foundColours() {
  const isDark = scheme.peek() === "dark";
  const [match, active] = isDark ? ["#4a3d14", "#7a5c00"] : ["#fff0b8", "#ffd24d"];
  return {
    matchBackground: match,
    activeMatchBackground: active,
    matchOverviewRuler: match,
    activeMatchColorOverviewRuler: active,
  };
}
