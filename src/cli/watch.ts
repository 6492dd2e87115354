import { homedir } from "node:os";
import { subscribe } from "../client/index.ts";
import type { Transport } from "../client/transport.ts";
import type { Subscription } from "../client/types.ts";
import { createProcessTable } from "../processes/index.ts";
import { systemClock } from "../time/clock.ts";
import { Commands } from "./commands.ts";
import { eventLine } from "./event-line.ts";
import { EXIT, tell, UsageError } from "./failure.ts";
import { stateFolder } from "./folders.ts";
import { enters, History, type TerminalEvent } from "./history.ts";
import type { PublisherOptions } from "./options.ts";
import { isScreen, outputColors } from "./output.ts";
import { requirePlatform } from "./platform.ts";
import { noPublisher, runningPublisher } from "./publisher.ts";
import { reachLocal, reachNamed, tokenHint } from "./reach.ts";
import { Screen } from "./screen.ts";
import { onStopSignals } from "./signals.ts";
import { type Standing, standingOf, standingText } from "./standing.ts";
import { jsonLine } from "./text.ts";
import { VERSION } from "./version.ts";

export interface WatchOptions extends PublisherOptions {
  readonly json?: boolean;
  /** The state that a terminal has to enter for the command to run. */
  readonly on?: string;
}

/** Shows terminals as they change, or runs a command when one enters a state, until a signal ends it. */
export async function watch(command: readonly string[], options: WatchOptions): Promise<void> {
  requireCommand(command, options);
  const transport = (await reachNamed(options)) ?? (await reachStateFolder());
  const subscription = subscribe({ transport, topics: ["terminals"], clientVersion: VERSION });
  const faces = [faceOf(options, subscription)];
  if (options.on !== undefined) faces.push(commandFace(command, options.on, options));
  await follow(subscription, faces, options);
}

/** One way of showing what happens. */
interface Face {
  /** Told after each change of the rows, also where only their freshness changed. */
  changed?(events: readonly TerminalEvent[]): void;
  /** Told when the rows stand otherwise than before. */
  stands?(standing: Standing): void;
  end?(): void;
}

/** Tells the faces everything until a signal comes. Rejects when no publisher can be had any more. */
function follow(
  subscription: Subscription<"terminals">,
  faces: readonly Face[],
  { url }: WatchOptions,
): Promise<void> {
  const history = new History();
  let last: Standing["state"] | undefined;
  const stands = () => {
    const standing = standingOf(subscription);
    if (standing === undefined || standing.state === last) return;
    // Being up to date is worth no word as long as nothing else was said.
    const isBeginning = last === undefined && standing.state === "live";
    last = standing.state;
    for (const face of faces) if (!isBeginning) face.stands?.(standing);
  };
  return new Promise<void>((resolve, reject) => {
    const end = (settle: () => void) => {
      subscription.close();
      for (const face of faces) face.end?.();
      settle();
    };
    onStopSignals({
      first: () => end(resolve),
      again: () => process.exit(EXIT.failed),
    });
    subscription.on("frame", (frame) => history.note(frame));
    subscription.on("change", (change) => {
      const events = history.take(change, subscription.view("terminals"));
      for (const face of faces) face.changed?.(events);
      stands();
    });
    subscription.on("status", (status) => {
      stands();
      if (status.state !== "failed") return;
      const isUnauthorized = status.error.reason === "unauthorized";
      const error = isUnauthorized && url !== undefined ? new Error(tokenHint(url)) : status.error;
      end(() => reject(error));
    });
    subscription.on("problem", ({ kind, message }) => {
      const { status } = subscription.view("terminals");
      if (kind === "refused" && status === "refused") end(() => reject(new Error(message)));
    });
  });
}

function faceOf({ json, on }: WatchOptions, subscription: Subscription<"terminals">): Face {
  if (json === true) {
    subscription.on("frame", (frame) => process.stdout.write(jsonLine(frame)));
    return { stands: tellStanding };
  }
  if (on !== undefined) return { stands: tellStanding };
  if (isScreen()) return screenFace(subscription);
  return {
    changed(events) {
      const now = new Date(systemClock.now());
      for (const event of events) {
        const line = eventLine(event, now);
        if (line !== undefined) process.stdout.write(`${line}\n`);
      }
    },
    stands: tellStanding,
  };
}

const tellStanding = (standing: Standing) => tell(standingText(standing));

function screenFace(subscription: Subscription<"terminals">): Face {
  const screen = new Screen(process.stdout, systemClock, {
    listing: () => subscription.view("terminals"),
    home: homedir(),
    colors: outputColors(),
  });
  return {
    changed: () => screen.draw(),
    stands: (standing) => screen.stand(standing),
    end: () => screen.end(),
  };
}

/** What the command prints goes to our output, unless that is for frames. */
function commandFace(command: readonly string[], state: string, { json }: WatchOptions): Face {
  const commands = new Commands(command, json === true ? "stderr" : "stdout");
  let listens = false;
  return {
    changed(events) {
      if (!listens) tell(`runs ${command[0]} when a terminal becomes ${state}`);
      listens = true;
      for (const event of events) if (enters(event, state)) commands.run(event.row);
    },
    end: () => commands.end(),
  };
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
