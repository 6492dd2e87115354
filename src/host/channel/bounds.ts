import { MAX_CELLS } from "./limits.ts";

interface Bound {
  /** Whether an empty one says something. */
  readonly mayBeEmpty: boolean;
  /** In bytes of UTF-8. */
  readonly maxBytes: number;
}

const NAME: Bound = { mayBeEmpty: false, maxBytes: 256 };

/** How long texts may be, by the field they are in. The shapes leave that open; without it a client could have the host
 * keep names of megabytes, or hand the kernel what it refuses in words of its own. */
const BOUNDS: Readonly<Record<string, Bound>> = {
  sessionId: NAME,
  terminalId: NAME,
  key: NAME,
  target: { ...NAME, maxBytes: 1_024 },
  env: NAME,
  name: { mayBeEmpty: true, maxBytes: 1_024 },
  // PATH_MAX of Linux, with its NUL.
  cwd: { mayBeEmpty: false, maxBytes: 4_095 },
  command: { mayBeEmpty: true, maxBytes: 65_536 },
  // MAX_ARG_STRLEN of Linux, with its NUL.
  exec: { mayBeEmpty: true, maxBytes: 131_071 },
  pattern: { mayBeEmpty: true, maxBytes: 4_096 },
};

/** Fields that the kernel takes, where a NUL would be the end. */
const WITHOUT_NUL: ReadonlySet<string> = new Set(["cwd", "env", "exec"]);

/** Where a message of the right shape is beyond what the host takes, in words; `undefined` where it is not. */
export function boundFault(message: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, value] of Object.entries(message)) {
    const fault = typeof value === "string" ? textFault(name, value) : listFault(name, value);
    if (fault !== undefined) return fault;
  }
  const { cols, rows } = message;
  if (typeof cols !== "number" || typeof rows !== "number" || cols * rows <= MAX_CELLS) {
    return undefined;
  }
  return `cols times rows must be at most ${MAX_CELLS}, got ${cols} times ${rows}`;
}

function textFault(field: string, text: string, name = field): string | undefined {
  const bound = Object.hasOwn(BOUNDS, field) ? BOUNDS[field] : undefined;
  if (bound === undefined) return undefined;
  if (text === "" && !bound.mayBeEmpty) return `${name} must not be empty`;
  const bytes = Buffer.byteLength(text);
  if (bytes > bound.maxBytes) {
    return `${name} must be at most ${bound.maxBytes} bytes long, got ${bytes}`;
  }
  if (!WITHOUT_NUL.has(field) || !text.includes("\0")) return undefined;
  return `${name} must have no NUL in it, got one at ${text.indexOf("\0")}`;
}

function listFault(field: string, value: unknown): string | undefined {
  if (field === "wait") return boundFault(value as Readonly<Record<string, unknown>>);
  if (field !== "exec" || !Array.isArray(value)) return undefined;
  if (value[0] === "") return "exec[0] must name a program, got an empty string";
  for (const [index, text] of value.entries()) {
    const fault = textFault(field, String(text), `exec[${index}]`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
