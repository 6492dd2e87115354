import { HARNESS_COMMANDS } from "../contract/derivations.ts";

export const HARNESSES: ReadonlySet<string> = new Set(HARNESS_COMMANDS);

/** The longest name of a file (NAME_MAX) and of a path (PATH_MAX) on Linux, in bytes. What is longer is a text that a
 * program has written over its arguments. */
const NAME_MAX = 255;
const PATH_MAX = 4_096;

/** What installers append to a program that they wrap: nixpkgs leaves `.claude-wrapped` behind its wrapper, or `_`
 * more where there are several. */
const SUFFIXES = [".exe", ".js", ".mjs", ".cjs", "-unwrapped", "-wrapped", "-raw"];

/** The package of a harness, and its files that run it without being named like it. */
interface Package {
  readonly harness: (typeof HARNESS_COMMANDS)[number];
  readonly entries: readonly string[];
}

const PACKAGES: ReadonlyMap<string, Package> = new Map([
  ["@anthropic-ai/claude-code", { harness: "claude", entries: ["cli", "cli-wrapper"] }],
  ["@openai/codex", { harness: "codex", entries: [] }],
]);

/** The folders in which Claude Code is a file named by its version: its own installer's, and the desktop
 * application's for remote hosts. */
const VERSION_FOLDERS = ["claude/versions", "ccd-cli"];

/** The name of the program in a file: without path, the `-` of a login shell, a leading `.`, and the suffixes of
 * scripts and wrappers. Exact otherwise: `claude-monitor` stays what it is. */
export function nameOf(path: string): string {
  if (path.length > PATH_MAX) return path;
  const [folder = "", parent = "", file = ""] = ["", "", ...path.split("/")].slice(-3);
  const name = plain(file);
  if (isVersion(file) && isVersionFolder(folder, parent)) return "claude";
  const package_ = PACKAGES.get(`${folder}/${parent}`);
  return package_?.entries.includes(name) ? package_.harness : name;
}

/** The name of the program that a package runner makes of its operand: a package with or without its version, or
 * the name of a program in one. */
export function packageProgram(spec: string): string {
  const named = spec.startsWith("npm:") ? spec.slice("npm:".length) : spec;
  const version = named.indexOf("@", 1);
  const name = version < 0 ? named : named.slice(0, version);
  return PACKAGES.get(name)?.harness ?? (name.includes("/") ? name : plain(name));
}

/** Whether a text is a version such as `2.1.3` or `2.1.3-beta.1`. */
export const isVersion = (text: string): boolean =>
  text.length <= NAME_MAX && /^\d+(\.\d+)+([-+][\w.+-]*)?$/.test(text);

const isVersionFolder = (folder: string, parent: string) =>
  VERSION_FOLDERS.some((versions) => `/${folder}/${parent}`.endsWith(`/${versions}`));

function plain(file: string): string {
  if (file.length > NAME_MAX) return file;
  let name = file.replace(/^-/, "").replace(/^\.+/, "");
  for (let shorter = withoutSuffix(name); shorter !== name; shorter = withoutSuffix(name)) {
    name = shorter;
  }
  return name === "" ? file : name;
}

function withoutSuffix(name: string): string {
  const bare = name.endsWith("-wrapped_") ? name.slice(0, -1) : name;
  const suffix = SUFFIXES.find((one) => bare.length > one.length && bare.endsWith(one));
  return suffix === undefined ? name : bare.slice(0, -suffix.length);
}
