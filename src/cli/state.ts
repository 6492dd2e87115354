import { randomBytes } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { InstanceId } from "../contract/identifiers.ts";
import { makeFolder } from "../files/make-folder.ts";
import { errorCode, reasonOf } from "../files/reason.ts";
import { createFile } from "../files/whole-file.ts";

const CHOOSE = "name another with TERMTOPIC_STATE_DIR";

/** Makes the state folder, mode 0700. Throws unless it is ours and nobody else can put files into it: whoever
 * could would choose the token. */
export async function openStateFolder(folder: string): Promise<void> {
  const must = `the state folder ${folder} must`;
  const found = await makeFolder(folder)
    .then(() => stat(folder))
    .catch((cause) => {
      throw new Error(`${must} be one that can be made: ${reasonOf(cause)}; ${CHOOSE}`, { cause });
    });
  if (!found.isDirectory())
    throw new Error(`${must} be a folder, a file is in its place; ${CHOOSE}`);
  if (found.uid !== process.getuid?.()) {
    throw new Error(`${must} belong to you, it belongs to uid ${found.uid}; ${CHOOSE}`);
  }
  if ((found.mode & 0o022) === 0) return;
  const mode = (found.mode & 0o7777).toString(8).padStart(4, "0");
  throw new Error(
    `${must} be closed to writing by others, its mode is ${mode}; run: chmod go-w ${folder}`,
  );
}

/** The instance whose state the folder holds; `undefined` where no publisher has run in it yet. */
export async function readInstanceId(folder: string): Promise<InstanceId | undefined> {
  const path = join(folder, "instance.id");
  const text = await readFile(path, "utf8").catch((cause) => {
    if (errorCode(cause) === "ENOENT") return undefined;
    throw new Error(`${path} cannot be read: ${reasonOf(cause)}`, { cause });
  });
  const id = text?.trim();
  if (id === undefined || /^[0-9a-f]{32}$/.test(id)) return id;
  throw new Error(
    `${path} must hold 32 characters of lower-case hex; remove it to become another instance`,
  );
}

/** The same, made on the first start. */
export async function loadInstanceId(folder: string): Promise<InstanceId> {
  const held = await readInstanceId(folder);
  if (held !== undefined) return held;
  const path = join(folder, "instance.id");
  const id = randomInstanceId();
  try {
    if (await createFile(path, `${id}\n`, { mode: 0o600, keep: true })) return id;
  } catch (cause) {
    throw new Error(`${path} cannot be made: ${reasonOf(cause)}`, { cause });
  }
  return loadInstanceId(folder);
}

export const randomInstanceId = (): InstanceId => randomBytes(16).toString("hex");
