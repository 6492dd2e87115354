import { basename, join } from "node:path";
import type { ProcessFacts } from "../processes/facts.ts";
import { optional } from "../sources/optional.ts";
import { ManagedSource, type Manager, type ManagerPlace } from "./managed-source.ts";
import { SocketPlace } from "./socket-place.ts";
import type { ObservedTerminal } from "./terminal.ts";
import { parsePanes } from "./wezterm/panes.ts";
import { keyOf } from "./windows.ts";

const WINDOW = "wezterm-gui";

/** The panes of every wezterm, window or server, that answers on its own socket. */
export class WeztermSource extends ManagedSource {
  readonly scheme = "wezterm";
  protected readonly programs = [WINDOW, "wezterm-mux-server"];

  protected isManager({ windows }: Manager): boolean {
    return windows.length > 0;
  }

  protected open(manager: Manager, facts: ProcessFacts): ManagerPlace | undefined {
    const socket = socketOf(manager, facts);
    if (socket === undefined) return undefined;
    return new SocketPlace({
      ...this.options,
      manager,
      exe: facts.exe(manager.process),
      name: socket,
      socket,
      question: {
        manager: "wezterm",
        programs: ["wezterm"],
        // Neither is the user's configuration run, which is a program, nor any server begun.
        args: ["-n", "cli", "--no-auto-start", "list", "--format", "json"],
        variables: { WEZTERM_UNIX_SOCKET: socket },
        terminals,
      },
    });
  }
}

/** Where a wezterm listens: a window under its pid in its runtime folder, a server as its panes were told. */
function socketOf({ process, windows }: Manager, facts: ProcessFacts): string | undefined {
  const told = windows.flatMap((window) => facts.variable(window, "WEZTERM_UNIX_SOCKET") ?? []);
  const paths = told.filter((path) => path.startsWith("/"));
  if (!process.name.includes(WINDOW)) return paths[0];
  const own = `gui-sock-${process.pid}`;
  // What a pane was told may be that of another window, in which this one was started.
  const named = paths.find((path) => basename(path) === own);
  if (named !== undefined) return named;
  const runtime = facts.variable(process, "XDG_RUNTIME_DIR");
  if (runtime !== undefined) return join(runtime, "wezterm", own);
  const home = facts.variable(process, "HOME");
  return home === undefined ? undefined : join(home, ".local/share/wezterm", own);
}

/** The panes of this very process. Those of servers that it shows are listed by those servers, under other numbers. */
function terminals(stdout: Buffer, manager: Manager): ObservedTerminal[] | undefined {
  const byTty = new Map(manager.windows.map((window) => [window.tty, window]));
  return parsePanes(stdout)?.flatMap(({ number, tty, name, title, cwd, cols, rows }) => {
    const root = tty === undefined ? undefined : byTty.get(tty);
    if (root === undefined) return [];
    return {
      id: `wezterm:${keyOf(manager.process)}/${number}`,
      state: "running",
      rootPid: root.pid,
      ...optional("tty", tty),
      ...optional("name", name && `${name}.${number}`),
      ...optional("title", title),
      ...optional("cwd", cwd),
      ...optional("cols", cols),
      ...optional("rows", rows),
    };
  });
}
