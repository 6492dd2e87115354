import type { PeerCalls } from "../cluster/acting/owner-calls.ts";
import { errorBody } from "../server/call-error.ts";
import type { TerminalCalls } from "../server/terminal-calls.ts";

/** What one other instance asks for is carried out as what one connection asks for is. */
export function callsOfPeer(calls: TerminalCalls): PeerCalls {
  return {
    async answer(call, signal) {
      try {
        return { body: await calls.answer(call, signal) };
      } catch (error) {
        return { error: errorBody(error) };
      }
    },
  };
}
