import { type Static, Type } from "@sinclair/typebox";
import { InstanceId, TerminalId } from "../../contract/identifiers.ts";
import { ViewEvent, ViewRequest } from "../../contract/view.ts";

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** How a view is asked for: the first message of it, which is answered. */
export const ViewOpening = Type.Object({
  from: InstanceId,
  terminal: TerminalId,
  readOnly: Type.Boolean(),
});
export type ViewOpening = Static<typeof ViewOpening>;

/** The answer to that: what the view is called there, or why there is none. */
export const ViewTaken = Type.Union([
  Type.Object({ view: Type.String({ pattern: "^[0-9a-f]{32}$" }) }),
  Type.Object({ refused: Type.String() }),
]);
export type ViewTaken = Static<typeof ViewTaken>;

/** What who looks says beside what is typed. */
export const LookerWords = Type.Union([
  Type.Object({ request: ViewRequest }),
  /** Nobody looks any more. */
  Type.Object({ left: Type.Literal(true) }),
]);
export type LookerWords = Static<typeof LookerWords>;

/** What the owner says beside output. */
export const OwnerWords = Type.Union([
  Type.Object({ event: ViewEvent }),
  /** The view is there. */
  Type.Object({ open: Type.Literal(true) }),
  /** So many bytes of what was typed were taken. */
  Type.Object({ taken: Count }),
  /** It is over: without a reason where the terminal was closed. */
  Type.Object({
    over: Type.Object({ reason: Type.Optional(Type.String()), message: Type.String() }),
  }),
]);
export type OwnerWords = Static<typeof OwnerWords>;
