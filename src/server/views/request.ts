import { isValid, validationErrors } from "../../contract/validation.ts";
import { ViewRequest } from "../../contract/view.ts";
import { MAX_REQUEST_BYTES } from "./limits.ts";

/** A request of a viewer, or what is wrong with its message, for people. */
export type ParsedRequest = { readonly request: ViewRequest } | { readonly fault: string };

const KINDS = "`resize`, `ack`, `theme` or `close`";

export function parseRequest(bytes: Buffer): ParsedRequest {
  if (bytes.length > MAX_REQUEST_BYTES) {
    const most = `at most ${MAX_REQUEST_BYTES} bytes long, got ${bytes.length}`;
    return { fault: `a text message must be ${most}; what is typed is sent as bytes` };
  }
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    return { fault: `a text message must be JSON, ${KINDS}; what is typed is sent as bytes` };
  }
  if (isValid(ViewRequest, value)) return { request: value };
  const [first] = validationErrors(ViewRequest, value);
  const where = first === undefined ? "" : `: ${first.path || "it"} ${first.message}`;
  return { fault: `a text message must be ${KINDS} with their fields${where}` };
}
