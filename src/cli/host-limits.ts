import { type AskedLimits, MOST_TERMINALS } from "../host/terminal-limits.ts";
import { UsageError } from "./failure.ts";

/** How many terminals somebody lets a host have, by an option or a variable. */
export function readMaxTerminals(name: string): (text: string) => number {
  return (text) => {
    const count = /^\d{1,5}$/.test(text) ? Number(text) : 0;
    if (count >= 1 && count <= MOST_TERMINALS) return count;
    throw new UsageError(`${name} must be an integer from 1 to ${MOST_TERMINALS}, got "${text}"`);
  };
}

/** The limits that are stated as options, else in the environment: a host that is started on demand has no options. An
 * empty variable states nothing. */
export function askedLimits(
  { maxTerminals, maxSessionTerminals }: AskedLimits,
  environment: Readonly<Record<string, string | undefined>>,
): AskedLimits {
  const stated = (variable: string) => {
    const text = environment[variable];
    return text ? readMaxTerminals(variable)(text) : undefined;
  };
  return {
    maxTerminals: maxTerminals ?? stated("TERMTOPIC_MAX_TERMINALS"),
    maxSessionTerminals: maxSessionTerminals ?? stated("TERMTOPIC_MAX_SESSION_TERMINALS"),
  };
}
