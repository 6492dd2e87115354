import type { ResultOf } from "../../host/supervisor/client/results.ts";
import type {
  TerminalAction,
  TerminalBackend,
  TerminalSignal,
} from "../../host/supervisor/messages.ts";
import type { Operation } from "../../host/supervisor/operation.ts";
import { UsageError } from "../failure.ts";
import { jsonLine } from "../text.ts";
import { ceilingOf, conditionOf, type SuperviseOptions, type WaitOptions } from "./options.ts";
import { type Awaited, exitOf, outcomeText } from "./outcome.ts";
import { perform } from "./perform.ts";
import { printInspection, printLines, printTable, SESSION_COLUMNS, screenRows } from "./print.ts";
import { onSupervisor } from "./reach.ts";
import { requestIn } from "./request.ts";
import { sessionIn } from "./session.ts";
import { type WriteOptions, writeOf } from "./write.ts";

type Words = string | undefined;

/** Does the operation that `--request` has, else the one that the arguments make. Its result is printed as text, unless it was
 * printed as the wire has it. */
async function operate<Action extends TerminalAction>(
  action: Action,
  options: SuperviseOptions,
  made: () => Promise<Operation<Action>>,
  print: (result: ResultOf<Action>, operation: Operation<Action>) => void,
): Promise<void> {
  const { request, json } = options;
  const operation = request === undefined ? await made() : await requestIn(action, request);
  const result = await onSupervisor(false, (client) => perform(client, action, operation, options));
  if (result !== undefined && json !== true) print(result, operation);
}

export async function screen(text: Words, options: SuperviseOptions): Promise<void> {
  const made = async () => ({ action: "screen", session_id: await sessionIn(text) }) as const;
  await operate("screen", options, made, (result) => printLines(screenRows(result)));
}

/** Types words into a session, and says how many bytes of them were taken. */
export async function write(
  text: Words,
  words: readonly string[],
  options: WriteOptions,
): Promise<void> {
  const made = async () =>
    ({
      action: "write",
      session_id: await sessionIn(text),
      write: writeOf(words, options),
    }) as const;
  await operate("write", options, made, ({ accepted_bytes }) =>
    printLines([`accepted ${accepted_bytes} bytes`]),
  );
}

/** Waits for something of a session, and says by its exit code whether that came. */
export async function wait(
  text: Words,
  what: Awaited | undefined,
  options: SuperviseOptions & WaitOptions,
): Promise<void> {
  const awaited = what ?? (options.pattern === undefined ? "exit" : "match");
  const operation =
    options.request === undefined
      ? ({
          action: "wait",
          session_id: await sessionIn(text),
          return_when: conditionOf(awaited, options),
          wait_ceiling_ms: ceilingOf(options),
        } as const)
      : await requestIn("wait", options.request);
  const result = await onSupervisor(false, (client) => perform(client, "wait", operation, options));
  if (result === undefined) return;
  const { kind } = operation.return_when;
  process.exitCode = exitOf(kind, result.outcome);
  if (options.json !== true) printLines([outcomeText(kind, result.outcome)]);
}

export async function inspect(
  text: Words,
  options: SuperviseOptions & {
    readonly after?: number;
    readonly acknowledge?: number;
    readonly max?: number;
  },
): Promise<void> {
  const { after = null, acknowledge = null, max = 256 } = options;
  const made = async () =>
    ({
      action: "inspect",
      session_id: await sessionIn(text),
      after_event_id: after,
      acknowledge_event_id: acknowledge,
      max_events: max,
    }) as const;
  await operate("inspect", options, made, printInspection);
}

export async function list(
  options: SuperviseOptions & { readonly backend?: TerminalBackend },
): Promise<void> {
  const made = async () => ({ action: "list", backend: options.backend ?? null }) as const;
  await operate("list", options, made, ({ sessions }) => printTable(SESSION_COLUMNS, sessions));
}

export async function resize(
  text: Words,
  columns: number | undefined,
  rows: number | undefined,
  options: SuperviseOptions,
): Promise<void> {
  const made = async () => {
    if (columns === undefined || rows === undefined) {
      throw new UsageError("a width and a height are needed, or --request");
    }
    return { action: "resize", session_id: await sessionIn(text), rows, columns } as const;
  };
  await operate("resize", options, made, ({ dimensions }) =>
    printLines([`${dimensions.columns} columns, ${dimensions.rows} rows`]),
  );
}

export async function signal(
  text: Words,
  name: TerminalSignal | undefined,
  options: SuperviseOptions,
): Promise<void> {
  const made = async () => {
    if (name === undefined) throw new UsageError("a signal is needed, or --request");
    return { action: "signal", session_id: await sessionIn(text), signal: name } as const;
  };
  await operate("signal", options, made, (result) => printLines([`sent ${result.signal}`]));
}

export async function close(
  text: Words,
  options: SuperviseOptions & { readonly force?: boolean },
): Promise<void> {
  const close_policy = options.force === true ? "force" : "graceful";
  const made = async () =>
    ({ action: "close", session_id: await sessionIn(text), close_policy }) as const;
  await operate("close", options, made, () => printLines(["closed"]));
}

/** What the host says of itself. */
export async function hello({ json }: { readonly json?: boolean }): Promise<void> {
  const { greeting } = await onSupervisor(false, async (client) => client);
  if (json === true) process.stdout.write(jsonLine(greeting));
  else printLines([`version ${greeting.negotiated}`, `instance ${greeting.instance_id}`]);
}

export async function ping({ json }: { readonly json?: boolean }): Promise<void> {
  await onSupervisor(false, (client) => client.ping());
  process.stdout.write(json === true ? jsonLine({ kind: "pong" }) : "pong\n");
}
