import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startTick } from "./processes.ts";

/** A config home of Claude Code, with the files that its runs keep. */
export class ClaudeHome {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(join(folder, "sessions"), { recursive: true });
  }

  /** Writes what a run states, as one at that process; `procStart` where it is to be another one. */
  state(pid: number, cwd: string, procStart = startTick(pid)): void {
    const now = Date.now();
    const document = {
      pid,
      procStart,
      sessionId: sessionOf(pid),
      cwd,
      kind: "interactive",
      entrypoint: "cli",
      startedAt: now,
      status: "idle",
      updatedAt: now,
    };
    writeFileSync(join(this.folder, "sessions", `${pid}.json`), JSON.stringify(document));
  }
}

/** The session that the run with that process states. */
export const sessionOf = (pid: number): string =>
  `00000000-0000-4000-8000-${String(pid).padStart(12, "0")}`;
