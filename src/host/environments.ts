import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { HostError } from "./failure.ts";

/** What an environment may be called: it becomes the name of a file. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** How much of a file is read, in bytes. */
const MAX_BYTES = 256 * 1024;

const VARIABLE = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)=(.*)$/;

/** The variables of an environment that a person has written down, as `NAME=value` a line, in a file of that name. Rejects
 * where there is none, for what is meant is not known then. */
export async function namedEnvironment(
  folder: string,
  name: string,
): Promise<Record<string, string>> {
  const path = join(folder, `${name}.env`);
  const text = NAME.test(name) ? await readFile(path, "utf8").catch(() => undefined) : undefined;
  if (text === undefined || text.length > MAX_BYTES) {
    const why = text === undefined ? "there is no such file" : "the file is too large";
    throw new HostError("invalid", `env ${JSON.stringify(name)} means the file ${path}: ${why}`);
  }
  const variables: Record<string, string> = {};
  for (const line of text.split("\n")) {
    const [, key, value] = VARIABLE.exec(line.trim()) ?? [];
    if (key !== undefined && value !== undefined) variables[key] = unquoted(value);
  }
  return variables;
}

/** Quotes around a whole value are for shells. */
function unquoted(value: string): string {
  const [, , inner] = /^(["'])(.*)\1$/.exec(value) ?? [];
  return inner ?? value;
}
