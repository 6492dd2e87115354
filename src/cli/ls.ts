import { homedir } from "node:os";
import { SubscriptionError } from "../client/failure.ts";
import { stateFolder } from "../files/folders.ts";
import { createProcessTable } from "../processes/index.ts";
import { systemClock } from "../time/clock.ts";
import { ask } from "./ask.ts";
import { listingDocument } from "./document.ts";
import { messageOf, tell, UsageError } from "./failure.ts";
import { takeInventory } from "./inventory.ts";
import type { Listing } from "./listing.ts";
import { listingLines } from "./listing-lines.ts";
import type { InventoryOptions, PublisherOptions } from "./options.ts";
import { isScreen, outputColors } from "./output.ts";
import { requirePlatform } from "./platform.ts";
import { type RunningPublisher, runningPublisher } from "./publisher.ts";
import { reachLocal, reachNamed, tokenHint } from "./reach.ts";
import { namedPlaces } from "./source-notes.ts";
import { randomInstanceId, readInstanceId } from "./state.ts";
import { jsonLine } from "./text.ts";

export interface LsOptions extends InventoryOptions, PublisherOptions {
  readonly json?: boolean;
}

/** Prints the terminals and agents of this moment. It changes nothing, not even in the state folder. */
export async function ls(options: LsOptions): Promise<void> {
  const listing = await list(options);
  const text = options.json === true ? jsonLine(listingDocument(listing)) : table(listing, options);
  process.stdout.write(text);
}

/** The options that say where to look, with which no publisher is asked. */
const OWN_LOOK = [
  ["--source", "source"],
  ["--tmux-socket", "tmuxSocket"],
  ["--claude-home", "claudeHome"],
  ["--agents-from", "agentsFrom"],
  ["--agent-command", "agentCommand"],
] as const satisfies readonly (readonly [flag: string, field: keyof InventoryOptions])[];

async function list(options: LsOptions): Promise<Listing> {
  const look = OWN_LOOK.find(([, field]) => options[field] !== undefined)?.[0];
  const named = await reachNamed(options);
  if (named !== undefined && look !== undefined) {
    throw new UsageError(`${look} is for a look at this host, --url asks another`);
  }
  if (named !== undefined) return ask(named).catch((cause) => refuse(cause, options));
  requirePlatform();
  const folder = stateFolder();
  const table = createProcessTable({ clock: systemClock });
  try {
    const publisher = look === undefined ? await runningPublisher(folder, table) : undefined;
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

function table(listing: Listing, options: LsOptions): string {
  const lines = listingLines(listing, {
    now: systemClock.now(),
    home: homedir(),
    width: isScreen() ? process.stdout.columns : undefined,
    colors: outputColors(),
    isPart: options.source !== undefined || options.tmuxSocket !== undefined,
    ...namedPlaces(options),
  });
  return lines.map((line) => `${line}\n`).join("");
}
