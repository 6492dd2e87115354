import type { NatsConnection } from "@nats-io/transport-node";
import type { Cancel, Clock } from "../../time/clock.ts";
import { ALIVE_MS, MAX_WORDS_BYTES, PIECE_BYTES, SILENCE_MS } from "./limits.ts";

/** Where a message of a view says what it holds. */
const KINDS = { bytes: 0, words: 1, alive: 2, broken: 3 } as const;

const HEAD_BYTES = 5;

/** What one side of a view hears of the other. */
export interface ViewChannelEvents {
  /** Output, or what is typed. */
  bytes(bytes: Uint8Array): void;
  /** Anything else, as JSON that was parsed. */
  words(words: unknown): void;
  /** The other side is gone, or something of it was lost. Once, and last. */
  broken(why: string): void;
}

/** One view between two instances, as either side has it. Messages are numbered: the bus may lose some where a connection breaks, and
 * a view with a hole shows what is not there. */
export class ViewChannel {
  readonly #connection: NatsConnection;
  #subject: string | undefined;
  readonly #clock: Clock;
  readonly #events: ViewChannelEvents;
  readonly #piece: number;
  #sent = 0;
  #heard = 0;
  #alive: Cancel;
  #silence: Cancel;
  #isOver = false;

  constructor(connection: NatsConnection, clock: Clock, events: ViewChannelEvents) {
    this.#connection = connection;
    this.#clock = clock;
    this.#events = events;
    const most = connection.info?.max_payload ?? PIECE_BYTES;
    this.#piece = Math.max(1, Math.min(PIECE_BYTES, most - HEAD_BYTES));
    this.#alive = this.#tellAlive();
    this.#silence = this.#patience();
  }

  /** Where the other side listens. Nothing is sent before that is known. */
  reach(subject: string): void {
    this.#subject = subject;
  }

  bytes(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += this.#piece) {
      this.#send(KINDS.bytes, bytes.subarray(at, at + this.#piece));
    }
  }

  words(words: object): void {
    this.#send(KINDS.words, Buffer.from(JSON.stringify(words)));
  }

  /** Takes a message of the other side. */
  take(message: Uint8Array): void {
    if (this.#isOver) return;
    if (message.length < HEAD_BYTES) {
      this.break("it sent a message that is none");
      return;
    }
    const number = Buffer.from(message.buffer, message.byteOffset).readUInt32BE(1);
    if (number !== this.#heard) {
      this.break("something that it sent was lost");
      return;
    }
    this.#heard = (this.#heard + 1) >>> 0;
    this.#silence();
    this.#silence = this.#patience();
    this.#hear(message[0], message.subarray(HEAD_BYTES));
  }

  /** Nothing more is sent or heard. */
  end(): void {
    this.#isOver = true;
    this.#alive();
    this.#silence();
  }

  break(why: string): void {
    if (this.#isOver) return;
    // What it says next would be lost on this side: it need not wait for the silence.
    this.#send(KINDS.broken, new Uint8Array());
    if (this.#isOver) return;
    this.end();
    this.#events.broken(why);
  }

  #hear(kind: number | undefined, content: Uint8Array): void {
    if (kind === KINDS.bytes) this.#events.bytes(content);
    else if (kind === KINDS.words) this.#hearWords(content);
    else if (kind === KINDS.broken) this.break("it found that something was lost");
  }

  #hearWords(content: Uint8Array): void {
    if (content.length > MAX_WORDS_BYTES) {
      this.break("it said more than a view has to say");
      return;
    }
    let words: unknown;
    try {
      words = JSON.parse(Buffer.from(content).toString());
    } catch {
      this.break("it sent words that are none");
      return;
    }
    this.#events.words(words);
  }

  #send(kind: number, content: Uint8Array): void {
    if (this.#isOver || this.#subject === undefined) return;
    const message = Buffer.allocUnsafe(HEAD_BYTES + content.length);
    message[0] = kind;
    message.writeUInt32BE(this.#sent, 1);
    message.set(content, HEAD_BYTES);
    this.#sent = (this.#sent + 1) >>> 0;
    try {
      this.#connection.publish(this.#subject, message);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.end();
      this.#events.broken(why);
    }
  }

  #tellAlive(): Cancel {
    return this.#clock.schedule(ALIVE_MS, () => {
      this.#send(KINDS.alive, new Uint8Array());
      this.#alive = this.#tellAlive();
    });
  }

  #patience(): Cancel {
    return this.#clock.schedule(SILENCE_MS, () =>
      this.break(`it said nothing for ${SILENCE_MS / 1_000} s`),
    );
  }
}
