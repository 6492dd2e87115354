import { join } from "node:path";
import { stateFolder } from "../files/folders.ts";
import { createProcessTable } from "../processes/index.ts";
import { READ_ONLY_TOKEN_FILE, readToken, TOKEN_FILE } from "../server/token.ts";
import { systemClock } from "../time/clock.ts";
import { addressWithToken } from "./link.ts";
import { requirePlatform } from "./platform.ts";
import { noPublisher, runningPublisher } from "./publisher.ts";

export interface UrlOptions {
  /** Whether with the token that lets in to look and not to act. */
  readonly readOnly?: boolean;
}

/** Prints the address of the publisher that runs for the state folder, with its token. */
export async function url({ readOnly = false }: UrlOptions): Promise<void> {
  requirePlatform();
  const folder = stateFolder();
  const table = createProcessTable({ clock: systemClock });
  const publisher = await runningPublisher(folder, table);
  table.close();
  if (publisher === undefined) throw noPublisher(folder);
  const { pid, endpoint } = publisher;
  if (endpoint === undefined) {
    throw new Error(`the publisher (pid ${pid}) does not listen yet; try again`);
  }
  const file = join(folder, readOnly ? READ_ONLY_TOKEN_FILE : TOKEN_FILE);
  const token = await readToken(file);
  if (token === undefined) {
    throw new Error(
      `the publisher (pid ${pid}) runs, but its token, ${file}, is gone; start it anew`,
    );
  }
  process.stdout.write(`${addressWithToken(endpoint, token)}\n`);
}
