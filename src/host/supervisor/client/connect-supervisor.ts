import { randomBytes } from "node:crypto";
import { runtimeFolder, stateFolder } from "../../../files/folders.ts";
import { hostPlaces } from "../../process/places.ts";
import type { TerminalOperation, ToolOutput } from "../messages.ts";
import { LOCAL_HELLO, negotiate } from "../negotiate.ts";
import type { Answer } from "./answers.ts";
import { SupervisorError } from "./failure.ts";
import { type DialOptions, Link } from "./link.ts";
import { Operations } from "./operations.ts";
import { type ResultOf, resultOf } from "./results.ts";

export interface SupervisorOptions extends Omit<DialOptions, "path"> {
  /** The host's socket for this dialect. Default: `supervisor.sock` of the host of the runtime folder. */
  readonly path?: string;
  /** The connection ended, and not by `close`. Last. */
  end?(error: SupervisorError): void;
}

export interface OperateOptions {
  /** Gives the operation up: a wait is cancelled in the host, and the operation rejects with the signal's reason. What it
   * has done is done. */
  readonly signal?: AbortSignal | undefined;
  /** 32 hexadecimal digits that no other operation under way has, for whoever means to `cancel` it. Default: any. */
  readonly requestId?: string | undefined;
}

/** What the host says of itself: its hello, the version that is spoken, and which start of the host it is. */
export type Greeting = Answer<"hello">;

/** A connection to the supervisor of a terminal host, for any number of operations at once. Answers come in the order of the
 * requests, so an operation that waits for something gets a connection of its own and holds back no other. */
export class SupervisorClient {
  readonly greeting: Greeting;
  readonly #dialing: DialOptions;
  readonly #link: Link;
  readonly #operations: Operations;
  readonly #waits = new Set<Link>();
  #isClosed = false;

  constructor(greeting: Greeting, dialing: DialOptions, link: Link) {
    this.greeting = greeting;
    this.#dialing = dialing;
    this.#link = link;
    this.#operations = new Operations(link);
  }

  /** Does an operation. Rejects with a SupervisorError; with `refused` and a `code` where the host does not do it. */
  async operate<One extends TerminalOperation>(
    operation: One,
    options: OperateOptions = {},
  ): Promise<ResultOf<One["action"]>> {
    return resultOf<One["action"]>(operation.action, await this.request(operation, options));
  }

  /** Sends an operation as it is on the wire and answers what it came to, done or not. Rejects with a SupervisorError where
   * the host does not take it for one of the dialect, with a ProtocolError where it does not fit a frame. */
  async request(
    operation: TerminalOperation,
    { signal, requestId = newRequestId() }: OperateOptions = {},
  ): Promise<ToolOutput> {
    signal?.throwIfAborted();
    const request = { kind: "terminal", request_id: requestId, operation } as const;
    if (!waits(operation)) return this.#operations.make(request, signal);
    const { signal: _, ...dialing } = this.#dialing;
    const link = await Link.dial(signal === undefined ? dialing : { ...dialing, signal });
    this.#waits.add(link);
    try {
      // It may have been closed while the other connection was made.
      if (this.#isClosed) link.close();
      return await new Operations(link).make(request, signal);
    } finally {
      this.#waits.delete(link);
      link.close();
    }
  }

  /** Ends the wait of an operation, whoever asked for it. Answers whether one with that id is under way. */
  async cancel(requestId: string): Promise<boolean> {
    const request = { kind: "cancel", request_id: requestId } as const;
    return (await this.#link.ask(request, "cancelled")).accepted;
  }

  /** Resolves when the host has answered. */
  async ping(): Promise<void> {
    await this.#link.ask({ kind: "ping" }, "pong");
  }

  /** Ends the connection. What is under way rejects, and the host cancels its waits. */
  close(): void {
    this.#isClosed = true;
    for (const link of [this.#link, ...this.#waits]) link.close();
  }
}

/** Connects to a terminal host's supervisor and agrees on a version. Rejects with a SupervisorError, or the signal's reason.
 * A connection that ends is not made again. */
export async function connectSupervisor({
  path = supervisorPath(),
  end = () => {},
  ...options
}: SupervisorOptions = {}): Promise<SupervisorClient> {
  const dialing = { ...options, path };
  const { link, greeting } = await Link.greeted(dialing, end, greet);
  return new SupervisorClient(greeting, dialing, link);
}

/** An id that no other request has. */
export const newRequestId = (): string => randomBytes(16).toString("hex");

const supervisorPath = () => hostPlaces(runtimeFolder(stateFolder())).supervisor;

async function greet(link: Link): Promise<Greeting> {
  const greeting = await link.ask({ kind: "hello", hello: LOCAL_HELLO }, "hello");
  try {
    if (negotiate(LOCAL_HELLO, greeting.hello) === greeting.negotiated) return greeting;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "it says no version";
    throw new SupervisorError("protocol", `the host cannot be spoken to: ${why}`, { cause });
  }
  const why = `the host speaks version ${greeting.negotiated}, which was not agreed on`;
  throw new SupervisorError("protocol", why);
}

/** Whether an operation may take as long as it likes. */
const waits = (operation: TerminalOperation): boolean =>
  operation.action === "wait" ||
  (operation.action === "start" && (operation.return_when?.kind ?? "started") !== "started");
