import type { ErrorBody } from "../contract/errors.ts";
import type { Role } from "../contract/identifiers.ts";
import type { Cancel } from "../time/clock.ts";
import { Backlog, HOLD_BYTES } from "../topics/backlog.ts";
import type { Reader } from "../topics/reader.ts";
import { errorBody } from "./call-error.ts";
import { type Answer, Calls } from "./calls.ts";
import type { CloseReason } from "./close-codes.ts";
import { type Accepted, dispatch, type Standing } from "./dispatch.ts";
import { type Line, Lines } from "./lines.ts";
import type { CarrierKind } from "./metrics.ts";
import { Pace } from "./pace.ts";
import type { Services } from "./services.ts";

/** What carries a connection: a WebSocket or a Unix socket. */
export interface Carrier {
  readonly kind: CarrierKind;
  /** Sends one whole line. After `close` or `cut` it does nothing. */
  send(line: Uint8Array): void;
  /** How many bytes were sent and not yet taken by the network. */
  readonly buffered: number;
  /** Ends the connection for that reason, once what was sent has gone out;
   * cuts it after CLOSE_GRACE_MS. */
  close(reason: CloseReason): void;
  /** Ends the connection at once. */
  cut(): void;
  /** Stops and starts reading from the peer. What was read already still comes. */
  pause(): void;
  resume(): void;
}

/** Requests of one connection that may be in work at once; the next is read when one is answered. */
export const MAX_IN_FLIGHT = 256;

/** How often a peer that does not take its answers is looked at, in milliseconds. */
const BACKLOG_LOOK_MS = 100;

const NEWLINE = Buffer.from("\n");

/** One peer, over whichever carrier: takes bytes, answers requests, and holds who the peer is.
 *
 * Requests run side by side, so replies may overtake each other. No fault of a request ends the
 * connection. */
export class Connection {
  readonly #carrier: Carrier;
  readonly #services: Services;
  readonly #lines = new Lines();
  readonly #isReadOnly: boolean;
  readonly #pace: Pace;
  readonly #reader: Reader;
  readonly #calls: Calls;
  readonly #backlog = new Backlog();
  #inFlight = 0;
  #paused = false;
  /** Told to end: nothing more is read, and nothing written. */
  #closing = false;
  #ended = false;
  #wake: Cancel | undefined;
  #whenIdle: (() => void) | undefined;

