import type { Logger } from "pino";
import type { WebSocket } from "ws";
import { ActingError, type ActingReason } from "../../acting/failure.ts";
import type { ViewedPlace, Views } from "../../acting/views/published.ts";
import type { Looker, View } from "../../acting/views/view.ts";
import type { ViewEvent, ViewRequest } from "../../contract/view.ts";
import type { Clock } from "../../time/clock.ts";
import type { CloseReason } from "../close-codes.ts";
import type { Metrics } from "../metrics.ts";
import { pingPeer, WebSocketCarrier } from "../websocket.ts";
import { BLOCKED_MS, MAX_WAITING_BYTES, OPEN_MS } from "./limits.ts";
import { parseRequest } from "./request.ts";

/** What a view of a terminal is closed with that could not be had, or that ended. Of the others is what may be there again
 * after a while. */
const CLOSED_FOR: Partial<Record<ActingReason, CloseReason>> = {
  unsupported: "unsupported",
  gone: "terminal_gone",
  changed: "terminal_gone",
  ended: "terminal_gone",
  invalid: "view_refused",
  refused: "view_refused",
};

/** What all views of a server share. */
export interface ViewServices {
  readonly views: Views;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

export interface ViewConnectionOptions {
  /** The terminal, by the id of its row. */
  readonly id: string;
  /** The instance of its row. Absent: the publisher's own. */
  readonly instance?: string;
  readonly readOnly: boolean;
}

/** What became of a view. */
export interface ViewSummary {
  readonly terminal: string;
  /** `left` where its peer ended it. */
  readonly reason: CloseReason | "left";
  /** Bytes of output that were sent, and of what was typed. */
  readonly shown: number;
  readonly typed: number;
}

/** One WebSocket that looks at one terminal. */
export class ViewConnection implements Looker {
  readonly readOnly: boolean;
  readonly #id: string;
  readonly #place: ViewedPlace;
  readonly #socket: WebSocket;
  readonly #services: ViewServices;
  readonly #carrier: WebSocketCarrier;
  readonly #gone = new AbortController();
  #view: View | undefined;
  /** Why it ends; absent while it does not. */
  #reason: ViewSummary["reason"] | undefined;
  #shown = 0;
  #typed = 0;
  /** Whether the terminal is being reached, or takes no more of what is typed: nothing is read of the peer meanwhile. */
  #isHeld = false;
  #isTold = false;

  constructor(socket: WebSocket, services: ViewServices, options: ViewConnectionOptions) {
    const { id, instance, readOnly } = options;
    this.#socket = socket;
    this.#services = services;
    this.#carrier = new WebSocketCarrier(socket, services.clock);
    this.#id = id;
    this.#place = { id, ...(instance === undefined ? {} : { instance }) };
    this.readOnly = readOnly;
    const stopPings = pingPeer(socket, services, () => this.#isHeld);
    socket.on("message", (data, isBinary) => this.#take(data as Buffer, isBinary));
    // Every error of a WebSocket is followed by its end, with the code that ws has for it.
    socket.on("error", () => {});
    socket.on("close", () => {
      stopPings();
      this.#carrier.closed();
      this.#end("left");
    });
  }

  get summary(): ViewSummary {
    const reason = this.#reason ?? "left";
    return { terminal: this.#id, reason, shown: this.#shown, typed: this.#typed };
  }

  /** Begins to look. What stands in the way is told to the peer. */
  async begin(): Promise<void> {
    const { views } = this.#services;
    const release = this.#hold(OPEN_MS, `${this.#id} has not been reached in ${OPEN_MS} ms`);
    try {
      const view = await views.open(this.#place, this, this.#gone.signal);
      if (this.#reason === undefined) this.#view = view;
      else view.leave();
    } catch (error) {
      if (this.#reason === undefined) this.over(this.#faultOf(error));
    } finally {
      release();
    }
  }

  event(event: ViewEvent): void {
    this.#send(JSON.stringify(event), false);
  }

  output(bytes: Uint8Array): void {
    this.#shown += bytes.length;
    this.#send(bytes, true);
  }

  over(why: ActingError | undefined): void {
    if (this.#reason !== undefined) return;
    if (why !== undefined) this.event({ type: "error", message: why.message });
    this.close(why === undefined ? "terminal_closed" : (CLOSED_FOR[why.reason] ?? "view_lost"));
  }

  /** Ends it from this side. */
  close(reason: CloseReason): void {
    this.#end(reason);
    this.#carrier.close(reason);
  }

  #end(reason: ViewSummary["reason"]): void {
    this.#reason ??= reason;
    this.#gone.abort();
    this.#view?.leave();
    this.#view = undefined;
  }

  #send(data: Uint8Array | string, binary: boolean): void {
    const socket = this.#socket;
    if (this.#reason !== undefined || socket.readyState !== socket.OPEN) return;
    socket.send(data, { binary });
    if (socket.bufferedAmount <= MAX_WAITING_BYTES) return;
    this.#services.metrics.evicted("websocket");
    this.close("too_slow");
  }

  #take(data: Buffer, isBinary: boolean): void {
    if (this.#view === undefined) return;
    if (isBinary) {
      this.#type(this.#view, data);
      return;
    }
    const parsed = parseRequest(data);
    if ("fault" in parsed) this.event({ type: "error", message: parsed.fault });
    else this.#do(this.#view, parsed.request);
  }

  #type(view: View, bytes: Buffer): void {
    if (this.readOnly) {
      this.#refuse("type into it");
      return;
    }
    this.#typed += bytes.length;
    const taken = view.type(bytes);
    if (taken === undefined) return;
    const why = `${this.#id} has taken nothing of what was typed for ${BLOCKED_MS / 1000} s`;
    void taken.finally(this.#hold(BLOCKED_MS, why));
  }

  #do(view: View, request: ViewRequest): void {
    switch (request.type) {
      case "ack":
        view.shown(request.bytes);
        return;
      case "theme": {
        const { type: _, ...theme } = request;
        if (!this.readOnly) view.theme(theme);
        return;
      }
      case "resize":
        if (this.readOnly) this.#refuse("resize it");
        else view.resize(request.cols, request.rows);
        return;
      case "close":
        if (this.readOnly) this.#refuse("close it");
        else view.close(request.force ?? false);
        return;
    }
  }

  /** Said once: who types goes on to. */
  #refuse(what: string): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.event({ type: "error", message: `this view may look at the terminal and not ${what}` });
  }

  /** Reads nothing of the peer until the answer is called. Ends the view where that takes too long. */
  #hold(ms: number, why: string): () => void {
    const cancel = this.#services.clock.schedule(ms, () =>
      this.over(new ActingError("no_answer", why)),
    );
    this.#isHeld = true;
    this.#socket.pause();
    return () => {
      cancel();
      this.#isHeld = false;
      this.#socket.resume();
    };
  }

  #faultOf(error: unknown): ActingError {
    if (error instanceof ActingError) return error;
    this.#services.log.error({ err: error, terminal: this.#id }, "a view could not be opened");
    return new ActingError("no_answer", "the view could not be opened inside the publisher");
  }
}
