import type { TerminalGoneResult } from "../../contract/acting.ts";
import type { TerminalOpName } from "../../contract/ops.ts";
import type { RequestOf } from "../../contract/schemas.ts";
import type { RemovalReason } from "../../contract/sources.ts";
import type { TerminalInfo } from "../../contract/terminals.ts";
import { KeyMemory } from "../../host/channel/keys-memory.ts";
import { HostError } from "../../host/failure.ts";
import type { Acting } from "../acting.ts";
import { ActingError } from "../failure.ts";
import type { ActingTerminal } from "../terminal.ts";
import type { TerminalCall, TerminalOps } from "./call.ts";
import { type OpeningPlace, openAsAsked } from "./open.ts";
import { captureResult, readInput, readResult } from "./read.ts";

/** A terminal that is not there any more. */
export interface Gone {
  readonly row: TerminalInfo;
  /** When it was found to be gone. */
  readonly at: number;
  readonly reason: RemovalReason;
}

export interface TerminalOpsParts {
  readonly acting: Acting;
  /** The row of that id as the publisher states it now; `undefined` where it states none. */
  find(id: string): Promise<TerminalInfo | undefined>;
  /** What became of a terminal that was stated before; `undefined` where that is not known. */
  gone(id: string): Gone | undefined;
  /** Absent where the host's terminals are not among those that the publisher states. */
  readonly opening?: OpeningPlace;
}

/** What requests about the terminals of one publisher do. What is done is done to the terminal of the publisher's own row. */
export class PublishedTerminalOps implements TerminalOps {
  readonly #parts: TerminalOpsParts;
  readonly #keys = new KeyMemory();

  constructor(parts: TerminalOpsParts) {
    this.#parts = parts;
  }

  async carryOut(call: TerminalCall, signal: AbortSignal): Promise<object> {
    switch (call.op) {
      case "terminal.open":
        return this.#once(call, () => this.#open(call.request));
      case "terminal.send":
        return this.#once(call, () => this.#send(call.request));
      case "terminal.signal":
        return this.#once(call, async () => {
          const { id, pid, signal: name } = call.request;
          await (await this.#on(id, pid)).signal(name);
          return {};
        });
      case "terminal.close":
        return this.#once(call, async () => {
          const { id, pid, force = false } = call.request;
          await (await this.#on(id, pid)).close({ force });
          return {};
        });
      case "terminal.read": {
        const input = readInput(call.request);
        return readResult(await (await this.#on(call.request.id)).read(input, signal));
      }
      case "terminal.capture":
        return this.#capture(call.request);
      case "terminal.resize": {
        const { id, cols, rows } = call.request;
        const { terminal } = await (await this.#on(id)).resize(cols, rows);
        return { cols: terminal?.cols ?? cols, rows: terminal?.rows ?? rows };
      }
      case "terminal.gone":
        return this.#gone(call.request.id);
      case "terminal.rename": {
        const { terminal } = await (await this.#on(call.request.id)).rename(call.request.name);
        return terminal?.name === undefined ? {} : { name: terminal.name };
      }
    }
  }

  async #open(request: RequestOf<"terminal.open">): Promise<object> {
    const { opening } = this.#parts;
    if (opening !== undefined) return openAsAsked(request, opening);
    throw new ActingError(
      "unsupported",
      "this publisher does not state the terminals of the host (`--source` leaves pty out), so it opens none",
    );
  }

  /** What is not listed is looked for first: it may be there still, and it may have gone while nobody looked. */
  async #gone(id: string): Promise<TerminalGoneResult> {
    const { find, gone } = this.#parts;
    if ((await find(id)) !== undefined) {
      throw new ActingError("gone", `the terminal ${shown(id)} is listed, so it is not gone`);
    }
    const known = gone(id);
    if (known === undefined) {
      throw new ActingError("gone", `nothing is known of a terminal ${shown(id)}`);
    }
    const { row: terminal, at, reason } = known;
    return { terminal, removed_at: at, reason };
  }

  async #send(request: RequestOf<"terminal.send">): Promise<object> {
    const { id, pid, keys, literal = false, submit = false, key } = request;
    const terminal = await this.#on(id, pid);
    await terminal.send({ keys, literal, submit, ...(key === undefined ? {} : { key }) });
    return {};
  }

  async #capture(request: RequestOf<"terminal.capture">): Promise<object> {
    const { id, scrollback = 0, escapes = false, join_wrapped: joinWrapped = false } = request;
    return captureResult(await (await this.#on(id)).capture({ scrollback, escapes, joinWrapped }));
  }

  /** The terminal of a row. Throws where there is none, or where it is about another process than the caller saw. */
  async #on(id: string, pid?: number): Promise<ActingTerminal> {
    const row = await this.#parts.find(id);
    if (row === undefined) {
      throw new ActingError("gone", `this publisher states no terminal ${shown(id)}`);
    }
    if (pid !== undefined && row.pid !== pid) {
      const now = row.pid === undefined ? "no process" : `the process ${row.pid}`;
      throw new ActingError("changed", `${shown(id)} is about ${now} now, and not about ${pid}`);
    }
    return this.#parts.acting.on(row);
  }

  /** What has a key is done once, whoever asks again. */
  async #once(
    { op, request }: TerminalCall & { request: { readonly key?: string } },
    run: () => Promise<object>,
  ): Promise<object> {
    const { key } = request;
    if (key === undefined) return run();
    try {
      return await this.#keys.once(op, key, argumentsOf(request), run);
    } catch (error) {
      if (error instanceof HostError) throw new ActingError("invalid", error.message);
      throw error;
    }
  }
}

/** A request without what tells it from itself when it is made again. */
function argumentsOf(request: RequestOf<TerminalOpName>): object {
  const {
    request_id: _,
    to_instance: __,
    from_instance: ___,
    hops: ____,
    caller: _____,
    ...args
  } = request;
  return args;
}

/** How much of an id is repeated, in UTF-16 units. */
const SHOWN = 128;

const shown = (id: string) => JSON.stringify(id.length > SHOWN ? `${id.slice(0, SHOWN)}…` : id);
