import type { TmuxClient } from "./client.ts";
import { askState, type SessionState } from "./state.ts";

/** The pane of a session. What is done with it keeps its order. */
export class Pane {
  readonly id: string;
  /** `%` and its number. A server gives each number once, but the next server begins again: nothing is done with a pane of
   * that number that is in another session. */
  readonly number: string;
  readonly client: TmuxClient;
  #last: Promise<void> = Promise.resolve();

  constructor(client: TmuxClient, id: string, number: string) {
    this.client = client;
    this.id = id;
    this.number = number;
  }

  /** For `if-shell -F`: it is there, and its program's terminal is open. tmux before 3.3 crashes where another is typed
   * into. */
  get isAlive(): string {
    return `#{&&:#{==:#{session_name},${this.id}},#{==:#{pane_dead},0}}`;
  }

  /** Absent where the session is gone. Rejects where that is not known. */
  async state(): Promise<SessionState | undefined> {
    return askState(this.client, this.id, this.number);
  }

  /** Does something after all that was to be done before. What fails is not done: there is nobody left to tell. */
  inTurn(task: (client: TmuxClient) => Promise<unknown>): Promise<void> {
    const next = this.#last.then(async () => void (await task(this.client))).catch(() => {});
    this.#last = next;
    return next;
  }
}
