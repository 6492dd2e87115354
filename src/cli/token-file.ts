import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { reasonOf } from "../files/reason.ts";

/** More than any token has. What is longer is another file, or has no end. */
const MAX_BYTES = 4_096;

/** A pipe without a writer does not hold the start up, and a terminal does not become ours. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Reads the token that an option names a file of: one word of visible ASCII. */
export async function readTokenFile(option: string, path: string): Promise<string> {
  const refuse = (cause: unknown) => {
    throw new Error(`${option} ${path} cannot be read: ${reasonOf(cause)}`, { cause });
  };
  const file = await open(path, READ_FLAGS).catch(refuse);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new Error(`${option} ${path} must be a regular file`);
    const token = (await beginning(file).catch(refuse)).trim();
    if (/^[!-~]{1,4096}$/.test(token)) return token;
    throw new Error(
      `${option} ${path} must hold a token and nothing else, in at most ${MAX_BYTES} bytes`,
    );
  } finally {
    await file.close();
  }
}

/** What a file holds, where that is within the bound; else one byte more. */
async function beginning(file: FileHandle): Promise<string> {
  const buffer = Buffer.alloc(MAX_BYTES + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
    length += bytesRead;
    if (bytesRead === 0 || length === buffer.length) return buffer.toString("latin1", 0, length);
  }
}
