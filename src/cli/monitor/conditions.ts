import type { MonitorCondition } from "../../host/supervisor/messages.ts";
import { UsageError } from "../failure.ts";
import { readSignal, readWhole } from "../supervise/options.ts";

/** What a condition is stated with, each as it was typed. */
export interface ConditionOptions {
  readonly on?: string;
  readonly code?: string;
  readonly signal?: string;
  readonly text?: string;
  readonly ms?: string;
  readonly address?: string;
  readonly url?: string;
  readonly path?: string;
  readonly bytes?: string;
  readonly command?: string;
  readonly cwd?: string;
}

const FIELDS = [
  "code",
  "signal",
  "text",
  "ms",
  "address",
  "url",
  "path",
  "bytes",
  "command",
  "cwd",
] as const satisfies readonly (keyof ConditionOptions)[];
type Field = (typeof FIELDS)[number];

interface Shape {
  /** What the dialect calls it. */
  readonly kind: MonitorCondition["kind"];
  /** What it cannot do without, the one first that may stand without its option. */
  readonly needs: readonly Field[];
  readonly takes?: readonly Field[];
  /** Whether nothing tells of it: it has to be looked at time and again. */
  readonly isLookedAt?: true;
  make(of: (field: Field) => string): MonitorCondition;
}

/** Every condition, by the word for it. */
const SHAPES: Readonly<Record<string, Shape>> = {
  exit: { kind: "process_exit", needs: [], make: () => ({ kind: "process_exit" }) },
  code: {
    kind: "exit_code",
    needs: ["code"],
    make: (of) => ({ kind: "exit_code", exit_code: readWhole("--code", 0)(of("code")) }),
  },
  signal: {
    kind: "signal",
    needs: ["signal"],
    make: (of) => ({ kind: "signal", signal: readSignal("--signal")(of("signal")) }),
  },
  contains: {
    kind: "output_contains",
    needs: ["text"],
    make: (of) => ({ kind: "output_contains", pattern: of("text") }),
  },
  match: {
    kind: "output_matches",
    needs: ["text"],
    make: (of) => ({ kind: "output_matches", pattern: of("text") }),
  },
  quiet: {
    kind: "output_quiet",
    needs: ["ms"],
    make: (of) => ({ kind: "output_quiet", duration_ms: readWhole("--ms", 1)(of("ms")) }),
  },
  screen: {
    kind: "screen_matches",
    needs: ["text"],
    make: (of) => ({ kind: "screen_matches", pattern: of("text") }),
  },
  tcp: {
    kind: "tcp_ready",
    isLookedAt: true,
    needs: ["address"],
    make: (of) => tcp(of("address")),
  },
  http: {
    kind: "http_ready",
    isLookedAt: true,
    needs: ["url"],
    make: (of) => ({ kind: "http_ready", pattern: plainUrl(of("url")) }),
  },
  exists: {
    kind: "path_exists",
    isLookedAt: true,
    needs: ["path"],
    make: (of) => ({ kind: "path_exists", path: of("path") }),
  },
  changed: {
    kind: "path_changed",
    isLookedAt: true,
    needs: ["path"],
    make: (of) => ({ kind: "path_changed", path: of("path") }),
  },
  size: {
    kind: "path_size",
    isLookedAt: true,
    needs: ["path", "bytes"],
    make: (of) => ({
      kind: "path_size",
      path: of("path"),
      minimum_bytes: readWhole("--bytes", 0)(of("bytes")),
    }),
  },
  command: {
    kind: "custom_probe",
    isLookedAt: true,
    needs: ["command"],
    takes: ["cwd"],
    make: (of) => ({ kind: "custom_probe", command: of("command"), cwd: of("cwd") }),
  },
};

const ALL = Object.entries(SHAPES);

export const LOOKED_AT_WORDS = ALL.filter(([, { isLookedAt }]) => isLookedAt)
  .map(([word]) => word)
  .join(", ");

/** A condition, and what is to be known of its kind. */
export interface StatedCondition {
  /** The word for it. */
  readonly word: string;
  readonly condition: MonitorCondition;
  /** Whether nothing tells of it: it has to be looked at time and again. */
  readonly isLookedAt: boolean;
}

/** The condition that options state by a word, or by the dialect's own. `value` stands for the first thing that it needs. Throws
 * a UsageError that names the option that is missing, or has no part in it. */
export function conditionIn(value: string | undefined, options: ConditionOptions): StatedCondition {
  const [word, shape] = shapeOf(options.on);
  const { needs, takes = [], isLookedAt = false } = shape;
  requireNoOther(word, [...needs, ...takes], options);
  const [first] = needs;
  if (value !== undefined && first === undefined) {
    throw new UsageError(`--on ${word} takes nothing more, got "${value}"`);
  }
  if (value !== undefined && first !== undefined && options[first] !== undefined) {
    throw new UsageError(`--on ${word} has ${flag(first)} already, got "${value}" beside it`);
  }
  const positional = first !== undefined && value !== undefined ? { [first]: value } : {};
  const stated: ConditionOptions = { cwd: ".", ...options, ...positional };
  const condition = shape.make((field) => {
    const text = stated[field];
    if (text !== undefined && text !== "") return text;
    throw new UsageError(`--on ${word} needs ${flag(field)} ${EXAMPLES[field]}`);
  });
  return { word, condition, isLookedAt };
}

function shapeOf(text: string | undefined): [word: string, shape: Shape] {
  if (text === undefined) {
    throw new UsageError("--on <condition> is needed, such as --on match --text ERROR");
  }
  const found = ALL.find(([word, { kind }]) => word === text || kind === text);
  if (found !== undefined) return found;
  const words = ALL.map(([word]) => word).join(", ");
  throw new UsageError(`--on must be one of ${words}, got "${text}"`);
}

const flag = (field: Field) => `--${field}`;

const EXAMPLES: Readonly<Record<Field, string>> = {
  code: "<code>, such as --code 1",
  signal: "<name>, such as --signal kill",
  text: "<text>, such as --text ERROR",
  ms: "<milliseconds>, such as --ms 5000",
  address: "<host:port>, such as --address localhost:8080",
  url: "<url>, such as --url http://localhost:8080/",
  path: "<path>, such as --path build/done",
  bytes: "<number>, such as --bytes 1024",
  command: "<command>, such as --command 'test -s log'",
  cwd: "<folder>, such as --cwd build",
};

function requireNoOther(word: string, known: readonly Field[], options: ConditionOptions): void {
  const other = FIELDS.find((field) => options[field] !== undefined && !known.includes(field));
  if (other === undefined) return;
  const whose = ALL.filter(([, { needs, takes = [] }]) => [...needs, ...takes].includes(other));
  const words = whose.map(([name]) => name).join(", ");
  throw new UsageError(`${flag(other)} is for --on ${words}, not for ${word}`);
}

/** A host and its port; an address of IPv6 stands in brackets. */
function tcp(text: string): MonitorCondition {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host !== undefined && Number(port) >= 1 && Number(port) <= 65_535) {
    return { kind: "tcp_ready", host, port: Number(port) };
  }
  throw new UsageError(`--address must be a host and a port such as localhost:8080, got "${text}"`);
}

function plainUrl(text: string): string {
  if (URL.canParse(text) && new URL(text).protocol === "http:") return text;
  throw new UsageError(`--url must be a URL that begins with http://, got "${text}"`);
}
