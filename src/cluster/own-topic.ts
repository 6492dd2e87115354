import type { RowTopic } from "../contract/rows.ts";
import { optional } from "../sources/optional.ts";
import type { OwnTopic } from "../topics/own-topic.ts";
import { SHARED_TOPICS, type TopicToken } from "./subjects.ts";
import { encodeValue, type ValueHead, type ValueRemoval } from "./value.ts";

/** How many removals a value tells of. A reader that missed more takes the rest to be closed. */
const REMOVALS_TOLD = 256;

/** What is the same in all values of a start. */
export interface Producer {
  readonly instance: string;
  readonly host: string;
  readonly epoch: string;
}

/** How the producer ends. */
export type Ending = "stopped" | "restarting";

/** One of this host's topics as others are told of it: with its rows while others want them, else without. */
export class SharedTopic {
  readonly token: TopicToken;
  readonly #own: OwnTopic;
  readonly #removed: ValueRemoval[] = [];
  #isWanted = false;
  /** How far removals were taken off the feed. */
  #position = 0;
  /** What the bus has. */
  #told: string | undefined;

  constructor(token: TopicToken, topics: readonly OwnTopic[]) {
    const topic: RowTopic = SHARED_TOPICS[token];
    const own = topics.find((candidate) => candidate.topic === topic);
    if (own === undefined) throw new RangeError(`Expected a host that has \`${topic}\``);
    this.token = token;
    this.#own = own;
  }

  /** Makes rows while others want them. */
  want(isWanted: boolean): void {
    if (isWanted === this.#isWanted) return;
    this.#isWanted = isWanted;
    this.#removed.length = 0;
    this.#position = this.#own.feed.position;
    if (isWanted) this.#own.resource.acquire();
    else this.#own.resource.release();
  }

  /** Notes what is gone, before the feed forgets it. */
  look(): void {
    const { feed } = this.#own;
    if (!this.#isWanted || feed.position === this.#position) return;
    for (const { element, position } of feed.removedSince(this.#position)) {
      this.#removed.push(removalOf(element.text, position));
    }
    this.#removed.splice(0, this.#removed.length - REMOVALS_TOLD);
    this.#position = feed.position;
  }

  get isWanted(): boolean {
    return this.#isWanted;
  }

  /** Whether what the bus has is out of date. */
  get isNews(): boolean {
    return this.#state() !== this.#told;
  }

  /** The bus may have lost what it was told. */
  forget(): void {
    this.#told = undefined;
  }

  /** The value as it is now, and what to call once the bus has it. */
  async value(producer: Producer, ending?: Ending): Promise<{ bytes: Uint8Array; told(): void }> {
    const state = this.#state();
    const { feed } = this.#own;
    const { polledAt, sources } = feed.standing;
    const head: Omit<ValueHead, "v"> = {
      ...producer,
      seq: feed.position,
      bookmarks: feed.bookmarks,
      removed: this.#isWanted ? [...this.#removed] : [],
      ...(this.#isWanted ? optional("polled_at", polledAt) : {}),
      ...(this.#isWanted && sources !== undefined ? { sources: [...sources] } : {}),
      ...(ending === undefined ? {} : { [ending]: true as const }),
    };
    const texts = this.#isWanted ? feed.elements().map(({ text }) => text) : [];
    return {
      bytes: await encodeValue(head, texts),
      told: () => {
        this.#told = state;
      },
    };
  }

  /** Changes with everything that others are to be told at once. */
  #state(): string {
    const { position, bookmarks, standing } = this.#own.feed;
    // The first reading is told at once: nothing that says less may go just before it.
    if (!this.#isWanted || standing.polledAt === undefined) return "unread";
    return `${position} ${bookmarks}`;
  }
}

function removalOf(text: string, seq: number): ValueRemoval {
  const { id, pid, removed_at: at, reason } = JSON.parse(text);
  return { key: id ?? pid, at, reason, seq };
}
