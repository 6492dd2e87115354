import { randomBytes } from "node:crypto";
import { reasonOf } from "../../files/reason.ts";
import type { Host } from "../host.ts";
import type { OpenMonitors } from "../monitors/monitors.ts";
import { MonitorRefusal } from "../monitors/refusal.ts";
import type { Sandboxes } from "../sandbox/sandbox.ts";
import { DurableSessions } from "./durable/durable.ts";
import type { DurablePlaces } from "./durable/places.ts";
import { InvalidArgument, OperationError, ProtocolError } from "./errors.ts";
import { encodeFrame } from "./frames.ts";
import type {
  FailureCode,
  HostRequest,
  HostResponse,
  ProtocolHello,
  TerminalSuccess,
} from "./messages.ts";
import { LOCAL_HELLO, negotiate } from "./negotiate.ts";
import type { TerminalOperation } from "./operation.ts";
import { runOperation } from "./operations/run.ts";
import { failureFrame, successFrame } from "./results.ts";
import { Sessions } from "./sessions.ts";

type TerminalRequest = Extract<HostRequest, { kind: "terminal" }>;

const REQUEST_ID = /^[0-9a-f]{32}$/i;

/** Answers the requests of all connections of a host. */
export class Supervisor {
  readonly host: Host;
  readonly sessions: Sessions;
  readonly sandboxes: Sandboxes;
  /** Absent where no sessions outlive the host. */
  readonly durable: DurableSessions | undefined;
  readonly #instanceId = randomBytes(16).toString("hex");
  /** Operations under way, by the ids of their requests: a cancel may come on another connection. */
  readonly #active = new Map<string, AbortController>();

  /** `places`: where sessions are kept that outlive the host. */
  constructor(
    host: Host,
    openMonitors: OpenMonitors,
    sandboxes: Sandboxes,
    places?: DurablePlaces,
  ) {
    this.host = host;
    this.sandboxes = sandboxes;
    this.sessions = new Sessions(host, openMonitors);
    this.durable = places && new DurableSessions(host, this.sessions, places);
  }

  hello(peer: ProtocolHello): Buffer {
    try {
      const negotiated = negotiate(LOCAL_HELLO, peer);
      const instance_id = this.#instanceId;
      return respond({ kind: "hello", hello: LOCAL_HELLO, negotiated, instance_id });
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      const isInvalid = error.kind === "invalid_hello";
      return fail(isInvalid ? "invalid_request" : "incompatible_protocol", error.message);
    }
  }

  /** Ends the wait of an operation. Answers whether there is one under way with that id. */
  cancel(requestId: string): boolean {
    const controller = this.#active.get(requestId.toLowerCase());
    controller?.abort();
    return controller !== undefined;
  }

  /** Does an operation and answers what it came to. Never rejects. */
  async operate({ request_id, operation }: TerminalRequest): Promise<Buffer> {
    const id = request_id.toLowerCase();
    if (!REQUEST_ID.test(id)) {
      return failed("request_id must be 32 hexadecimal digits");
    }
    if (this.#active.has(id)) {
      return failed("request_id is that of an operation under way; give each its own");
    }
    const controller = new AbortController();
    this.#active.set(id, controller);
    try {
      const { host, sessions, durable, sandboxes } = this;
      const ground = { host, sessions, durable, sandboxes, signal: controller.signal };
      const success = await runOperation(operation, ground);
      // What is answered is on disk, so that the next host says the same.
      const told = sessionsOf(operation, success);
      await Promise.all(told.map((session) => durable?.settle(session)));
      return successFrame({ success });
    } catch (error) {
      return failureOf(operation, error);
    } finally {
      this.#active.delete(id);
    }
  }
}

/** The sessions that a result tells of. */
function sessionsOf(
  operation: TerminalOperation,
  success: TerminalSuccess["success"],
): readonly string[] {
  if ("session_id" in operation) return [operation.session_id];
  if ("start" in success) return [success.start.session.session_id];
  return "list" in success ? success.list.sessions.map(({ session_id }) => session_id) : [];
}

function failureOf(operation: TerminalOperation, error: unknown): Buffer {
  const id = "session_id" in operation ? operation.session_id : null;
  if (error instanceof OperationError) return failureFrame(operation.action, id, error);
  if (error instanceof MonitorRefusal && error.code !== "invalid_request") {
    return failureFrame(operation.action, id, new OperationError(error.code, error.message));
  }
  if (error instanceof InvalidArgument || error instanceof MonitorRefusal) {
    return failed(error.message);
  }
  return failed(`the operation failed: ${reasonOf(error)}`);
}

const failed = (message: string) => fail("terminal_operation_failed", message);

/** How much of a reason is told, in UTF-16 units: some repeat what they were given. */
const MESSAGE_UNITS = 4_096;

export const fail = (code: FailureCode, message: string): Buffer =>
  respond({ kind: "failure", code, message: message.slice(0, MESSAGE_UNITS) });

export const respond = (response: HostResponse): Buffer => encodeFrame(response);
