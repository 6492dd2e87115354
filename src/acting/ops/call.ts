import type { TerminalOpName } from "../../contract/ops.ts";
import type { RequestOf } from "../../contract/schemas.ts";

/** A request about terminals that fits its schema. */
export type TerminalCall = {
  readonly [Op in TerminalOpName]: { readonly op: Op; readonly request: RequestOf<Op> };
}[TerminalOpName];

/** Does what requests about terminals ask for. */
export interface TerminalOps {
  /** Gives the body of the reply. Rejects with an error that has a `code` of the contract, and a `reason`. `signal`: nobody
   * waits for the reply any more. */
  carryOut(call: TerminalCall, signal: AbortSignal): Promise<object>;
  /** Whether terminals of other instances can be acted on now. Absent where they never can. */
  readonly actsElsewhere?: boolean;
}
