import { displayText } from "../sources/text.ts";
import { HostError } from "./failure.ts";
import type { Terminal } from "./terminal.ts";

/** The terminal of a session that is meant: by its id, its number, or its name, in this order. A terminal of another
 * session is not found, in the same words as one that never was. */
export function targetIn(terminals: readonly Terminal[], target: string): Terminal {
  const byId = terminals.find(({ options }) => options.id === target);
  const byIndex = terminals.find(({ options }) => String(options.index) === target);
  // Names are kept as they may be shown.
  const shown = displayText(target);
  const named = terminals.filter(({ name }) => name !== undefined && name === shown);
  const found = byId ?? byIndex ?? named[0];
  if (found === undefined) {
    throw new HostError(
      "not_found",
      `there is no terminal ${quoted(target)}; ${thoseThere(terminals)}`,
    );
  }
  if (found === named[0] && byId === undefined && byIndex === undefined && named.length > 1) {
    const numbers = named
      .slice(0, LISTED)
      .map(({ options }) => options.index)
      .join(", ");
    throw new HostError(
      "ambiguous",
      `several terminals are called ${quoted(target)}: ${numbers}; give the number of one`,
    );
  }
  return found;
}

/** How many terminals are named where one is not found, and how much of a name is repeated, in UTF-16 units: a refusal is
 * kept with its call's key. */
const LISTED = 20;
const NAMED = 64;

/** Names are a stranger's, and long ones tell nobody more. */
const quoted = (text: string) => JSON.stringify(text.slice(0, NAMED));

function thoseThere(terminals: readonly Terminal[]): string {
  if (terminals.length === 0) return "the session has none";
  const list = terminals
    .slice(0, LISTED)
    .map(({ options, name }) =>
      name === undefined ? String(options.index) : `${options.index} (${name.slice(0, NAMED)})`,
    );
  const rest = terminals.length - list.length;
  return `the session has ${list.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
