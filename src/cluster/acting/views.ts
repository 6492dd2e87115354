import { randomBytes } from "node:crypto";
import { errors, type Msg, type NatsConnection, type Subscription } from "@nats-io/transport-node";
import { ActingError } from "../../acting/failure.ts";
import type { ViewedPlace, Views } from "../../acting/views/published.ts";
import type { Looker, View } from "../../acting/views/view.ts";
import { InstanceId } from "../../contract/identifiers.ts";
import { isValid } from "../../contract/validation.ts";
import type { Clock } from "../../time/clock.ts";
import { inboxPrefix, viewSubject } from "../subjects.ts";
import { DistantView } from "./distant-view.ts";
import { NOT_ALLOWED } from "./failure.ts";
import { MAX_VIEWS_OF_ONE, TAKE_UP_MS } from "./limits.ts";
import { OwnedView } from "./owned-view.ts";
import { ViewChannel } from "./view-channel.ts";
import { ViewOpening, ViewTaken } from "./view-words.ts";

/** Somebody at another instance who looks at a terminal here. */
export interface DistantLooker {
  readonly from: string;
  readonly terminal: string;
  readonly readOnly: boolean;
}

/** How much one was shown and typed, in bytes. */
export type DistantLook = Pick<OwnedView, "shown" | "typed">;

export interface DistantViewsParts {
  readonly local: Views;
  readonly instance: string;
  readonly bucket: string;
  readonly clock: Clock;
  /** Somebody begins to look; what it answers is called at the end. */
  viewed(looker: DistantLooker): (look: DistantLook) => void;
  /** The connection, while it holds. */
  connection(): NatsConnection | undefined;
}

/** Opens views of terminals, wherever these are, and lets other instances look at those here. */
export class DistantViews implements Views {
  readonly #parts: DistantViewsParts;
  /** Those that are looked at from here and those of terminals here, by their ids. */
  readonly #channels = new Map<string, ViewChannel>();
  /** How many views the subscribers of each other instance have here. */
  readonly #owned = new Map<string, number>();
  readonly #ownedViews = new Set<OwnedView>();
  #subscription: Subscription | undefined;

  constructor(parts: DistantViewsParts) {
    this.#parts = parts;
  }

