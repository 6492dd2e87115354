import { type Static, Type } from "@sinclair/typebox";

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** A place in a session's output: how many bytes came before it. */
export const Cursor = Type.Object({ segment: Count, offset: Count });

/** The one segment of a session's output. */
export const SEGMENT = 1;

/** A place in the output, as it is spelt. */
export const cursor = (offset: number): Static<typeof Cursor> => ({ segment: SEGMENT, offset });
