import { HARNESSES, isVersion, nameOf, packageProgram } from "./names.ts";
import { PREFIXES } from "./prefixes.ts";
import { PACKAGE_RUNNERS } from "./runners.ts";
import { runtime } from "./runtimes.ts";

const COMMANDS = new Map(Object.entries(PREFIXES));
const RUNNERS = new Map(Object.entries(PACKAGE_RUNNERS));

/** What a process runs, seen through what stands in front of it. */
export interface Program {
  /** Its name without path, suffixes and version: `claude` also where it is installed as `.../versions/2.1.3`. */
  readonly name: string;
  /** The name and its arguments, as a person would have typed it. */
  readonly command: readonly string[];
  /** Whether the process is that program itself, and not a runtime or another command that leads to it. */
  readonly isItself: boolean;
}

/** How many commands are looked through. Nobody stacks as many; a command line may say anything. */
const MAX_LAYERS = 8;

/** Longer texts are no command that somebody has typed. */
const MAX_TITLE = 4_096;

/** The program that a process with these arguments and this executable runs. `undefined` where there is none. */
export function programOf(argv: readonly string[], exe: string | undefined): Program | undefined {
  const first = argv[0];
  if (first === undefined) return undefined;
  const words = argv.length === 1 ? titleWords(first, exe) : argv;
  let at = 0;
  let name = ownName(words[0] ?? first, exe);
  for (let layer = 0; layer < MAX_LAYERS; layer += 1) {
    const next = behind(name, words, at + 1);
    if (next === undefined) break;
    at = next.at;
    name = next.name;
  }
  return { name, command: [name, ...words.slice(at + 1)], isItself: at === 0 };
}

/** What a command of this name and with these arguments leads to. `undefined` where it does not lead further. */
function behind(
  name: string,
  words: readonly string[],
  from: number,
): { readonly at: number; readonly name: string } | undefined {
  const package_ = RUNNERS.get(name)?.(words, from);
  const at = package_ ?? (COMMANDS.get(name) ?? runtime(name))?.(words, from);
  const word = at === undefined ? undefined : words[at];
  if (at === undefined || !word) return undefined;
  // Deno runs packages by a name that says so; runners run files too.
  const isPackage = word.startsWith("npm:") || (package_ !== undefined && !word.startsWith("/"));
  return { at, name: isPackage ? packageProgram(word) : nameOf(word) };
}

/** Whether its executable can tell more about a process than its arguments: where those do not begin with the name of
 * a program. For any other process `programOf` needs none. */
export function isToldByFile([first]: readonly string[]): boolean {
  return first !== undefined && !isProgramName(first);
}

/** A harness that has written a text over its own name is told by its file. Its file tells nothing where that was
 * started by another program's name: Claude Code's is also the `rg` that it searches with. */
function ownName(first: string, exe: string | undefined): string {
  const name = nameOf(first);
  if (exe === undefined || HARNESSES.has(name) || isProgramName(first)) return name;
  const ofFile = nameOf(exe);
  return first === "" || HARNESSES.has(ofFile) ? ofFile : name;
}

const isProgramName = (first: string) =>
  !isVersion(nameOf(first)) && (first.startsWith("/") || /^[\w.+@:/-]+$/.test(first));

/** A program that sets its title writes one text over all of its arguments. npm's says what it runs, and so does a
 * harness's where options follow its name; any other text may be about anything. */
function titleWords(title: string, exe: string | undefined): readonly string[] {
  const isPath = title.includes("/") && exe !== undefined && nameOf(exe) === nameOf(title);
  if (isPath || title.length > MAX_TITLE) return [title];
  const words = title.trim().split(/\s+/);
  const [name = "", next = ""] = words;
  return name === "npm" || (HARNESSES.has(name) && next.startsWith("-")) ? words : [title];
}
