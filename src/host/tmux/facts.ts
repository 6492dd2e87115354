import { readFileSync } from "node:fs";
import { replaceFile } from "../../files/whole-file.ts";
import type { SessionPlaces } from "./places.ts";
import type { SessionState } from "./state.ts";

/** What is known of a session when its server is gone. */
export interface Facts {
  readonly pane: string;
  /** The process that tmux has started. */
  readonly keeper: number;
  /** The program's own process. */
  readonly pid: number;
  /** What stands behind all output in the log. */
  readonly mark: string;
  readonly tty: string;
  readonly cols: number;
  readonly rows: number;
  readonly historyBytes: number;
}

export type Known = Pick<Facts, "pid" | "mark" | "historyBytes">;

export function factsOf({ pane, keeper, tty, cols, rows }: SessionState, known: Known): Facts {
  const { pid, mark, historyBytes } = known;
  return { pane, keeper, pid, mark, tty, cols, rows, historyBytes };
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
    ["tty", "mark"].every((name) => typeof members.get(name) === "string") &&
    ["keeper", "pid", "cols", "rows", "historyBytes"].every((name) =>
      Number.isInteger(members.get(name)),
    )
  );
}
