import type { HostOptions } from "../../../src/host/host.ts";
import { until } from "../process/support.ts";
import { type Client, type Served, serveSupervisor } from "./served-supervisor.ts";

export const EXIT = { return_when: { kind: "exit" }, wait_ceiling_ms: 60_000 };
export const match = (pattern: string) => ({
  return_when: { kind: "match", pattern },
  wait_ceiling_ms: 60_000,
});

/** The code of what was refused, by whichever way it was told. */
export const codeOf = (result: { code?: string; failure?: { code: string } }) =>
  result.code ?? result.failure?.code;

/** A session of a host of its own, and a client. */
export class SupervisedSession {
  readonly served: Served;
  readonly client: Client;
  readonly id: string;
  /** What its start has answered. */
  // biome-ignore lint/suspicious/noExplicitAny: what is read of a result is what the test expects there.
  readonly started: any;

  private constructor(served: Served, client: Client, started: SupervisedSession["started"]) {
    this.served = served;
    this.client = client;
    this.id = started.session.session_id;
    this.started = started;
  }

  static async start(
    command: string,
    more: object = {},
    options: Partial<HostOptions> = {},
  ): Promise<SupervisedSession> {
    const served = await serveSupervisor(options);
    const client = served.connect();
    const result = await client.operate(served.start(command, more));
    if (result.success === undefined) throw new Error(JSON.stringify(result));
    return new SupervisedSession(served, client, result.success.start);
  }

  /** The root of the result of an operation on it. */
  do(action: string, fields: object = {}, client = this.client) {
    return client.operate({ action, session_id: this.id, ...fields });
  }

  async wait(condition: object) {
    return (await this.do("wait", condition)).success.wait.outcome;
  }

  get terminal() {
    const terminal = this.served.host.terminals.get(this.id);
    if (terminal === undefined) throw new Error("the session has no terminal");
    return terminal;
  }

  /** Everything that it has written, once that is as told. */
  output(isAll: (text: string) => boolean): Promise<string> {
    const { ring } = this.terminal;
    return until(() => {
      const text = ring.copy(ring.start, ring.end).toString();
      return isAll(text) ? text : undefined;
    });
  }
}
