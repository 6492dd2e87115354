import type { Cancel } from "../../time/clock.ts";
import type { PtyExit } from "../pty/pty.ts";
import type { Ring } from "../ring.ts";
import type { SessionLifecycle } from "./definition.ts";

/** A session as its monitors see it. */
export interface MonitoredSession {
  /** Real path of the folder that paths of conditions must be in. */
  readonly workspaceRoot: string;
  readonly ring: Ring;
  /** All variables of commands that probe: those of the session's own program. */
  readonly environment: Readonly<Record<string, string>>;
  /** The sandbox of its program, in which commands that probe run as well: the process that keeps it, which may have ended.
   * Absent: the program runs free, and so do they. */
  readonly sandbox?: { readonly pid: number | undefined } | undefined;
  readonly lifecycle: SessionLifecycle;
  /** How the program ended. Absent while it runs, until all its output is in the ring, and where nobody knows. */
  readonly exit: Pick<PtyExit, "code" | "signal"> | undefined;
  /** Calls the listener when output has come, when the last is in, and when the lifecycle differs, each time after the fields
   * say so. The answer ends it. */
  onOutput(listener: () => void): Cancel;
  /** The visible screen as text, a line a row, with all output that was in the ring when it was asked for. */
  screenText(): Promise<string>;
}
