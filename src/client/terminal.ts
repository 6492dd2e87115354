import type {
  TerminalCaptureArgs,
  TerminalCaptureResult,
  TerminalCloseArgs,
  TerminalGoneResult,
  TerminalOpenArgs,
  TerminalOpenResult,
  TerminalReadArgs,
  TerminalReadResult,
  TerminalRenameResult,
  TerminalResizeResult,
  TerminalSendArgs,
  TerminalSignalArgs,
} from "../contract/acting.ts";
import type { SignalName } from "../contract/acting-limits.ts";
import type { TerminalId } from "../contract/identifiers.ts";
import type { TerminalOpName } from "../contract/ops.ts";
import { CALL_MS, type CallOptions, type Calls } from "./calls.ts";

/** What is asked for beside the terminal, and how. */
type Asked<Args, Named extends keyof Args> = Omit<Args, Named> & CallOptions;

/** Looks into the terminals of the publisher and acts on them, by the ids of their rows. All reject with a `CallError`. Each
 * is asked for once: where the connection ends before the answer, it rejects as `unknown`, and it is for the caller to look
 * and to ask again, with the `key` of the error where it may be done only once. */
export interface TerminalActions {
  /** Opens a terminal of the host's own. */
  open(options?: TerminalOpenArgs & CallOptions): Promise<TerminalOpenResult>;
  /** Types keys and text, in the order of the calls. */
  send(
    id: TerminalId,
    keys: string | readonly string[],
    options?: Asked<TerminalSendArgs, "id" | "keys">,
  ): Promise<void>;
  /** Its output as plain text. */
  read(id: TerminalId, options?: Asked<TerminalReadArgs, "id">): Promise<TerminalReadResult>;
  /** What it shows, as text. */
  capture(
    id: TerminalId,
    options?: Asked<TerminalCaptureArgs, "id">,
  ): Promise<TerminalCaptureResult>;
  /** Gives it another size, in cells. */
  resize(
    id: TerminalId,
    cols: number,
    rows: number,
    options?: CallOptions,
  ): Promise<TerminalResizeResult>;
  /** Sends a signal to the job in front. */
  signal(
    id: TerminalId,
    signal: SignalName,
    options?: Pick<TerminalSignalArgs, "key" | "pid"> & CallOptions,
  ): Promise<void>;
  /** Ends what runs in it and takes it away. */
  close(id: TerminalId, options?: Asked<TerminalCloseArgs, "id">): Promise<void>;
  /** What became of one that is not listed any more. */
  gone(id: TerminalId, options?: CallOptions): Promise<TerminalGoneResult>;
  /** Calls it something else; an empty name takes the name away. */
  rename(id: TerminalId, name: string, options?: CallOptions): Promise<TerminalRenameResult>;
}

/** The actions that are made by these calls. */
export function terminalActions(calls: Calls): TerminalActions {
  const make = (op: TerminalOpName, args: object, options: CallOptions) =>
    calls.make(op, { ...args }, options);
  return {
    async open(options = {}) {
      const [how, asked] = parted(options);
      const body = await make("terminal.open", { key: randomKey(), ...asked }, how);
      return resultIn<TerminalOpenResult>(body);
    },
    async send(id, keys, options = {}) {
      const [how, asked] = parted(options);
      const all = typeof keys === "string" ? [keys] : keys;
      await make("terminal.send", { key: randomKey(), ...asked, id, keys: all }, how);
    },
    async read(id, options = {}) {
      const [how, asked] = parted(options);
      const timeoutMs = how.timeoutMs ?? CALL_MS + (options.wait?.timeout_ms ?? 0);
      const body = await make("terminal.read", { ...asked, id }, { ...how, timeoutMs });
      return resultIn<TerminalReadResult>(body);
    },
    async capture(id, options = {}) {
      const [how, asked] = parted(options);
      return resultIn<TerminalCaptureResult>(await make("terminal.capture", { ...asked, id }, how));
    },
    async resize(id, cols, rows, options = {}) {
      const body = await make("terminal.resize", { id, cols, rows }, options);
      return resultIn<TerminalResizeResult>(body);
    },
    async signal(id, signal, options = {}) {
      const [how, asked] = parted(options);
      await make("terminal.signal", { key: randomKey(), ...asked, id, signal }, how);
    },
    async close(id, options = {}) {
      const [how, asked] = parted(options);
      await make("terminal.close", { key: randomKey(), ...asked, id }, how);
    },
    async gone(id, options = {}) {
      return resultIn<TerminalGoneResult>(await make("terminal.gone", { id }, options));
    },
    async rename(id, name, options = {}) {
      const body = await make("terminal.rename", { id, name }, options);
      return resultIn<TerminalRenameResult>(body);
    },
  };
}

/** What is asked for apart from how. */
function parted<Options extends CallOptions>(
  options: Options,
): [how: CallOptions, asked: Omit<Options, keyof CallOptions>] {
  const { timeoutMs, signal, instance, ...asked } = options;
  const how = {
    ...(instance === undefined ? {} : { instance }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(signal === undefined ? {} : { signal }),
  };
  return [how, asked];
}

/** The body of a reply that fits its schema, without the envelope. */
function resultIn<Result>({ ok: _, request_id: __, ...body }: Record<string, unknown>): Result {
  return body as Result;
}

/** Nobody else's: 128 bits. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
