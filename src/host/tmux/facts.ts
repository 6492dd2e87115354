import { readFileSync } from "node:fs";
import { replaceFile } from "../../files/whole-file.ts";
import type { SessionPlaces } from "./places.ts";
import type { SessionState } from "./state.ts";

/** What is known of a session when its server is gone. */
export interface Facts {
  readonly pane: string;
  readonly pid: number;
  readonly tty: string;
  readonly cols: number;
  readonly rows: number;
  readonly historyBytes: number;
}

export function factsOf(state: SessionState, historyBytes: number): Facts {
  const { pane, pid, tty, cols, rows } = state;
  return { pane, pid, tty, cols, rows, historyBytes };
}

export function writeFacts(places: SessionPlaces, facts: Facts): Promise<void> {
  return replaceFile(places.facts, JSON.stringify(facts), 0o600);
}

/** `undefined` where there are none, or what is there is none. */
export function readFacts(places: SessionPlaces): Facts | undefined {
  let facts: unknown;
  try {
    facts = JSON.parse(readFileSync(places.facts, "utf8"));
  } catch {
    return undefined;
  }
  return isFacts(facts) ? facts : undefined;
}

function isFacts(value: unknown): value is Facts {
  if (typeof value !== "object" || value === null) return false;
  const members = new Map<string, unknown>(Object.entries(value));
  return (
    /^%\d+$/.test(String(members.get("pane"))) &&
    typeof members.get("tty") === "string" &&
    ["pid", "cols", "rows", "historyBytes"].every((name) => Number.isInteger(members.get(name)))
  );
}
