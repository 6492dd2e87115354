import { ActingError } from "../../acting/failure.ts";
import type { Looker, View } from "../../acting/views/view.ts";
import { isValid } from "../../contract/validation.ts";
import type { ViewEvent, ViewRequest } from "../../contract/view.ts";
import type { ViewChannel, ViewChannelEvents } from "./view-channel.ts";
import { LookerWords, type OwnerWords } from "./view-words.ts";

/** Opens a view of a terminal here for somebody who is told of it by the looker. */
export type OpenOwned = (looker: Looker, signal: AbortSignal) => Promise<View>;

/** A terminal here that somebody at another instance looks at. */
export class OwnedView implements Looker, ViewChannelEvents {
  readonly readOnly: boolean;
  readonly #gone = new AbortController();
  readonly #ended: () => void;
  #channel: ViewChannel | undefined;
  #view: View | undefined;
  /** What is typed is taken in its order. */
  #typing: Promise<unknown> = Promise.resolve();

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
    this.#channel?.bytes(bytes);
  }

  over(why: ActingError | undefined): void {
    const message = why?.message ?? "the terminal was closed";
    this.#say({ over: { message, ...(why === undefined ? {} : { reason: why.reason }) } });
    this.#end();
  }

  bytes(bytes: Uint8Array): void {
    const view = this.#view;
    if (view === undefined || this.readOnly) return;
    const taken = () => this.#say({ taken: bytes.length });
    this.#typing = this.#typing.then(() => view.type(bytes)).then(taken, taken);
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
    const view = this.#view;
    if (view === undefined) return;
    if (request.type === "ack") view.shown(request.bytes);
    else if (this.readOnly) return;
    else if (request.type === "resize") view.resize(request.cols, request.rows);
    else if (request.type === "close") view.close(request.force ?? false);
    else {
      const { type: _, ...theme } = request;
      view.theme(theme);
    }
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
