import { setMaxListeners } from "node:events";
import type { TerminalCall } from "../acting/ops/call.ts";
import { CallError, errorBody } from "./call-error.ts";
import type { CarrierKind } from "./metrics.ts";
import type { Services } from "./services.ts";

/** Requests about terminals that one connection may have in work or waiting at once: together, and about one terminal. Far
 * under MAX_IN_FLIGHT, so that slow terminals never keep a connection from being heard. */
export const MAX_TERMINAL_CALLS = 128;
export const MAX_CALLS_ON_ONE_TERMINAL = 32;

/** How much text may wait on one connection to be typed, in UTF-16 units. */
export const MAX_WAITING_TEXT = 4 * 1_048_576;

/** What belongs to all terminals that are yet to be opened. */
const NONE_YET = "";

/** What waits about one terminal, and what is in work. */
interface Queue {
  /** Settles when all that changes the terminal is done. */
  last: Promise<unknown>;
  calls: number;
}

/** What carrying out requests about terminals needs. */
export type TerminalCallServices = Pick<Services, "terminals" | "clock" | "log" | "metrics"> & {
  readonly identity: Pick<Services["identity"], "instance">;
};

/** The requests about terminals of one connection, or of one other instance. Those about one terminal are begun in their order; what only looks holds
 * up nothing that comes after it. Different terminals have nothing to do with each other. */
export class TerminalCalls {
  readonly #services: TerminalCallServices;
  readonly #carrier: CarrierKind | "nats";
  readonly #gone = new AbortController();
  readonly #queues = new Map<string, Queue>();
  #calls = 0;
  #text = 0;

  constructor(services: TerminalCallServices, carrier: CarrierKind | "nats") {
    this.#services = services;
    this.#carrier = carrier;
    // Each call may listen, and there are no more of them than may be in work.
    setMaxListeners(0, this.#gone.signal);
  }

  /** Answers the body of the reply. `signal`: nobody waits for it any more. */
  async answer(call: TerminalCall, signal?: AbortSignal): Promise<object> {
    const id = placeOf(call, this.#services.identity.instance);
    const text = textOf(call);
    const queue = this.#queues.get(id) ?? { last: Promise.resolve(), calls: 0 };
    this.#requireRoom(queue, text);
    this.#calls += 1;
    this.#text += text;
    queue.calls += 1;
    this.#queues.set(id, queue);
    try {
      const given = this.#gone.signal;
      const gone = signal === undefined ? given : AbortSignal.any([given, signal]);
      const carryOut = () => this.#carryOut(call, gone);
      const done = id === NONE_YET ? carryOut() : queue.last.then(carryOut);
      if (changes(call)) queue.last = done.catch(() => {});
      return await done;
    } finally {
      this.#calls -= 1;
      this.#text -= text;
      queue.calls -= 1;
      if (queue.calls === 0) this.#queues.delete(id);
    }
  }

  /** The peer is gone: what has not begun is not done, and nothing is waited for. */
  end(): void {
    this.#gone.abort();
  }

  #requireRoom({ calls }: Queue, text: number): void {
    const what =
      calls >= MAX_CALLS_ON_ONE_TERMINAL
        ? `${calls} requests about the terminal`
        : this.#calls >= MAX_TERMINAL_CALLS
          ? `${this.#calls} requests about terminals`
          : this.#text > 0 && this.#text + text > MAX_WAITING_TEXT
            ? `${this.#text} characters to be typed`
            : undefined;
    if (what === undefined) return;
    const msg = `${what} of this connection are in work; try again when one is answered`;
    throw new CallError("rate_limited", msg, "busy");
  }

  async #carryOut(call: TerminalCall, gone: AbortSignal): Promise<object> {
    const { terminals, clock } = this.#services;
    gone.throwIfAborted();
    if (terminals === undefined) {
      throw new CallError(
        "capability_unavailable",
        "nothing here acts on terminals",
        "unsupported",
      );
    }
    const began = clock.monotonic();
    const tell = (outcome: string) => this.#tell(call, outcome, clock.monotonic() - began);
    try {
      const body = await terminals.carryOut(call, gone);
      tell("ok");
      return body;
    } catch (error) {
      const { code, reason } = errorBody(error);
      tell(gone.aborted ? "abandoned" : (reason ?? code));
      throw error;
    }
  }

  /** What was typed or read is nobody's who reads logs, so that it says what was done and with which terminal. */
  #tell(call: TerminalCall, outcome: string, ms: number): void {
    const { log, metrics } = this.#services;
    const { op } = call;
    const terminal = op === "terminal.open" ? undefined : shown(call.request.id);
    if (!("wait" in call.request)) metrics.acted(op, outcome, ms);
    // Absent: the publisher's own.
    const instance = call.request.to_instance;
    const line = { op, terminal, instance, outcome, ms: Math.round(ms), carrier: this.#carrier };
    if (changes(call)) log.info(line, "acted on a terminal");
    else log.debug(line, "looked into a terminal");
  }
}

/** Which terminal it is about, wherever that is. `own`: the instance that is meant where none is named. */
function placeOf({ op, request }: TerminalCall, own: string): string {
  if (op === "terminal.open") return NONE_YET;
  return `${request.to_instance ?? own} ${request.id}`;
}

const LOOKS: ReadonlySet<string> = new Set(["terminal.read", "terminal.capture", "terminal.gone"]);

const changes = ({ op }: TerminalCall) => !LOOKS.has(op);

function textOf(call: TerminalCall): number {
  if (call.op !== "terminal.send") return 0;
  return call.request.keys.reduce((sum, { length }) => sum + length, 0);
}

/** How much of an id is logged, in UTF-16 units. */
const SHOWN = 128;

const shown = (id: string) => (id.length > SHOWN ? `${id.slice(0, SHOWN)}…` : id);
