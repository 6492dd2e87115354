import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { link, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../files/make-folder.ts";

/** 256 bits: nobody guesses it, so failures need no lock-out. */
const TOKEN_BYTES = 32;

/** No link is followed, and a pipe in the file's place does not hold the start up. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** The files of the tokens in the state folder: of the one that lets in to everything, and of the one that lets in to look
 * and not to act. */
export const TOKEN_FILE = "token";
export const READ_ONLY_TOKEN_FILE = "read-only-token";

/** A token of a publisher, from its file in the folder; made there on the first start. Throws where others
 * can read the file, or where it does not hold a token. */
export async function loadToken(folder: string, file = TOKEN_FILE): Promise<string> {
  const path = join(folder, file);
  return (await readToken(path)) ?? (await createToken(folder, path));
}

/** The token in the file; `undefined` where there is no file. */
export async function readToken(path: string): Promise<string | undefined> {
  const file = await open(path, READ_FLAGS).catch((cause) => {
    if (cause.code === "ENOENT") return undefined;
    if (cause.code === "ELOOP")
      throw new Error(`the token file ${path} must not be a symbolic link`);
    throw new Error(`the token file ${path} cannot be read: ${cause.message}`, { cause });
  });
  if (file === undefined) return undefined;
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new Error(`the token file ${path} must be a regular file`);
    if (stat.uid !== process.getuid?.()) {
      throw new Error(`the token file ${path} must belong to you, it belongs to uid ${stat.uid}`);
    }
    if ((stat.mode & 0o077) !== 0) {
      const mode = (stat.mode & 0o777).toString(8).padStart(4, "0");
      throw new Error(
        `the token file ${path} must be readable by its owner alone, its mode is ${mode}; run: chmod 600 ${path}`,
      );
    }
    // Read a bounded piece: whatever lies here, a token is short.
    const buffer = Buffer.alloc(256);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    const token = buffer.toString("latin1", 0, bytesRead).trimEnd();
    if (!isToken(token)) {
      throw new Error(
        `the token file ${path} must hold 43 characters of base64url; remove it to have a new one made`,
      );
    }
    return token;
  } finally {
    await file.close();
  }
}

/** Whether the text is 32 bytes in base64url, spelled in the one way that encoding them gives. */
function isToken(text: string): boolean {
  return TOKEN_PATTERN.test(text) && Buffer.from(text, "base64url").toString("base64url") === text;
}

/** Made under a private name and linked to its own: nobody ever reads half of it, and of two that make one at
 * once both use the same. */
async function createToken(folder: string, path: string): Promise<string> {
  await makeFolder(folder);
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const draft = join(folder, `.token-${randomBytes(6).toString("hex")}`);
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${token}\n`);
    await file.sync();
    await link(draft, path);
    return token;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const made = await readToken(path);
    if (made === undefined) throw error;
    return made;
  } finally {
    await file.close();
    await unlink(draft);
  }
}
