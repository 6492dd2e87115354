import type { TerminalInfo, TerminalSignal } from "../host/channel/messages.ts";
import type { HostConnection } from "../host/client/connect-host.ts";
import { ChannelError } from "../host/client/failure.ts";
import type { SessionCalls } from "../host/client/session.ts";
import { HostError } from "../host/failure.ts";
import { keyBytes } from "../host/keys/keys.ts";
import { channelFault } from "./channel-fault.ts";
import { ActingError } from "./failure.ts";
import type { KeptHost } from "./kept-host.ts";
import { hostIdIn, ptyRowId } from "./pty-id.ts";
import type {
  Acted,
  ActingTerminal,
  CapturedText,
  CaptureInput,
  ReadInput,
  ReadText,
  SendInput,
} from "./terminal.ts";

/** A terminal of the host, and a connection to that. */
export interface ReachedPty {
  readonly connection: HostConnection;
  readonly terminal: TerminalInfo;
}

/** Does something with a terminal of the host. */
export type ReachPty = <Result>(run: (reached: ReachedPty) => Promise<Result>) => Promise<Result>;

/** How many terminals it is remembered of which session they belong to. */
const MAX_REMEMBERED = 4_096;

/** Reaches terminals of the host by their ids, on a connection that is kept for a while. */
export class PtyReach {
  readonly #host: KeptHost;
  /** Which session each belongs to, for its whole life: only who looks at a terminal is told. */
  readonly #sessions = new Map<string, string>();

  constructor(host: KeptHost) {
    this.#host = host;
  }

  of(rowId: string): ReachPty {
    return (run) =>
      this.#host.use(async (connection) => {
        const id = hostIdIn(rowId);
        if (id === undefined || connection === undefined) throw gone(rowId);
        const terminal = await this.#terminal(connection, id).catch((error: unknown) => {
          throw error instanceof ChannelError && error.reason === "refused" ? gone(rowId) : error;
        });
        return await run({ connection, terminal });
      });
  }

  async #terminal(connection: HostConnection, id: string): Promise<TerminalInfo> {
    const known = this.#sessions.get(id);
    if (known !== undefined) {
      return (await connection.session(known).cursor({ target: id })).terminal;
    }
    const viewer = await connection.attach(id, { readOnly: true });
    viewer.leave();
    if (this.#sessions.size >= MAX_REMEMBERED) this.#sessions.clear();
    this.#sessions.set(id, viewer.terminal.sessionId);
    return viewer.terminal;
  }
}

const gone = (rowId: string) => new ActingError("gone", `the host has no terminal ${rowId}`);

/** A terminal of our own host. */
export class PtyTerminal implements ActingTerminal {
  readonly #reach: ReachPty;

  constructor(reach: ReachPty) {
    this.#reach = reach;
  }

  send({ keys, literal = false, submit = false, key }: SendInput): Promise<Acted> {
    return this.#use(async (session, terminal) => {
      const { id: target, exited } = terminal;
      if (!submit) requireKeys(keys, literal);
      if (exited !== undefined) {
        throw new ActingError("ended", "the program in the terminal has ended");
      }
      const more = { ...(submit ? { submit } : {}), ...(key === undefined ? {} : { key }) };
      await session.send({ target, keys: [...keys], literal, ...more });
      return { terminal };
    });
  }

  read({ from, wait, peek }: ReadInput, signal?: AbortSignal): Promise<ReadText> {
    return this.#use((session, { id: target }) =>
      session.read(
        {
          target,
          ...(from === undefined ? {} : { from }),
          ...(wait === undefined ? {} : { wait }),
          ...(peek === true ? { peek } : {}),
        },
        signal === undefined ? {} : { signal },
      ),
    );
  }

  capture({ scrollback = 0, escapes, joinWrapped }: CaptureInput): Promise<CapturedText> {
    return this.#use(async (session, { id: target }) => {
      const { terminal, text } = await session.capture({
        target,
        scrollback,
        ...(escapes === true ? { escapes } : {}),
        ...(joinWrapped === true ? { joinWrapped } : {}),
      });
      return { terminal, text };
    });
  }

  resize(cols: number, rows: number): Promise<Acted> {
    return this.#use(async (session, { id: target }) => ({
      terminal: await session.resize({ target, cols, rows }),
    }));
  }

  signal(signal: TerminalSignal): Promise<Acted> {
    return this.#use(async (session, terminal) => {
      await session.signal({ target: terminal.id, signal });
      return { terminal };
    });
  }

  close({ force = false }: { readonly force?: boolean }): Promise<Acted> {
    return this.#use(async (session, terminal, connection) => {
      if (force) await session.close({ target: terminal.id });
      else await closeIdle(connection, terminal);
      return { terminal };
    });
  }

  rename(name: string): Promise<Acted> {
    return this.#use(async (session, { id: target }) => ({
      terminal: await session.rename({ target, name }),
    }));
  }

  async #use<Result>(
    run: (
      session: SessionCalls,
      terminal: TerminalInfo,
      connection: HostConnection,
    ) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.#reach(({ connection, terminal }) =>
        run(connection.session(terminal.sessionId), terminal, connection),
      );
    } catch (error) {
      throw channelFault(error);
    }
  }
}

/** The host says no as well, in words alone. */
function requireKeys(keys: readonly string[], literal: boolean): void {
  try {
    keyBytes(keys, { literal });
  } catch (error) {
    if (error instanceof HostError) throw new ActingError("invalid", error.message);
    throw error;
  }
}

/** Only who looks at it is told of a job that is in the way. */
async function closeIdle(connection: HostConnection, terminal: TerminalInfo): Promise<void> {
  const viewer = await connection.attach(terminal.id, { readOnly: true });
  try {
    const closing = await viewer.close();
    if (closing.closed) return;
    const program = closing.program ?? "a job";
    throw new ActingError("busy", `${program} runs in ${ptyRowId(terminal.id)}`, program);
  } finally {
    viewer.leave();
  }
}
