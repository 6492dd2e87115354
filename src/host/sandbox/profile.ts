import { isAbsolute } from "node:path";
import { hasMoreParts } from "../json-parts.ts";
import { SandboxRefusal } from "./refusal.ts";

/** What a program in a sandbox may do beside reading and writing in its workspace. */
export interface SandboxProfile {
  /** Absolute paths of files and folders that it may write, as they were named. */
  readonly write: readonly string[];
  /** Whether it has the network that the host has; else it has one of its own, in which nobody else is. */
  readonly network: boolean;
}

/** How many paths a profile may name. Each is a mount. */
export const MAX_WRITE_PATHS = 64;

/** The longest path, in bytes: PATH_MAX of Linux, without its NUL. */
const MAX_PATH_BYTES = 4_095;

const GRAMMAR = `sandbox_profile must be {"write": [absolute paths, at most ${MAX_WRITE_PATHS}], "network": true or false}`;

/** Reads a profile. Throws a SandboxRefusal for everything that is not of its grammar: what was meant by more than that is not
 * known, and would not be enforced. */
export function parseProfile(text: string): SandboxProfile {
  const value = parsed(text);
  const { write, network, ...others } = fieldsOf(value);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) refuse(`it has an unknown field ${quoted(unknown)}`);
  if (!Array.isArray(write)) return refuse(`its write is ${kindOf(write)}`);
  if (typeof network !== "boolean") return refuse(`its network is ${kindOf(network)}`);
  if (write.length > MAX_WRITE_PATHS) refuse(`it names ${write.length} paths`);
  const paths = write.map(checkedPath);
  // Of a field that is there twice only the last is seen: there is more in the text than in the value.
  const parts = 1 + 2 + 1 + Math.max(0, paths.length - 1);
  if (hasMoreParts(Buffer.from(text), parts)) refuse("it has a field twice");
  return { write: paths, network };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse("it is no JSON");
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refuse(`it is ${kindOf(value)}`);
  }
  return Object.fromEntries(Object.entries(value));
}

function checkedPath(path: unknown): string {
  if (typeof path !== "string") return refuse(`a path is ${kindOf(path)}`);
  if (!isAbsolute(path)) refuse(`the path ${quoted(path)} is not absolute`);
  if (path.includes("\0")) refuse(`the path ${quoted(path)} has a NUL character in it`);
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    refuse(`the path ${quoted(path)} has over ${MAX_PATH_BYTES} bytes`);
  }
  return path;
}

function kindOf(value: unknown): string {
  if (value === undefined) return "left out";
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `of the type ${typeof value}`;
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 256));

function refuse(why: string): never {
  throw new SandboxRefusal(`${GRAMMAR}; ${why}`);
}
