import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkedDefinition } from "../../../src/host/monitors/check.ts";
import type { MonitorCondition, MonitorDefinition } from "../../../src/host/monitors/definition.ts";
import { MonitorRefusal } from "../../../src/host/monitors/refusal.ts";
import { defined } from "./scripted-session.ts";

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "tt-bounds-")));
  mkdirSync(join(root, "inner"));
  writeFileSync(join(root, "file"), "");
});
afterAll(() => rmSync(root, { recursive: true }));

/** What is wrong with a definition; undefined where nothing is. */
async function faultOf(condition: MonitorCondition, more: Partial<MonitorDefinition> = {}) {
  try {
    await checkedDefinition(defined(condition, more), root);
    return undefined;
  } catch (error) {
    if (error instanceof MonitorRefusal) return error;
    throw error;
  }
}

const POLLED = { check_interval_ms: 10 };

/** Every text of a condition with its bound, in bytes. */
const TEXTS: [string, number, (text: string) => MonitorCondition, Partial<MonitorDefinition>][] = [
  ["pattern of output_contains", 256, (pattern) => ({ kind: "output_contains", pattern }), {}],
  ["pattern of output_matches", 256, (pattern) => ({ kind: "output_matches", pattern }), {}],
  ["pattern of screen_matches", 256, (pattern) => ({ kind: "screen_matches", pattern }), {}],
  ["host of tcp_ready", 4_096, (host) => ({ kind: "tcp_ready", host, port: 1 }), POLLED],
  ["pattern of http_ready", 4_096, (pattern) => ({ kind: "http_ready", pattern }), POLLED],
  ["path of path_exists", 4_096, (path) => ({ kind: "path_exists", path }), POLLED],
  ["path of path_changed", 4_096, (path) => ({ kind: "path_changed", path }), POLLED],
  ["path of path_size", 4_096, (path) => ({ kind: "path_size", path, minimum_bytes: 1 }), POLLED],
  [
    "command of custom_probe",
    65_536,
    (command) => ({ kind: "custom_probe", command, cwd: "." }),
    POLLED,
  ],
  ["cwd of custom_probe", 4_096, (cwd) => ({ kind: "custom_probe", command: "true", cwd }), POLLED],
];

/** A text of so many bytes that is no worse than others; of a path, with components that a file system takes. */
function textOf(name: string, bytes: number): string {
  if (name.includes("http_ready")) return `http://localhost/${"x".repeat(bytes - 17)}`;
  const isPath = name.startsWith("path") || name.startsWith("cwd");
  return isPath ? "./".repeat(bytes).slice(0, bytes) : "x".repeat(bytes);
}

test.each(TEXTS)(
  "the %s is not empty, has no NUL and at most %s bytes",
  async (name, most, condition, more) => {
    for (const [text, words] of [
      ["", "must not be empty"],
      ["a\0", "NUL"],
      [textOf(name, most + 1), `at most ${most} bytes`],
    ] as const) {
      const fault = await faultOf(condition(text), more);
      expect(fault?.code, words).toBe("invalid_request");
      expect(fault?.message).toContain(words);
      expect(fault?.message.startsWith(name.split(" ")[0] ?? "")).toBe(true);
    }
    expect((await faultOf(condition(textOf(name, most)), more))?.message ?? "").not.toContain(
      "bytes",
    );
  },
);

const day = 86_400_000;
const exit = { kind: "process_exit" } as const;
const path = { kind: "path_exists", path: "file" } as const;

test.each<
  [string, number, number, (value: number) => [MonitorCondition, Partial<MonitorDefinition>]]
>([
  ["check_interval_ms", 10, day, (check_interval_ms) => [path, { check_interval_ms }]],
  ["count", 1, 1_000_000, (count) => [exit, { notify: { kind: "every_n_checks", count } }]],
  ["interval_ms", 10, day, (interval_ms) => [exit, { notify: { kind: "interval", interval_ms } }]],
  [
    "duration_ms of a lifetime",
    1,
    365 * day,
    (duration_ms) => [exit, { lifetime: { kind: "duration", duration_ms } }],
  ],
  [
    "duration_ms of output_quiet",
    10,
    day,
    (duration_ms) => [{ kind: "output_quiet", duration_ms }, {}],
  ],
  ["port", 1, 65_535, (port) => [{ kind: "tcp_ready", host: "localhost", port }, POLLED]],
])("%s is from %s to %s", async (name, least, most, definition) => {
  for (const value of [least, most]) expect(await faultOf(...definition(value))).toBe(undefined);
  for (const value of [least - 1, most + 1]) {
    const fault = await faultOf(...definition(value));
    expect(fault?.code).toBe("invalid_request");
    expect(fault?.message).toBe(
      `${name.split(" ")[0]} must be an integer from ${least} to ${most}, got ${value}`,
    );
  }
});

test("a path may be of any size from 0 bytes on", async () => {
  for (const minimum_bytes of [0, Number.MAX_SAFE_INTEGER]) {
    expect(await faultOf({ kind: "path_size", path: "file", minimum_bytes }, POLLED)).toBe(
      undefined,
    );
  }
});
