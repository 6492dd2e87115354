import { Type } from "@sinclair/typebox";

/** An unsigned integer of 64 bits: a bigint from 2^53 on, where numbers are not exact any more. */
export const Whole = Type.Union([
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  // Bounds that are numbers too: the compiled check makes numbers of them.
  Type.BigInt({ minimum: 2n ** 53n, exclusiveMaximum: 2n ** 64n }),
]);
