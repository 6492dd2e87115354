import { homedir } from "node:os";
import { SubscriptionError } from "../client/failure.ts";
import { createProcessTable } from "../processes/index.ts";
import { systemClock } from "../time/clock.ts";
import { ask } from "./ask.ts";
import { messageOf, tell, UsageError } from "./failure.ts";
import { stateFolder } from "./folders.ts";
import { takeInventory } from "./inventory.ts";
import { inOrder, type Listing } from "./listing.ts";
import type { InventoryOptions, PublisherOptions } from "./options.ts";
import { isScreen, outputColors } from "./output.ts";
import { requirePlatform } from "./platform.ts";
import { type RunningPublisher, runningPublisher } from "./publisher.ts";
import { reachLocal, reachNamed, tokenHint } from "./reach.ts";
import { randomInstanceId, readInstanceId } from "./state.ts";
import { terminalLines } from "./terminal-table.ts";
import { jsonLine } from "./text.ts";

export interface LsOptions extends InventoryOptions, PublisherOptions {
  readonly json?: boolean;
}

/** Prints the terminals of this moment. It changes nothing, not even in the state folder. */
export async function ls(options: LsOptions): Promise<void> {
  const listing = await list(options);
  process.stdout.write(options.json === true ? json(listing) : table(listing, options));
}

async function list(options: LsOptions): Promise<Listing> {
  const looks = options.source !== undefined || options.tmuxSocket !== undefined;
  const named = await reachNamed(options);
  if (named !== undefined && looks) {
    throw new UsageError(
      "--source and --tmux-socket are for this host's own listing, --url asks another",
    );
  }
  if (named !== undefined) return ask(named).catch((cause) => refuse(cause, options));
  requirePlatform();
  const folder = stateFolder();
  const table = createProcessTable({ clock: systemClock });
  try {
    const publisher = looks ? undefined : await runningPublisher(folder, table);
    const answer = publisher === undefined ? undefined : await askLocal(publisher);
    if (answer !== undefined) return answer;
    const instance = (await readInstanceId(folder)) ?? randomInstanceId();
    return await takeInventory(instance, table, options);
  } finally {
    table.close();
  }
}

/** What the publisher says; `undefined` where it does not, and a look of one's own has to do. */
async function askLocal(publisher: RunningPublisher): Promise<Listing | undefined> {
  const transport = reachLocal(publisher);
  if (transport === undefined) return undefined;
  try {
    return await ask(transport);
  } catch (error) {
    tell(
      `the publisher (pid ${publisher.pid}) does not answer: ${messageOf(error)}; this is a look of our own at every terminal of yours, also at those that the publisher may have been told to leave out`,
    );
    return undefined;
  }
}

function refuse(cause: unknown, { url }: LsOptions): never {
  if (url === undefined) throw cause;
  const isUnauthorized = cause instanceof SubscriptionError && cause.reason === "unauthorized";
  const message = isUnauthorized
    ? tokenHint(url)
    : `the publisher at ${url.endpoint} does not answer: ${messageOf(cause)}`;
  throw new Error(message, { cause });
}

function json({ terminals, sources, polledAt }: Listing): string {
  return jsonLine({
    terminals: inOrder(terminals),
    sources,
    ...(polledAt === undefined ? {} : { polled_at: polledAt }),
  });
}

function table(listing: Listing, { tmuxSocket }: LsOptions): string {
  const lines = terminalLines(listing, {
    now: systemClock.now(),
    home: homedir(),
    width: isScreen() ? process.stdout.columns : undefined,
    colors: outputColors(),
    ...(tmuxSocket === undefined ? {} : { tmuxSockets: tmuxSocket }),
  });
  return lines.map((line) => `${line}\n`).join("");
}
