import { HARNESS_COMMANDS } from "../contract/derivations.ts";

const HARNESSES: ReadonlySet<string> = new Set(HARNESS_COMMANDS);

/** Programs that run a script: the harness is then the script's name. */
const RUNTIMES: ReadonlySet<string> = new Set(["node", "bun", "deno", "nodejs"]);

const baseName = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** What a process runs, seen through what stands in front of it. */
export interface Program {
  /** Its name without path, suffixes and version: `claude` also where it is installed as `.../versions/2.1.3`. */
  readonly name: string;
  /** The name and its arguments, as a person would have typed it. */
  readonly command: readonly string[];
  /** Whether the process is that program itself, and not a runtime or another command that leads to it. */
  readonly isItself: boolean;
}

/** The program that a process with these arguments and this executable runs. `undefined` where there is none. */
export function programOf(argv: readonly string[], _exe: string | undefined): Program | undefined {
  const [program, ...rest] = argv;
  if (program === undefined) return undefined;
  const name = baseName(program);
  if (!RUNTIMES.has(name)) return { name, command: [name, ...rest], isItself: true };
  const script = rest.findIndex((argument) => !argument.startsWith("-"));
  const scriptName = rest[script] === undefined ? undefined : baseName(rest[script]);
  if (scriptName === undefined) return { name, command: [name, ...rest], isItself: true };
  return { name: scriptName, command: [scriptName, ...rest.slice(script + 1)], isItself: false };
}

/** Whether a program runs as a helper of a harness, or answers a question and ends: never as a session. */
export function isHelper(_program: Program): boolean {
  return false;
}

/** The harness that a process is, if it is one that may run a session. A word further back never counts. */
export function harnessOf(argv: readonly string[], exe: string | undefined): Program | undefined {
  const program = programOf(argv, exe);
  return program !== undefined && HARNESSES.has(program.name) && !isHelper(program)
    ? program
    : undefined;
}
