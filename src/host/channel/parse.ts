import type { TObject } from "@sinclair/typebox";
import { validator } from "../../contract/validation.ts";
import { boundFault } from "./bounds.ts";
import { faultIn, given, isObject } from "./faults.ts";
import { UnreadFrame } from "./frames.ts";
import { MAX_REQUEST_BYTES, MAX_REQUEST_PARTS } from "./limits.ts";
import { CALLS, EVENTS, REQUESTS, TerminalEvent, type TerminalRequest } from "./messages.ts";

/** How the host reads the frames of its clients: see FrameReaderOptions. */
export const CLIENT_FRAMES = {
  pieces: true,
  maxJsonBytes: MAX_REQUEST_BYTES,
  maxJsonParts: MAX_REQUEST_PARTS,
} as const;

/** A request, or why it is none. `callId` is there where a call was meant, which is then replied to. */
export type ParsedRequest =
  | { readonly request: TerminalRequest }
  | { readonly fault: string; readonly callId?: number };

/** Makes a request of what a client sent as JSON. */
export function parseRequest(value: unknown): ParsedRequest {
  if (value instanceof UnreadFrame) return { fault: unreadFault(value) };
  if (!isObject(value)) return { fault: `a request must be an object, got ${given(value)}` };
  const shape = shapeBy(REQUESTS, value.type);
  if (shape === undefined) return { fault: mustBeOneOf("type", REQUESTS, value.type) };
  const fault = shape === REQUESTS.call ? callFault(value) : messageFault(shape, value);
  if (fault === undefined) return { request: value as TerminalRequest };
  return Number.isSafeInteger(value.id) && shape === REQUESTS.call
    ? { fault, callId: value.id as number }
    : { fault };
}

/** A call is looked at by its op, so that the words are about that call and not about all. */
function callFault(value: Record<string, unknown>): string | undefined {
  const { id, call } = value;
  if (!Number.isSafeInteger(id)) return `id must be an integer, got ${given(id)}`;
  if (!isObject(call)) return `call must be an object, got ${given(call)}`;
  const shape = shapeBy(CALLS, call.op);
  return shape === undefined ? mustBeOneOf("op", CALLS, call.op) : messageFault(shape, call);
}

function messageFault(shape: TObject, value: Record<string, unknown>): string | undefined {
  if (validator(shape).check(value)) return boundFault(value);
  return faultIn(shape, value) ?? "the request does not fit its schema";
}

function shapeBy(shapes: Readonly<Record<string, TObject>>, tag: unknown): TObject | undefined {
  return typeof tag === "string" && Object.hasOwn(shapes, tag) ? shapes[tag] : undefined;
}

function mustBeOneOf(field: string, shapes: object, tag: unknown): string {
  return `${field} must be one of ${Object.keys(shapes).join(", ")}, got ${given(tag)}`;
}

function unreadFault({ bytes }: UnreadFrame): string {
  return `a request must be at most ${MAX_REQUEST_BYTES} bytes of JSON with at most ${MAX_REQUEST_PARTS} values in it, got one of ${bytes} bytes`;
}

/** An event; `undefined` for one that this build does not know; or what is wrong with it. */
export type ParsedEvent =
  | { readonly event: TerminalEvent }
  | { readonly fault: string }
  | undefined;

/** Makes an event of what a host sent as JSON. */
export function parseEvent(value: unknown): ParsedEvent {
  if (!isObject(value)) return { fault: `an event must be an object, got ${given(value)}` };
  const { type } = value;
  if (typeof type !== "string") return { fault: `type must be a string, got ${given(type)}` };
  if (!Object.hasOwn(EVENTS, type)) return undefined;
  if (validator(TerminalEvent).check(value)) return { event: value };
  return { fault: `the event ${type} does not fit its schema` };
}
