import { OperationError, ProtocolError } from "./errors.ts";
import { encodeFrame } from "./frames.ts";
import { MAXIMUM_FRAME_BYTES } from "./limits.ts";
import type {
  HostResponse,
  TerminalAction,
  TerminalResult,
  TerminalSuccess,
  ToolOutput,
} from "./messages.ts";

/** What an operation that was done answers, as a frame. Throws an OperationError where it does not fit one. */
export function successFrame(structured: TerminalSuccess): Buffer {
  const text = JSON.stringify(structured);
  const whole = output(text, structured, { isError: false });
  const frame = fitting(whole);
  if (frame !== undefined) return frame;
  // The text says nothing that is not in the value.
  const cut = { ...whole, content: factsAlone(structured), truncated: true };
  const cutFrame = fitting(cut);
  if (cutFrame !== undefined) return cutFrame;
  throw new OperationError(
    "capacity_exceeded",
    `the result is larger than a frame of ${MAXIMUM_FRAME_BYTES} bytes holds`,
  );
}

/** What a result says of its session. */
function factsAlone({ success }: TerminalSuccess): string {
  const facts = Object.entries(success).map(([action, { session }]) => [action, { session }]);
  return JSON.stringify({ success: Object.fromEntries(facts) });
}

/** What an operation that cannot be done answers. `sessionId` is null where none is meant. */
export function failureFrame(
  action: TerminalAction,
  sessionId: string | null,
  { code, isRetryable, message }: OperationError,
): Buffer {
  const failure = {
    action,
    code,
    session_id: sessionId?.slice(0, SHOWN_ID) ?? null,
    retryable: isRetryable,
    message,
  };
  const structured = { failure };
  return frameOf(output(JSON.stringify(structured), structured, { isError: true }));
}

/** How much of an id that nobody has is repeated, in UTF-16 units. */
const SHOWN_ID = 256;

const output = (
  content: string,
  structured: TerminalResult,
  { isError }: { readonly isError: boolean },
): ToolOutput => ({
  content,
  is_error: isError,
  structured,
  original_bytes: Buffer.byteLength(content),
  truncated: false,
});

const frameOf = (answer: ToolOutput) =>
  encodeFrame({ kind: "terminal", output: answer } satisfies HostResponse);

/** Absent where it is longer than a frame may be. */
function fitting(answer: ToolOutput): Buffer | undefined {
  try {
    return frameOf(answer);
  } catch (error) {
    if (error instanceof ProtocolError && error.kind === "frame_size") return undefined;
    throw error;
  }
}
