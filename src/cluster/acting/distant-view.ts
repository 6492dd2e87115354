import { ActingError, type ActingReason, isActingReason } from "../../acting/failure.ts";
import type { Looker, View } from "../../acting/views/view.ts";
import { isValid } from "../../contract/validation.ts";
import type { ViewRequest, ViewTheme } from "../../contract/view.ts";
import { TYPED_WINDOW_BYTES } from "./limits.ts";
import type { ViewChannel, ViewChannelEvents } from "./view-channel.ts";
import { type LookerWords, OwnerWords } from "./view-words.ts";

/** A terminal of another instance that somebody here looks at. What is shown is acknowledged to its owner as it is here, so that
 * one window holds from the terminal to who looks. */
export class DistantView implements View, ViewChannelEvents {
  readonly #looker: Looker;
  readonly #owner: string;
  readonly #ended: () => void;
  #channel: ViewChannel | undefined;
  #opened: { resolve(): void; reject(error: Error): void } | undefined;
  /** Bytes that were typed and sent, and not yet taken. */
  #typed = 0;
  /** What was typed and asked for since then, in its order. */
  #unsent: (Uint8Array | ViewRequest)[] = [];
  /** Those who wait until all of it is sent. */
  #held: (() => void)[] = [];

  /** `ended`: called once it is over, however. */
  constructor(owner: string, looker: Looker, ended: () => void) {
    this.#owner = owner;
    this.#looker = looker;
    this.#ended = ended;
  }

  /** Resolves once the owner has opened it. */
  open(channel: ViewChannel): Promise<void> {
    this.#channel = channel;
    return new Promise((resolve, reject) => {
      this.#opened = { resolve, reject };
    });
  }

  type(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#channel === undefined) return undefined;
    this.#unsent.push(bytes);
    this.#sendMore();
    if (this.#unsent.length === 0) return undefined;
    return new Promise((resolve) => this.#held.push(resolve));
  }

  resize(cols: number, rows: number): void {
    this.#ask({ type: "resize", cols, rows });
  }

  shown(bytes: number): void {
    this.#say({ request: { type: "ack", bytes } });
  }

  theme(theme: ViewTheme): void {
    this.#ask({ type: "theme", ...theme });
  }

  close(force: boolean): void {
    this.#ask({ type: "close", ...(force ? { force } : {}) });
  }

  leave(): void {
    this.#say({ left: true });
    this.#end();
  }

  bytes(bytes: Uint8Array): void {
    this.#looker.output(bytes);
  }

  words(words: unknown): void {
    if (!isValid(OwnerWords, words)) {
      this.#channel?.break("it said something that is not known here");
      return;
    }
    if ("event" in words) this.#looker.event(words.event);
    else if ("open" in words) this.#opened?.resolve();
    else if ("taken" in words) this.#taken(words.taken);
    else this.#over(overFor(words.over));
  }

  broken(why: string): void {
    this.#over(
      new ActingError("no_answer", `the way to the instance ${this.#owner} is lost: ${why}`),
    );
  }

  #over(why: ActingError | undefined): void {
    const opened = this.#opened;
    this.#end();
    if (opened !== undefined && why !== undefined) opened.reject(why);
    // Who looks is told of the end once it knows of the view.
    queueMicrotask(() => this.#looker.over(why));
  }

  #taken(bytes: number): void {
    this.#typed = Math.max(0, this.#typed - bytes);
    this.#sendMore();
  }

  #ask(request: ViewRequest): void {
    if (this.#channel === undefined) return;
    this.#unsent.push(request);
    this.#sendMore();
  }

  /** Sends what the window has room for. */
  #sendMore(): void {
    for (let next = this.#unsent[0]; next !== undefined; next = this.#unsent[0]) {
      if (next instanceof Uint8Array) {
        const piece = next.subarray(0, TYPED_WINDOW_BYTES - this.#typed);
        if (piece.length < next.length) this.#unsent[0] = next.subarray(piece.length);
        else this.#unsent.shift();
        if (piece.length > 0) this.#channel?.bytes(piece);
        this.#typed += piece.length;
        if (piece.length < next.length) return;
      } else {
        this.#unsent.shift();
        this.#say({ request: next });
      }
    }
    for (const go of this.#held.splice(0)) go();
  }

  #say(words: LookerWords): void {
    this.#channel?.words(words);
  }

  #end(): void {
    if (this.#channel === undefined) return;
    this.#channel.end();
    this.#channel = undefined;
    this.#opened = undefined;
    this.#unsent = [];
    for (const go of this.#held.splice(0)) go();
    this.#ended();
  }
}

function overFor({
  reason,
  message,
}: {
  reason?: string;
  message: string;
}): ActingError | undefined {
  if (reason === undefined) return undefined;
  const known: ActingReason = isActingReason(reason) ? reason : "no_answer";
  return new ActingError(known, message);
}
