import { ActingError } from "../../acting/failure.ts";
import type { Looker, View } from "../../acting/views/view.ts";
import { isValid } from "../../contract/validation.ts";
import type { ViewEvent, ViewRequest } from "../../contract/view.ts";
import { TYPED_WINDOW_BYTES } from "./limits.ts";
import type { ViewChannel, ViewChannelEvents } from "./view-channel.ts";
import { LookerWords, type OwnerWords } from "./view-words.ts";

/** What a request takes of the room for what is typed, in bytes. */
const REQUEST_BYTES = 64;

/** Opens a view of a terminal here for somebody who is told of it by the looker. */
export type OpenOwned = (looker: Looker, signal: AbortSignal) => Promise<View>;

/** A terminal here that somebody at another instance looks at. */
export class OwnedView implements Looker, ViewChannelEvents {
  readonly readOnly: boolean;
  readonly #gone = new AbortController();
  readonly #ended: () => void;
  #channel: ViewChannel | undefined;
  #view: View | undefined;
  /** How much was shown and typed, in bytes. */
  shown = 0;
  typed = 0;
  /** What is typed and asked for is done in its order. */
  #doing: Promise<unknown> = Promise.resolve();
  /** What of that is not done yet, in bytes. */
  #undone = 0;

  constructor(readOnly: boolean, ended: () => void) {
    this.readOnly = readOnly;
    this.#ended = ended;
  }

  async begin(channel: ViewChannel, open: OpenOwned): Promise<void> {
    this.#channel = channel;
    try {
      const view = await open(this, this.#gone.signal);
      if (this.#channel === undefined) view.leave();
      else {
        this.#view = view;
        this.#say({ open: true });
      }
    } catch (error) {
      this.over(
        error instanceof ActingError
          ? error
          : new ActingError("no_answer", "the view could not be opened inside its publisher"),
      );
    }
  }

  event(event: ViewEvent): void {
    this.#say({ event });
  }

  output(bytes: Uint8Array): void {
    this.shown += bytes.length;
    this.#channel?.bytes(bytes);
  }

  over(why: ActingError | undefined): void {
    const message = why?.message ?? "the terminal was closed";
    this.#say({ over: { message, ...(why === undefined ? {} : { reason: why.reason }) } });
    this.#end();
  }

  bytes(bytes: Uint8Array): void {
    if (this.readOnly) return;
    this.typed += bytes.length;
    this.#queue(bytes.length, async (view) => {
      await view.type(bytes);
      this.#say({ taken: bytes.length });
    });
  }

  words(words: unknown): void {
    if (!isValid(LookerWords, words))
      this.#channel?.break("it said something that is not known here");
    else if ("left" in words) this.#end();
    else this.#do(words.request);
  }

  /** Whoever looked is gone. */
  broken(): void {
    this.#end();
  }

  #do(request: ViewRequest): void {
    // What was shown waits for nothing that was typed.
    if (request.type === "ack") this.#view?.shown(request.bytes);
    else if (!this.readOnly) this.#queue(REQUEST_BYTES, (view) => perform(view, request));
  }

  #queue(bytes: number, act: (view: View) => unknown): void {
    this.#undone += bytes;
    // Whoever keeps to the window never comes near.
    if (this.#undone > 2 * TYPED_WINDOW_BYTES) {
      this.#channel?.break("it typed more than was taken");
      return;
    }
    const done = this.#doing.then(() => (this.#view === undefined ? undefined : act(this.#view)));
    this.#doing = done.then(
      () => {
        this.#undone -= bytes;
      },
      () => this.over(new ActingError("no_answer", "what was typed could not be passed on")),
    );
  }

  #say(words: OwnerWords): void {
    this.#channel?.words(words);
  }

  #end(): void {
    if (this.#channel === undefined) return;
    this.#channel.end();
    this.#channel = undefined;
    this.#gone.abort();
    this.#view?.leave();
    this.#view = undefined;
    this.#ended();
  }
}

function perform(view: View, request: Exclude<ViewRequest, { type: "ack" }>): void {
  if (request.type === "resize") view.resize(request.cols, request.rows);
  else if (request.type === "close") view.close(request.force ?? false);
  else {
    const { type: _, ...theme } = request;
    view.theme(theme);
  }
}
