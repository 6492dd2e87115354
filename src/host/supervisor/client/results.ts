import type {
  CloseResult,
  InspectResult,
  ListResult,
  MonitorResult,
  ReadResult,
  ResizeResult,
  ScreenResult,
  SignalResult,
  StartResult,
  TerminalAction,
  ToolOutput,
  WaitResult,
  WriteResult,
} from "../messages.ts";
import { SupervisorError } from "./failure.ts";

interface Results {
  readonly start: StartResult;
  readonly read: ReadResult;
  readonly screen: ScreenResult;
  readonly write: WriteResult;
  readonly wait: WaitResult;
  readonly monitor: MonitorResult;
  readonly inspect: InspectResult;
  readonly list: ListResult;
  readonly resize: ResizeResult;
  readonly signal: SignalResult;
  readonly close: CloseResult;
}

/** What an operation of that action comes to. */
export type ResultOf<Action extends TerminalAction> = Results[Action];

/** The result of an operation. Throws a SupervisorError where it was refused, or is that of another. */
export function resultOf<Action extends TerminalAction>(
  action: Action,
  { structured }: ToolOutput,
): ResultOf<Action> {
  if ("failure" in structured) {
    const { code, message, retryable, session_id } = structured.failure;
    const session = session_id === null ? {} : { sessionId: session_id };
    throw SupervisorError.refused({ code, message, retryable, ...session });
  }
  const success: object = structured.success;
  if (isOf(action, success)) return success[action];
  const [other] = Object.keys(success);
  throw new SupervisorError("protocol", `the host answered ${action} with a result of ${other}`);
}

/** Each result was checked by the schema of its action as it came. */
const isOf = <Action extends TerminalAction>(
  action: Action,
  success: object,
): success is Record<Action, Results[Action]> => action in success;
