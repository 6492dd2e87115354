import type { ProcessFacts } from "../processes/facts.ts";
import type { ProcessInfo, ProcessTable } from "../processes/types.ts";
import { optional } from "../sources/optional.ts";
import { type ListedWindow, parseWindows } from "./kitty/windows.ts";
import { ManagedSource, type Manager, type ManagerPlace } from "./managed-source.ts";
import { SocketPlace } from "./socket-place.ts";
import type { ObservedTerminal } from "./terminal.ts";
import { keyOf } from "./windows.ts";

/** The address of a Unix socket; the path in it may be an abstract one, which begins with `@`. */
const ADDRESS = /^unix:([/@].+)$/;

/** The windows of every kitty that lets itself be asked: that listens on a Unix socket, and allows what is asked
 * without a password. With one that it does not know it would ask its user. */
export class KittySource extends ManagedSource {
  readonly scheme = "kitty";
  protected readonly programs = ["kitty"];

  protected isManager({ windows }: Manager): boolean {
    return windows.length > 0;
  }

  protected open(manager: Manager, facts: ProcessFacts): ManagerPlace | undefined {
    const address = addressOf(manager, facts);
    const socket = ADDRESS.exec(address ?? "")?.[1];
    if (address === undefined || socket === undefined) return undefined;
    const { table } = this.options;
    return new SocketPlace({
      ...this.options,
      manager,
      exe: facts.exe(manager.process),
      name: address,
      socket,
      question: {
        manager: "kitty",
        // Before 0.27 kitty was its own kitten.
        programs: ["kitten", "kitty"],
        args: ["@", "--to", address, "--use-password", "never", "ls"],
        variables: {},
        denial: /Remote control is disabled/,
        terminals: (stdout, manager) =>
          parseWindows(stdout)?.map((window) => terminal(window, manager, table)),
      },
    });
  }
}

/** Where a kitty listens, as it told its windows: with its pid, since it may have been started in another one. */
function addressOf({ process, windows }: Manager, facts: ProcessFacts): string | undefined {
  return windows
    .filter((window) => facts.variable(window, "KITTY_PID") === String(process.pid))
    .map((window) => facts.variable(window, "KITTY_LISTEN_ON"))
    .find((address) => address !== undefined && ADDRESS.test(address));
}

function terminal(window: ListedWindow, manager: Manager, table: ProcessTable): ObservedTerminal {
  const { number, name, title, command, cwd, cols, rows } = window;
  const root = processOf(window, manager, table);
  return {
    id: `kitty:${keyOf(manager.process)}/${number}`,
    state: "running",
    ...optional("rootPid", root?.pid),
    ...optional("tty", root?.tty),
    ...optional("command", command.length === 0 ? undefined : command),
    ...optional("cwd", cwd),
    name: `${name}.${number}`,
    ...optional("title", title),
    ...optional("cols", cols),
    ...optional("rows", rows),
  };
}

/** A window's process, if it is below this kitty: in another name space it would be somebody else's number. Kitty starts
 * some of its own windows through a process that it holds ready. */
function processOf(
  { pid }: ListedWindow,
  { process, windows }: Manager,
  table: ProcessTable,
): ProcessInfo | undefined {
  const seen = windows.find((window) => window.pid === pid);
  if (seen !== undefined || pid === undefined) return seen;
  const now = table.read(pid);
  if (now === undefined || now.parent === process.pid) return now;
  return table.read(now.parent)?.parent === process.pid ? now : undefined;
}
