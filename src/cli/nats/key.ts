import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { nkeys } from "@nats-io/transport-node";
import { errorCode, reasonOf } from "../../files/reason.ts";
import { createFile } from "../../files/whole-file.ts";

/** The file of the state folder with the nkey seed of this host's user. It never leaves the host. */
const SEED_FILE = "nats.nk";

/** This host's user of NATS: where its seed is, and its public key. */
export interface HostKey {
  readonly file: string;
  readonly publicKey: string;
}

/** The user of the host that the state folder belongs to, made on the first call. */
export async function loadHostKey(folder: string): Promise<HostKey> {
  const file = join(folder, SEED_FILE);
  const held = await readSeed(file);
  if (held !== undefined) return { file, publicKey: publicKeyOf(held, file) };
  const user = nkeys.createUser();
  const seed = new TextDecoder().decode(user.getSeed());
  try {
    if (await createFile(file, `${seed}\n`, { mode: 0o600, keep: true })) {
      return { file, publicKey: user.getPublicKey() };
    }
  } catch (cause) {
    throw new Error(`${file} cannot be made: ${reasonOf(cause)}`, { cause });
  }
  return loadHostKey(folder);
}

/** `undefined` where there is none. */
async function readSeed(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return undefined;
    throw new Error(`${file} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

function publicKeyOf(seed: string, file: string): string {
  try {
    const key = nkeys.fromSeed(new TextEncoder().encode(seed)).getPublicKey();
    if (key.startsWith("U")) return key;
  } catch {
    // It is told below.
  }
  throw new Error(
    `${file} must hold the nkey seed of a user, which begins with SU; remove it, and \`termtopic nats-config user\` makes another`,
  );
}
