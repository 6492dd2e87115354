import { onTestFinished } from "vitest";
import { openPtyView } from "../../../src/acting/views/pty.ts";
import { PublishedViews } from "../../../src/acting/views/published.ts";
import type { OpenView } from "../../../src/acting/views/view.ts";
import { nodeViewSocket } from "../../../src/client/node.ts";
import type { ViewError } from "../../../src/client/view-failure.ts";
import {
  type TerminalViewer,
  type ViewOptions,
  viewTerminal,
} from "../../../src/client/view-terminal.ts";
import type { TerminalInfo } from "../../../src/contract/terminals.ts";
import type { ViewedTerminal } from "../../../src/contract/view.ts";
import { connectHost } from "../../../src/host/client/connect-host.ts";
import type { ServerOptions } from "../../../src/server/server.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { serveHost } from "../../host/channel/served-host.ts";
import { INSTANCE, startServer, TOKEN } from "../support.ts";

export const LOOK = "Lq7Pt8mDq0bW1xYk3Zs5vRn7uJh9gFe2LaTiOwQzXcV";

/** A row of a terminal as a publisher states it. */
export const rowOf = (id: string): TerminalInfo => ({
  ...{ instance: INSTANCE, id, state: "running", command: [] },
});

/** How a stage is set otherwise. */
export interface Staging extends Partial<ServerOptions> {
  /** What opens views, beside those of the host. */
  readonly schemes?: (path: string) => Readonly<Record<string, OpenView>>;
  readonly row?: (id: string) => TerminalInfo;
  readonly baseEnvironment?: Readonly<Record<string, string | undefined>>;
}

/** A host, and a publisher that states what it is asked for. */
export async function stage({ schemes, row = rowOf, baseEnvironment, ...more }: Staging = {}) {
  const host = await serveHost(baseEnvironment === undefined ? {} : { baseEnvironment });
  const { path } = host;
  const connection = await connectHost({ path });
  const session = connection.session("any");
  const views = new PublishedViews({
    instance: INSTANCE,
    find: async (id) => (id.endsWith("unlisted") ? undefined : row(id)),
    schemes: { pty: openPtyView(async () => path), ...schemes?.(path) },
  });
  const options = { views, readOnlyToken: LOOK, clock: systemClock, ...more };
  const server = await startServer(options);
  const open = async (...exec: string[]) =>
    (await session.open({ cwd: "/", env: null, exec, cols: 60, rows: 10 })).id;
  return { path, host, connection, session, server, open };
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
  #shows = true;
  readonly #unshown: (() => void)[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(
    { endpoint }: { readonly endpoint: string },
    id: string,
    options: Pick<ViewOptions, "instance" | "readOnly" | "token" | "open"> = {},
  ) {
    // A page with a cookie has no token.
    const { instance, readOnly = false, open = nodeViewSocket() } = options;
    const token = options.open === undefined ? (options.token ?? TOKEN) : options.token;
    const note = (text: string) => {
      this.told.push(text);
      this.#look();
    };
    this.viewer = viewTerminal({
      ...{ endpoint, id, readOnly, open },
      ...(token === undefined ? {} : { token }),
      ...(instance === undefined ? {} : { instance }),
      output: (bytes, shown) => {
        this.bytes += bytes.length;
        this.output = (this.output + Buffer.from(bytes).toString("latin1")).slice(-100_000);
        if (this.#shows) shown();
        else this.#unshown.push(shown);
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

  /** Whether what comes is acknowledged. What was not until then is, once it does. */
  set shows(shows: boolean) {
    this.#shows = shows;
    if (shows) for (const shown of this.#unshown.splice(0)) shown();
  }

  /** Resolves once that holds, which is looked at whenever something was told. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!holds()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  attached(): Promise<void> {
    return this.until(() => this.terminal !== undefined);
  }

  ended(): Promise<void> {
    return this.until(() => this.error !== undefined || this.isClosed);
  }

  says(text: string): Promise<void> {
    return this.until(() => this.output.includes(text));
  }

  type(text: string): void {
    this.viewer.write(Buffer.from(text));
  }

  #look(): void {
    for (const look of [...this.#waiting]) look();
  }
}
