import { HostError } from "../failure.ts";
import type { Host } from "../host.ts";
import { readTerminal } from "../read.ts";
import type { Terminal } from "../terminal.ts";
import type { HostCall, HostResult } from "./messages.ts";
import { requireShortLines } from "./sends.ts";

/** Does what a call asks for. The signal ends what waits. Rejects with a `HostError`. */
export function runCall(host: Host, call: HostCall, signal: AbortSignal): Promise<HostResult> {
  if (!("key" in call)) return perform(host, call, signal);
  const { sessionId, key, ...body } = call;
  return host.keys.once(sessionId, key, body, () => perform(host, call, signal));
}

async function perform(host: Host, call: HostCall, signal: AbortSignal): Promise<HostResult> {
  switch (call.op) {
    case "list":
      return { kind: "list", windows: host.windows(call.sessionId) };
    case "open": {
      const { sessionId, cwd, env, name, command, exec, cols, rows } = call;
      if (command !== undefined) requireShortLines(command);
      const terminal = await host.open({
        sessionId,
        cwd,
        environmentName: env,
        isAgents: true,
        ...(name === undefined ? {} : { name }),
        ...(exec === undefined ? {} : { exec }),
        cols,
        rows,
      });
      if (command !== undefined) terminal.write(Buffer.from(`${command}\r`));
      return { kind: "terminal", terminal: host.info(terminal) };
    }
    case "closeSession":
      await Promise.all(host.terminals.in(call.sessionId).map((one) => host.close(one)));
      return { kind: "done" };
    default:
      return onTerminal(host, call, host.targetIn(call.sessionId, call.target), signal);
  }
}

/** Work on a terminal that may be taken away meanwhile, which is why it fails then. */
async function whileThere<Result>(terminal: Terminal, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (terminal.state !== "closed") throw error;
    throw new HostError("not_found", "the terminal was closed meanwhile");
  }
}

type TerminalCall = Extract<HostCall, { target: string }>;

async function onTerminal(
  host: Host,
  call: TerminalCall,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<HostResult> {
  switch (call.op) {
    case "send":
      await host.sends.send(terminal, call);
      return { kind: "done" };
    case "cursor":
      return { kind: "cursor", terminal: host.info(terminal), offset: host.cursors.of(terminal) };
    case "read":
      return { kind: "read", ...(await readTerminal(host, terminal, call, signal)) };
    case "capture": {
      const { scrollback, escapes, joinWrapped } = call;
      const captured = terminal.screen.capture({
        scrollback,
        ...(escapes === undefined ? {} : { escapes }),
        ...(joinWrapped === undefined ? {} : { joinWrapped }),
      });
      const { text } = await whileThere(terminal, captured);
      return { kind: "capture", terminal: host.info(terminal), text };
    }
    case "resize":
      await terminal.resize(call.cols, call.rows);
      return { kind: "terminal", terminal: host.info(terminal) };
    case "rename":
      terminal.rename(call.name === "" ? undefined : call.name);
      return { kind: "terminal", terminal: host.info(terminal) };
    case "signal":
      host.signal(terminal, call.signal);
      return { kind: "done" };
    case "close":
      await host.close(terminal);
      return { kind: "closed", terminalId: terminal.options.id };
  }
}
