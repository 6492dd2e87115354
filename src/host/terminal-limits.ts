/** How many terminals a host holds, and one session of it: those that have ended and are not closed count too. */
export interface TerminalLimits {
  readonly host: number;
  readonly session: number;
}

/** Some 150 MB where all are full and in use. */
export const DEFAULT_MAX_TERMINALS = 64;

/** The highest that may be asked for: as many as publishers take over from a host. Each costs a thread, two descriptors
 * and, full and in use, about 2 MB. */
export const MOST_TERMINALS = 1_024;

/** What of the limits somebody has asked for. */
export interface AskedLimits {
  readonly maxTerminals?: number | undefined;
  readonly maxSessionTerminals?: number | undefined;
}

/** The limits that hold. A session gets half of the host where nobody said, so that none takes it all; it never gets more
 * than the host has. */
export function terminalLimits({
  maxTerminals: host = DEFAULT_MAX_TERMINALS,
  maxSessionTerminals = Math.ceil(host / 2),
}: AskedLimits = {}): TerminalLimits {
  return { host, session: Math.min(host, maxSessionTerminals) };
}
