import { onTestFinished } from "vitest";
import { openPtyView } from "../../../src/acting/views/pty.ts";
import { PublishedViews } from "../../../src/acting/views/published.ts";
import { nodeViewSocket } from "../../../src/client/node.ts";
import type { ViewError } from "../../../src/client/view-failure.ts";
import { type TerminalViewer, viewTerminal } from "../../../src/client/view-terminal.ts";
import type { TerminalInfo } from "../../../src/contract/terminals.ts";
import type { ViewedTerminal } from "../../../src/contract/view.ts";
import { connectHost } from "../../../src/host/client/connect-host.ts";
import type { SessionCalls } from "../../../src/host/client/session.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { serveHost } from "../../host/channel/served-host.ts";
import { INSTANCE, startServer, type TestServer, TOKEN } from "../support.ts";

export const LOOK = "Lq7Pt8mDq0bW1xYk3Zs5vRn7uJh9gFe2LaTiOwQzXcV";

/** A row of a terminal as a publisher states it. */
export const rowOf = (id: string): TerminalInfo => ({
  ...{ instance: INSTANCE, id, state: "running", command: [] },
});

/** A host, and a publisher that states what it is asked for. */
export async function stage() {
  const { path } = await serveHost();
  const connection = await connectHost({ path });
  const session = connection.session("any");
  const views = new PublishedViews({
    find: async (id) => (id.endsWith("unlisted") ? undefined : rowOf(id)),
    schemes: { pty: openPtyView(async () => path) },
  });
  const server = await startServer({ views, readOnlyToken: LOOK, clock: systemClock });
  const open = async (...exec: string[]) =>
    (await session.open({ cwd: "/", env: null, exec, cols: 60, rows: 10 })).id;
  return { path, connection, session, server, open };
}

export interface Stage {
  readonly server: TestServer;
  readonly session: SessionCalls;
}

/** A viewer, and all that it was told. */
export class Seen {
  readonly viewer: TerminalViewer;
  readonly told: string[] = [];
  output = "";
  bytes = 0;
  terminal: ViewedTerminal | undefined;
  error: ViewError | undefined;
  isClosed = false;
  /** Whether what comes is acknowledged. */
  shows = true;
  #look = () => {};

  constructor(
    server: TestServer,
    id: string,
    options: { readOnly?: boolean; token?: string } = {},
  ) {
    const { token = TOKEN, readOnly = false } = options;
    const note = (text: string) => {
      this.told.push(text);
      this.#look();
    };
    this.viewer = viewTerminal({
      ...{ endpoint: server.endpoint, id, token, readOnly, open: nodeViewSocket() },
      output: (bytes, shown) => {
        this.bytes += bytes.length;
        this.output = (this.output + Buffer.from(bytes).toString("latin1")).slice(-100_000);
        if (this.shows) shown();
        this.#look();
      },
      attached: (terminal) => {
        this.terminal = terminal;
        note("attached");
      },
      changed: (terminal) => {
        this.terminal = terminal;
        note("changed");
      },
      skipped: (bytes) => note(`skipped ${bytes > 0}`),
      busy: (program) => note(`busy ${program}`),
      error: (message) => note(`error ${message}`),
      closed: () => {
        this.isClosed = true;
        note("closed");
      },
      end: (error) => {
        this.error = error;
        note(`end ${error.reason}`);
      },
    });
    onTestFinished(() => this.viewer.leave());
  }

  /** Resolves once that holds, which is looked at whenever something was told. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      await new Promise<void>((resolve) => {
        this.#look = resolve;
      });
    }
  }

  says(text: string): Promise<void> {
    return this.until(() => this.output.includes(text));
  }

  type(text: string): void {
    this.viewer.write(Buffer.from(text));
  }
}
