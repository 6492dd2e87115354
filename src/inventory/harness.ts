import { HARNESS_COMMANDS } from "../contract/derivations.ts";

const HARNESSES: ReadonlySet<string> = new Set(HARNESS_COMMANDS);

/** Programs that run a script: the harness is then the script's name. */
const RUNTIMES: ReadonlySet<string> = new Set(["node", "bun", "deno", "nodejs"]);

const baseName = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** The command of a harness as the wire states it: its own name first, its runtime left out.
 * `undefined` where the argv is not a harness's. A word further back never counts. */
export function harnessCommand(argv: readonly string[]): string[] | undefined {
  const [program, ...rest] = argv;
  if (program === undefined) return undefined;
  if (HARNESSES.has(baseName(program))) return [baseName(program), ...rest];
  if (!RUNTIMES.has(baseName(program))) return undefined;
  const script = rest.findIndex((argument) => !argument.startsWith("-"));
  const name = rest[script] === undefined ? undefined : baseName(rest[script]);
  return name !== undefined && HARNESSES.has(name) ? [name, ...rest.slice(script + 1)] : undefined;
}
