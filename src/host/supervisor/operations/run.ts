import type { TerminalSuccess } from "../messages.ts";
import type { TerminalOperation } from "../operation.ts";
import { close } from "./close.ts";
import type { Ground } from "./ground.ts";
import { inspect } from "./inspect.ts";
import { list } from "./list.ts";
import { monitor } from "./monitor.ts";
import { read } from "./read.ts";
import { resize } from "./resize.ts";
import { screen } from "./screen.ts";
import { signal } from "./signal.ts";
import { start } from "./start.ts";
import { wait } from "./wait.ts";
import { write } from "./write.ts";

/** Does an operation. Rejects with an InvalidArgument, an OperationError or a MonitorRefusal where it does not. */
export async function runOperation(
  operation: TerminalOperation,
  ground: Ground,
): Promise<TerminalSuccess["success"]> {
  switch (operation.action) {
    case "start":
      return { start: await start(operation, ground) };
    case "read":
      return { read: await read(operation, ground) };
    case "screen":
      return { screen: await screen(operation, ground) };
    case "write":
      return { write: await write(operation, ground) };
    case "wait":
      return { wait: await wait(operation, ground) };
    case "monitor":
      return { monitor: await monitor(operation, ground) };
    case "inspect":
      return { inspect: await inspect(operation, ground) };
    case "list":
      return { list: await list(operation, ground) };
    case "resize":
      return { resize: await resize(operation, ground) };
    case "signal":
      return { signal: await signal(operation, ground) };
    case "close":
      return { close: await close(operation, ground) };
  }
}
