import { type Static, Type } from "@sinclair/typebox";
import type { Frozen } from "./frozen.ts";
import { TerminalFailure } from "./result-failure.ts";
import { TerminalSuccess } from "./result-success.ts";

/** What an operation came to: that it was done, or why not. */
export const TerminalResult = Type.Union(
  [TerminalSuccess, Type.Object({ failure: TerminalFailure })],
  { $id: "TerminalResult" },
);
export type TerminalResult = Frozen<Static<typeof TerminalResult>>;

/** How a result is handed over. `structured` is the result; `content` the same as JSON text, as far as a frame holds both. */
export const ToolOutput = Type.Object(
  {
    content: Type.String(),
    /** Whether the operation was not done. */
    is_error: Type.Boolean(),
    structured: TerminalResult,
    /** How long the JSON text of all of the result is. */
    original_bytes: Type.Integer({ minimum: 2, maximum: Number.MAX_SAFE_INTEGER }),
    /** Whether `content` is less than all of the result. */
    truncated: Type.Boolean(),
  },
  { $id: "ToolOutput" },
);
export type ToolOutput = Frozen<Static<typeof ToolOutput>>;
