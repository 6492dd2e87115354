import { readFile, stat } from "node:fs/promises";
import {
  type Authenticator,
  credsAuthenticator,
  nkeyAuthenticator,
  nkeys,
} from "@nats-io/transport-node";
import { reasonOf } from "../files/reason.ts";

/** The longest file of credentials, in bytes. Real ones have about a thousand. */
const MAX_BYTES = 65_536;

/** What to show a NATS server so that it lets us in: a file that holds a JWT and a seed, as NATS's own tools make them, or an
 * nkey seed alone. Rejects where the file cannot be read, can be read by others, or holds neither. */
export async function authenticatorFrom(file: string): Promise<Authenticator> {
  const bytes = await readSecret(file);
  const text = bytes.toString("latin1");
  if (text.includes("BEGIN NATS USER JWT")) return credsAuthenticator(bytes);
  const seed = new TextEncoder().encode(text.trim());
  if (isUserSeed(seed)) return nkeyAuthenticator(seed);
  throw new Error(
    `${file} must hold NATS credentials (a .creds file, or an nkey seed of a user, which begins with SU); make one with: termtopic nats-config user`,
  );
}

async function readSecret(file: string): Promise<Buffer> {
  try {
    const { mode, size } = await stat(file);
    if ((mode & 0o077) !== 0) {
      throw new Error(`others may read or write it; run: chmod 600 ${file}`);
    }
    if (size > MAX_BYTES) throw new Error(`it has ${size} bytes, credentials have about 1 000`);
    return await readFile(file);
  } catch (cause) {
    throw new Error(`the credentials ${file} cannot be used: ${reasonOf(cause)}`, { cause });
  }
}

function isUserSeed(seed: Uint8Array): boolean {
  try {
    return nkeys.fromSeed(seed).getPublicKey().startsWith("U");
  } catch {
    return false;
  }
}
