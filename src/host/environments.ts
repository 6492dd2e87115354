import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { reasonOf } from "../files/reason.ts";
import { HostError } from "./failure.ts";

/** What an environment may be called: it becomes the name of a file. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** How much of a file is read, in bytes. */
const MAX_BYTES = 256 * 1024;

/** A pipe without a writer holds nobody up, and a terminal does not become the host's. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

const VARIABLE = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)=(.*)$/;

/** The variables of an environment that a person has written down, as `NAME=value` a line, in a file of that name. Rejects
 * where there is none, for what is meant is not known then. */
export async function namedEnvironment(
  folder: string,
  name: string,
): Promise<Record<string, string>> {
  const path = join(folder, `${name}.env`);
  const refuse = (why: string) => {
    throw new HostError("invalid", `env ${JSON.stringify(name)} means the file ${path}: ${why}`);
  };
  if (!NAME.test(name)) return refuse("no file may be called so");
  const text = await beginningOf(path).catch((error) => refuse(reasonOf(error)));
  if (text.length > MAX_BYTES) return refuse(`it must have at most ${MAX_BYTES} bytes`);
  const variables: Record<string, string> = {};
  for (const line of text.toString("utf8").split("\n")) {
    const [, key, value] = VARIABLE.exec(line.trim()) ?? [];
    if (key !== undefined && value !== undefined) variables[key] = unquoted(value);
  }
  return variables;
}

/** What a file holds, where that is within the bound; else a byte more. */
async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path, FLAGS);
  try {
    if (!(await file.stat()).isFile()) throw new Error("it must be a regular file");
    const bytes = Buffer.alloc(MAX_BYTES + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
      length += bytesRead;
      if (bytesRead === 0 || length === bytes.length) return bytes.subarray(0, length);
    }
  } finally {
    await file.close();
  }
}

/** Quotes around a whole value are for shells. */
function unquoted(value: string): string {
  const [, , inner] = /^(["'])(.*)\1$/.exec(value) ?? [];
  return inner ?? value;
}
