import { SubscriptionError } from "../client/failure.ts";
import { subscribe } from "../client/index.ts";
import type { Transport } from "../client/transport.ts";
import { stateFolder } from "../files/folders.ts";
import { createProcessTable } from "../processes/index.ts";
import { systemClock } from "../time/clock.ts";
import { TOPICS } from "./ask.ts";
import { commandFace, faceOf } from "./faces.ts";
import { UsageError } from "./failure.ts";
import { follow } from "./follow.ts";
import type { PublisherOptions } from "./options.ts";
import { requirePlatform } from "./platform.ts";
import { noPublisher, runningPublisher } from "./publisher.ts";
import { reachLocal, reachNamed, tokenHint } from "./reach.ts";
import { VERSION } from "./version.ts";

export interface WatchOptions extends PublisherOptions {
  readonly json?: boolean;
  /** The state that a terminal has to enter for the command to run. */
  readonly on?: string;
}

/** Shows terminals and agents as they change, or runs a command when a terminal enters a state, until a signal
 * ends it. */
export async function watch(command: readonly string[], options: WatchOptions): Promise<void> {
  requireCommand(command, options);
  const transport = (await reachNamed(options)) ?? (await reachStateFolder());
  const subscription = subscribe({ transport, topics: TOPICS, clientVersion: VERSION });
  const faces = [faceOf(options, subscription)];
  // It may not be able to go on, which is then the only thing to say.
  if (options.on !== undefined) faces.unshift(commandFace(command, options.on, options));
  const refusal = (error: Error) => {
    const isRefused = error instanceof SubscriptionError && error.reason === "unauthorized";
    return isRefused && options.url !== undefined ? new Error(tokenHint(options.url)) : error;
  };
  await follow(subscription, faces, { clock: systemClock, refusal });
}

async function reachStateFolder(): Promise<Transport> {
  requirePlatform();
  const folder = stateFolder();
  const table = createProcessTable({ clock: systemClock });
  const publisher = await runningPublisher(folder, table);
  table.close();
  if (publisher === undefined) throw noPublisher(folder);
  const transport = reachLocal(publisher);
  if (transport !== undefined) return transport;
  throw new Error(`the publisher (pid ${publisher.pid}) does not listen yet; try again`);
}

function requireCommand(command: readonly string[], { on }: WatchOptions): void {
  if (on !== undefined && command.length === 0) {
    throw new UsageError("--on needs a command to run: termtopic watch --on STATE -- COMMAND...");
  }
  if (on === undefined && command.length > 0) {
    throw new UsageError(`a command is run with --on STATE only, got "${command.join(" ")}"`);
  }
}
