import type { Terminal } from "../../terminal.ts";
import { OperationError } from "../errors.ts";

/** Refuses a session whose program has ended. */
export function requireRunning({ state }: Terminal): void {
  if (state === "running") return;
  throw new OperationError("invalid_lifecycle", "the session's program has ended");
}