  /** `isReadOnly`: whether the peer was let in to look and not to act. */
  constructor(carrier: Carrier, services: Services, isReadOnly = false) {
    this.#carrier = carrier;
    this.#services = services;
    this.#isReadOnly = isReadOnly;
    this.#pace = new Pace(services.clock);
    this.#reader = services.hub.connect({
      send: (line) => this.#send(line),
      get buffered() {
        return carrier.buffered;
      },
      evict: () => this.#evict(),
    });
    this.#calls = new Calls(services, { reader: this.#reader, carrier: carrier.kind, isReadOnly });
    services.metrics.connected(carrier.kind);
  }

  /** Undefined until the peer has greeted. */
  get role(): Role | undefined {
    return this.#calls.role;
  }

  /** Whether the peer is not read now because it asks faster than it is answered. */
  get paused(): boolean {
    return this.#paused;
  }

  /** Takes bytes of the peer. They must not be changed afterwards. */
  feed(bytes: Uint8Array): void {
    if (this.#closing) return;
    this.#lines.push(bytes);
    this.#advance();
  }

  /** Takes a whole message: its end is the end of a line. */
  feedMessage(bytes: Uint8Array): void {
    if (this.#closing) return;
    this.#lines.push(bytes);
    this.#lines.push(NEWLINE);
    this.#advance();
  }

  /** The peer sends no more. Calls back once everything it asked is answered. */
  finish(whenIdle: () => void): void {
    this.#whenIdle = whenIdle;
    this.#tellIdle();
  }

  /** Tells the peer something about the connection itself. */
  tell(event: object): void {
    this.#write(event);
  }

  /** Ends the connection for that reason, once what was sent has gone out. */
  close(reason: CloseReason): void {
    if (this.#closing) return;
    this.#closing = true;
    this.#wake?.();
    this.#calls.end();
    this.#carrier.close(reason);
  }

  /** The peer is gone. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#closing = true;
    this.#wake?.();
    this.#calls.end();
    this.#reader.end();
    this.#services.metrics.disconnected(this.#carrier.kind);
  }

  #advance(): void {
    while (this.#lines.pending && !this.#closing) {
      if (this.#carrier.buffered >= HOLD_BYTES) {
        this.#awaitTaking();
        return;
      }
      if (this.#inFlight >= MAX_IN_FLIGHT) {
        this.#pause();
        return;
      }
      const wait = this.#pace.wait();
      if (wait > 0) {
        this.#pause(wait);
        return;
      }
      const line = this.#lines.next();
      if (line === undefined) break;
      this.#pace.take();
      this.#answer(line);
    }
    this.#resume();
    this.#tellIdle();
  }

  /** The peer does not take what it was answered: it is asked no further questions until it does, and given
   * up where it does not. */
  #awaitTaking(): void {
    const now = this.#services.clock.monotonic();
    this.#backlog.look(this.#carrier.buffered, now);
    if (this.#backlog.isStuck(now)) this.#evict();
    else this.#pause(BACKLOG_LOOK_MS);
  }

  #evict(): void {
    if (!this.#closing) this.#services.metrics.evicted(this.#carrier.kind);
    this.close("too_slow");
  }

  /** Reads no further: until a request is answered, or for so many milliseconds. */
  #pause(wakeMs?: number): void {
    if (!this.#paused) this.#carrier.pause();
    this.#paused = true;
    if (wakeMs === undefined || this.#wake !== undefined) return;
    this.#wake = this.#services.clock.schedule(wakeMs, () => {
      this.#wake = undefined;
      this.#advance();
    });
  }

  #resume(): void {
    if (!this.#paused || this.#closing) return;
    this.#paused = false;
    this.#carrier.resume();
  }

  #tellIdle(): void {
    if (this.#whenIdle === undefined || this.#inFlight > 0 || this.#lines.pending) return;
    const whenIdle = this.#whenIdle;
    this.#whenIdle = undefined;
    whenIdle();
  }

  #standing(): Standing {
    return {
      role: this.#calls.role,
      instance: this.#services.identity.instance,
      capabilities: [],
      isReadOnly: this.#isReadOnly,
      actsElsewhere: this.#services.terminals?.actsElsewhere ?? false,
    };
  }

  #answer(line: Line): void {
    const verdict = dispatch(line, this.#standing());
    if ("refusal" in verdict) {
      this.#fail(verdict.op, verdict.requestId, verdict.refusal);
      return;
    }
    this.#inFlight += 1;
    void this.#carryOut(verdict)
      .catch((error) => this.#giveUp(error))
      .finally(() => {
        this.#inFlight -= 1;
        this.#advance();
      });
  }

  async #carryOut(call: Accepted): Promise<void> {
    const { request_id } = call.request;
    let answer: Answer;
    try {
      answer = await this.#calls.answer(call);
    } catch (error) {
      if (this.#closing) return;
      const body = errorBody(error);
      // With a reason it is a fault of something else, and was told of where it was met.
      if (body.code === "internal_error" && body.reason === undefined) {
        this.#services.log.error({ err: error, op: call.op }, "a call failed");
      }
      this.#fail(call.op, request_id, body);
      return;
    }
    if (this.#closing) return;
    this.#services.metrics.answered(call.op, "ok");
    this.#write({ ok: true, request_id, ...answer.body });
    answer.afterwards?.();
  }

  /** A request that was answered could not be kept to. Its peer must not go on believing the answer. */
  #giveUp(error: unknown): void {
    this.#services.log.error({ err: error }, "a call failed after it was answered");
    this.close("internal_error");
  }

  #fail(op: string | undefined, requestId: string | undefined, error: ErrorBody): void {
    if (this.#closing) return;
    this.#services.metrics.answered(op, error.code);
    this.#write({ ok: false, ...(requestId !== undefined && { request_id: requestId }), error });
  }

  #write(message: object): void {
    this.#send(Buffer.from(`${JSON.stringify(message)}\n`));
  }

  #send(line: Uint8Array): void {
    if (this.#closing) return;
    this.#services.metrics.sent(this.#carrier.kind, line.length);
    this.#carrier.send(line);
  }
}
