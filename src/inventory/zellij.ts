import { basename } from "node:path";
import type { ProcessFacts } from "../processes/facts.ts";
import type { Finding } from "../sources/source.ts";
import { idPart } from "../sources/text.ts";
import { ManagedSource, type Manager, type ManagerPlace } from "./managed-source.ts";
import type { ObservedTerminal } from "./terminal.ts";
import { Session } from "./zellij/session.ts";
import { currentSocket, serverSocket } from "./zellij/socket.ts";

interface Opened {
  readonly socket: string;
  readonly handle: string;
}

/** The panes of every session of zellij whose server runs. Sessions that have exited and could be resurrected are
 * never spoken to, and `list-sessions` is not run, for it deletes sockets. */
export class ZellijSource extends ManagedSource {
  readonly scheme = "zellij";
  protected readonly programs = ["zellij"];
  /** Oldest first. */
  readonly #sessions: Opened[] = [];

  protected isManager({ process }: Manager, facts: ProcessFacts): boolean {
    return serverSocket(facts.argv(process)) !== undefined;
  }

  protected open(
    manager: Manager,
    facts: ProcessFacts,
    emit: (finding: Finding<ObservedTerminal>) => void,
  ): ManagerPlace | undefined {
    const socket = serverSocket(facts.argv(manager.process));
    if (socket === undefined) return undefined;
    const opened = { socket, handle: this.#handleFor(socket, manager) };
    this.#sessions.push(opened);
    return new Session({
      ...this.options,
      manager,
      ...opened,
      currentSocket: () => this.#currentSocket(opened),
      emit,
      onStop: () => this.#sessions.splice(this.#sessions.indexOf(opened), 1),
    });
  }

  /** A session's name is its own until it is renamed; another one may then be started under it. */
  #handleFor(socket: string, { process }: Manager): string {
    const name = idPart(basename(socket));
    const isTaken = this.#sessions.some(({ handle }) => handle === name);
    return isTaken ? `${name}.${process.pid}` : name;
  }

  #currentSocket(session: Opened): Promise<string | undefined> {
    const servers = this.#sessions.map((one, at) => ({
      one,
      path: one.socket,
      isSuperseded: this.#sessions.slice(at + 1).some(({ socket }) => socket === one.socket),
    }));
    const server = servers.find(({ one }) => one === session);
    return server === undefined ? Promise.resolve(undefined) : currentSocket(server, servers);
  }
}
