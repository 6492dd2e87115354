import { isValid, validationErrors } from "../../contract/validation.ts";
import { ViewRequest } from "../../contract/view.ts";

/** A request of a viewer, or what is wrong with its message, for people. */
export type ParsedRequest = { readonly request: ViewRequest } | { readonly fault: string };

const KINDS = "`resize`, `ack`, `theme` or `close`";

export function parseRequest(text: string): ParsedRequest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: `a text message must be JSON, ${KINDS}; what is typed is sent as bytes` };
  }
  if (isValid(ViewRequest, value)) return { request: value };
  const [first] = validationErrors(ViewRequest, value);
  const where = first === undefined ? "" : `: ${first.path || "it"} ${first.message}`;
  return { fault: `a text message must be ${KINDS} with their fields${where}` };
}