  listen(connection: NatsConnection): void {
    const { bucket, instance } = this.#parts;
    this.#subscription = connection.subscribe(viewSubject(bucket, instance, "*"), {
      callback: (error, message) => {
        if (error === null) this.#take(connection, message);
      },
    });
  }

  /** Others look at nothing here any more, and are told why. */
  stop(why: string): void {
    this.#subscription?.unsubscribe();
    for (const view of [...this.#ownedViews]) view.over(new ActingError("no_answer", why));
  }

  end(): void {
    this.#subscription?.unsubscribe();
    for (const channel of [...this.#channels.values()]) channel.break("the connection was lost");
  }

  async open(place: ViewedPlace, looker: Looker, signal: AbortSignal): Promise<View> {
    const { local, instance, bucket, clock } = this.#parts;
    const { instance: owner = instance, id } = place;
    if (owner === instance) return local.open(place, looker, signal);
    const isInstance: boolean = isValid(InstanceId, owner);
    if (!isInstance) {
      const given = JSON.stringify(owner.slice(0, 64));
      throw new ActingError("invalid", `\`instance\` must be 32 characters of hex, got ${given}`);
    }
    const connection = this.#parts.connection();
    if (connection === undefined) throw lost(owner, "the message bus is out of reach");
    signal.throwIfAborted();
    const name = randomBytes(16).toString("hex");
    const view = new DistantView(owner, looker, () => this.#channels.delete(name));
    const channel = new ViewChannel(connection, clock, view);
    this.#channels.set(name, channel);
    const opened = view.open(channel);
    opened.catch(() => {});
    try {
      const opening: ViewOpening = { from: instance, terminal: id, readOnly: looker.readOnly };
      const there = await asked(connection, viewSubject(bucket, owner, name), owner, opening);
      channel.reach(viewSubject(bucket, owner, there));
      await Promise.race([opened, aborted(signal)]);
      return view;
    } catch (error) {
      view.leave();
      throw error;
    }
  }

  #take(connection: NatsConnection, message: Msg): void {
    const name = message.subject.slice(message.subject.lastIndexOf(".") + 1);
    const channel = this.#channels.get(name);
    const isAnswered = message.reply !== undefined && message.reply !== "";
    // What belongs to a view asks for no answer, as all does that somebody has the bus deliver from elsewhere.
    if (!isAnswered) channel?.take(message.data);
    else if (channel === undefined) this.#begin(connection, name, message);
  }

  /** Somebody at another instance asks for a view of a terminal here. */
  #begin(connection: NatsConnection, name: string, message: Msg): void {
    const { local, bucket, clock, viewed } = this.#parts;
    const opening = openingIn(message.data);
    if (opening === undefined) {
      const refused = "a view must be asked for with from, terminal and readOnly";
      answer(message, { refused });
      return;
    }
    const { from, terminal: id, readOnly } = opening;
    // The bus lets an instance hear its own answers alone: who says that it is another one is not told where the view is.
    if (message.reply?.startsWith(`${inboxPrefix(from)}.`) !== true) return;
    const count = this.#owned.get(from) ?? 0;
    if (count >= MAX_VIEWS_OF_ONE) {
      const refused = `${count} views of yours are open here; try again when one is closed`;
      answer(message, { refused });
      return;
    }
    this.#owned.set(from, count + 1);
    const here = randomBytes(16).toString("hex");
    const ended = viewed({ from, terminal: id, readOnly });
    const view: OwnedView = new OwnedView(readOnly, () => {
      ended(view);
      this.#channels.delete(here);
      this.#ownedViews.delete(view);
      const left = (this.#owned.get(from) ?? 1) - 1;
      if (left > 0) this.#owned.set(from, left);
      else this.#owned.delete(from);
    });
    const channel = new ViewChannel(connection, clock, view);
    channel.reach(viewSubject(bucket, from, name));
    this.#channels.set(here, channel);
    this.#ownedViews.add(view);
    answer(message, { view: here });
    void view.begin(channel, (looker, signal) => local.open({ id }, looker, signal));
  }
}

const lost = (owner: string, why: string) =>
  new ActingError("no_answer", `the instance ${owner} cannot be reached: ${why}`);

/** Resolves once the owner has taken up what is asked for, with the name of the view there. */
async function asked(
  connection: NatsConnection,
  subject: string,
  owner: string,
  opening: ViewOpening,
): Promise<string> {
  try {
    const { data } = await connection.request(subject, JSON.stringify(opening), {
      timeout: TAKE_UP_MS,
    });
    const taken = parsed(data);
    if (!isValid(ViewTaken, taken)) throw lost(owner, "what it said is no answer");
    if ("refused" in taken) throw new ActingError("busy", taken.refused);
    return taken.view;
  } catch (error) {
    if (error instanceof ActingError) throw error;
    const isRequestError = error instanceof errors.RequestError;
    if (isRequestError && error.cause instanceof errors.PermissionViolationError) {
      throw new ActingError("unsupported", NOT_ALLOWED);
    }
    const isNobody = isRequestError && error.isNoResponders();
    throw lost(owner, isNobody ? "it is not there" : `it did not take it up (${error})`);
  }
}

function answer(message: Msg, taken: ViewTaken): void {
  try {
    message.respond(JSON.stringify(taken));
  } catch {
    // The connection is being closed: whoever asked waits for nobody.
  }
}

function openingIn(bytes: Uint8Array): ViewOpening | undefined {
  const opening = parsed(bytes);
  return isValid(ViewOpening, opening) ? opening : undefined;
}

/** `undefined` where it is no JSON. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
