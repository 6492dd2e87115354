import type { ErrorBody, ErrorCode } from "../../contract/errors.ts";

/** A call was answered with an error by the instance that owns the terminal, or there was nobody to answer it. */
export class DistanceError extends Error {
  override readonly name = "DistanceError";
  readonly code: ErrorCode;
  readonly reason?: string;
  readonly program?: string;

  constructor({ code, msg, reason, program }: ErrorBody) {
    super(msg);
    this.code = code;
    if (reason !== undefined) this.reason = reason;
    if (program !== undefined) this.program = program;
  }
}

/** The bus does not let this publisher write where others listen. */
export const NOT_ALLOWED =
  "the message bus does not let this publisher act on terminals of other hosts or look into them";

export const notAllowed = () =>
  new DistanceError({ code: "capability_unavailable", reason: "unsupported", msg: NOT_ALLOWED });

/** Nothing was done. */
export const unreachable = (instance: string, why: string) =>
  new DistanceError({
    code: "instance_unreachable",
    msg: `the instance ${instance} cannot be reached: ${why}`,
  });

/** It was asked, and may have done it. */
export const unanswered = (instance: string, why: string) =>
  new DistanceError({
    code: "instance_unreachable",
    reason: "no_answer",
    msg: `the instance ${instance} has not answered: ${why}; it may have been done`,
  });
