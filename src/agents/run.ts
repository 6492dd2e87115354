import type { ProcessKey } from "../processes/types.ts";
import type { Source } from "../sources/source.ts";

/** A run of an agent as a source describes it: one live process. Text is as the harness wrote it; it is cleaned
 * and bounded where the row is made. */
export interface ObservedRun extends ProcessKey {
  readonly cwd: string;
  /** How it was started, in the harness's own words: `interactive`, `background`, ... */
  readonly kind: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** The configuration folder that it reads. */
  readonly configDir: string;
  /** The session that it runs. Absent while it has none, or its source cannot know. */
  readonly sid?: string;
  readonly name?: string;
  readonly status?: string;
  /** Since when `status` holds, in epoch milliseconds. */
  readonly statusAt?: number;
  readonly waitingFor?: string;
  readonly state?: string;
  readonly backgroundId?: string;
}

/** Where runs of agents are observed. A run that it states is a process that lived when it was last looked at. */
export type AgentSource = Source<ObservedRun>;
