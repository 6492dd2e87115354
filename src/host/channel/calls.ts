import { HostError } from "../failure.ts";
import type { Host } from "../host.ts";
import { keyBytes, submitWrites } from "../keys/keys.ts";
import { readTerminal } from "../read.ts";
import type { Terminal } from "../terminal.ts";
import type { HostCall, HostResult } from "./messages.ts";

/** Does what a call asks for. The signal ends what waits. Rejects with a `HostError`. */
export function runCall(host: Host, call: HostCall, signal: AbortSignal): Promise<HostResult> {
  if (!("key" in call)) return perform(host, call, signal);
  const { sessionId, key, ...body } = call;
  return host.keys.once(sessionId, key, body, () => perform(host, call, signal));
}

async function perform(host: Host, call: HostCall, signal: AbortSignal): Promise<HostResult> {
  const target = "target" in call ? host.targetIn(call.sessionId, call.target) : undefined;
  switch (call.op) {
    case "list":
      return { kind: "list", windows: host.windows(call.sessionId) };
    case "open": {
      const { sessionId, cwd, env, name, command, exec, cols, rows } = call;
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
      host.keys.forget(call.sessionId);
      return { kind: "done" };
    default:
      return onTerminal(host, call, target as Terminal, signal);
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
      await send(host, terminal, call);
      return { kind: "done" };
    case "cursor":
      return { kind: "cursor", terminal: host.info(terminal), offset: host.cursors.of(terminal) };
    case "read":
      return { kind: "read", ...(await readTerminal(host, terminal, call, signal)) };
    case "capture": {
      const { scrollback, escapes, joinWrapped } = call;
      const { text } = await terminal.screen.capture({
        scrollback,
        ...(escapes === undefined ? {} : { escapes }),
        ...(joinWrapped === undefined ? {} : { joinWrapped }),
      });
      return { kind: "capture", terminal: host.info(terminal), text };
    }
    case "resize":
      terminal.resize(call.cols, call.rows);
      return { kind: "terminal", terminal: host.info(terminal) };
    case "rename":
      terminal.rename(call.name);
      return { kind: "terminal", terminal: host.info(terminal) };
    case "signal":
      host.signal(terminal, call.signal);
      return { kind: "done" };
    case "close":
      await host.close(terminal);
      return { kind: "closed", terminalId: terminal.options.id };
  }
}

async function send(
  host: Host,
  terminal: Terminal,
  { keys, literal, submit }: Extract<HostCall, { op: "send" }>,
): Promise<void> {
  if (terminal.state !== "running") {
    throw new HostError("ended", "the program in the terminal has ended, so nothing can be typed");
  }
  const modes = terminal.modes;
  if (submit !== true) return write(terminal, keyBytes(keys, { literal, modes }));
  for (const { bytes, afterMs } of submitWrites(keys.join(""), { modes })) {
    if (afterMs > 0) await host.pause(afterMs);
    write(terminal, bytes);
  }
}

function write(terminal: Terminal, bytes: Uint8Array): void {
  const taken = terminal.write(bytes);
  if (taken === bytes.length) return;
  throw new HostError(
    "busy",
    `the program does not read: ${taken} of ${bytes.length} bytes were taken; try again when it does`,
  );
}
