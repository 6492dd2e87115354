import { join } from "node:path";
import { stateFolder } from "../files/folders.ts";
import { createProcessTable } from "../processes/index.ts";
import { readToken } from "../server/token.ts";
import { systemClock } from "../time/clock.ts";
import { addressWithToken } from "./link.ts";
import { requirePlatform } from "./platform.ts";
import { noPublisher, runningPublisher } from "./publisher.ts";

/** Prints the address of the publisher that runs for the state folder, with its token. */
export async function url(): Promise<void> {
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
  const token = await readToken(join(folder, "token"));
  if (token === undefined) {
    throw new Error(
      `the publisher (pid ${pid}) runs, but its token, ${join(folder, "token")}, is gone; start it anew`,
    );
  }
  process.stdout.write(`${addressWithToken(endpoint, token)}\n`);
}
