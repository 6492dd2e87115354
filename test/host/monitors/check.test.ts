import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Value } from "@sinclair/typebox/value";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkedDefinition } from "../../../src/host/monitors/check.ts";
import {
  type MonitorCondition,
  MonitorDefinition,
  MonitorOperation,
} from "../../../src/host/monitors/definition.ts";
import { MonitorRefusal } from "../../../src/host/monitors/refusal.ts";
import { defined } from "./scripted-session.ts";

let folder: string;
let root: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "tt-check-")));
  root = join(folder, "workspace");
  mkdirSync(join(root, "inner"), { recursive: true });
  writeFileSync(join(root, "file"), "");
  symlinkSync(folder, join(root, "out"));
  symlinkSync(root, join(folder, "link"));
});

afterAll(() => rmSync(folder, { recursive: true }));

const POLLED: Partial<MonitorDefinition> = { check_interval_ms: 10 };

async function refusal(
  condition: MonitorCondition,
  more: Partial<MonitorDefinition> = {},
): Promise<MonitorRefusal | undefined> {
  try {
    await checkedDefinition(defined(condition, more), root);
    return undefined;
  } catch (error) {
    if (error instanceof MonitorRefusal) return error;
    throw error;
  }
}

const EVENT_DRIVEN: MonitorCondition[] = [
  { kind: "process_exit" },
  { kind: "exit_code", exit_code: 3 },
  { kind: "signal", signal: "kill" },
  { kind: "output_contains", pattern: "x" },
  { kind: "output_matches", pattern: "x*" },
  { kind: "output_quiet", duration_ms: 10 },
  { kind: "screen_matches", pattern: "x" },
];
const POLLING: MonitorCondition[] = [
  { kind: "tcp_ready", host: "localhost", port: 1 },
  { kind: "http_ready", pattern: "http://localhost/" },
  { kind: "path_exists", path: "later" },
  { kind: "path_changed", path: "file" },
  { kind: "path_size", path: "file", minimum_bytes: 1 },
  { kind: "custom_probe", command: "true", cwd: "inner" },
];

test.each(EVENT_DRIVEN)("check_interval_ms is forbidden for $kind", async (condition) => {
  expect(Value.Check(MonitorDefinition, defined(condition))).toBe(true);
  expect(await refusal(condition)).toBe(undefined);
  expect(await refusal(condition, { check_interval_ms: null })).toBe(undefined);
  const refused = await refusal(condition, POLLED);
  expect(refused?.code).toBe("invalid_request");
  expect(refused?.message).toContain("check_interval_ms must be left out");
});

test.each(POLLING)("check_interval_ms is required for $kind", async (condition) => {
  expect(Value.Check(MonitorDefinition, defined(condition, POLLED))).toBe(true);
  expect(await refusal(condition, POLLED)).toBe(undefined);
  expect((await refusal(condition))?.message).toContain("check_interval_ms must be given");
});

test.each([9, 86_400_001, 10.5])("a check every %s ms is refused", async (check_interval_ms) => {
  const refused = await refusal({ kind: "path_exists", path: "file" }, { check_interval_ms });
  expect(refused?.message).toBe(
    `check_interval_ms must be an integer from 10 to 86400000, got ${check_interval_ms}`,
  );
});

const bounds: [string, MonitorCondition, Partial<MonitorDefinition>][] = [
  ["a pattern of 257 bytes", { kind: "output_contains", pattern: `${"é".repeat(128)}x` }, {}],
  ["an empty pattern", { kind: "output_matches", pattern: "" }, {}],
  ["a NUL in a pattern", { kind: "screen_matches", pattern: "a\0" }, {}],
  ["silence of 9 ms", { kind: "output_quiet", duration_ms: 9 }, {}],
  ["port 0", { kind: "tcp_ready", host: "localhost", port: 0 }, POLLED],
  ["a host of 4 097 bytes", { kind: "tcp_ready", host: "h".repeat(4_097), port: 1 }, POLLED],
  ["a URL of https", { kind: "http_ready", pattern: "https://localhost/" }, POLLED],
  ["a URL with a user", { kind: "http_ready", pattern: "http://me@localhost/" }, POLLED],
  ["no URL", { kind: "http_ready", pattern: "localhost" }, POLLED],
  ["an empty path", { kind: "path_exists", path: "" }, POLLED],
  ["a path of 4 097 bytes", { kind: "path_changed", path: "p".repeat(4_097) }, POLLED],
  ["an empty command", { kind: "custom_probe", command: "", cwd: "." }, POLLED],
  ["a long command", { kind: "custom_probe", command: "x".repeat(65_537), cwd: "." }, POLLED],
  ["a file as folder", { kind: "custom_probe", command: "true", cwd: "file" }, POLLED],
  ["a folder that is not there", { kind: "custom_probe", command: "true", cwd: "no" }, POLLED],
  ["no checks", { kind: "process_exit" }, { notify: { kind: "every_n_checks", count: 0 } }],
  [
    "1 000 001 checks",
    { kind: "process_exit" },
    { notify: { kind: "every_n_checks", count: 1_000_001 } },
  ],
  [
    "an interval of 9 ms",
    { kind: "process_exit" },
    { notify: { kind: "interval", interval_ms: 9 } },
  ],
  ["no lifetime", { kind: "process_exit" }, { lifetime: { kind: "duration", duration_ms: 0 } }],
  [
    "over 365 days",
    { kind: "process_exit" },
    { lifetime: { kind: "duration", duration_ms: 365 * 86_400_000 + 1 } },
  ],
];

test.each(bounds)("%s is refused", async (_, condition, more) => {
  expect((await refusal(condition, more))?.code).toBe("invalid_request");
});

test("texts may be as long as their bounds", async () => {
  const command = "x".repeat(65_536);
  expect(await refusal({ kind: "output_contains", pattern: "é".repeat(128) })).toBe(undefined);
  expect(await refusal({ kind: "custom_probe", command, cwd: "." }, POLLED)).toBe(undefined);
});

test.each(["..", "../workspace2", "/etc/passwd", "out", "out/later", "out/workspace2/x"])(
  "the path %s is outside of the workspace",
  async (path) => {
    for (const condition of [
      { kind: "path_exists", path },
      { kind: "custom_probe", command: "true", cwd: path },
    ] as const) {
      expect((await refusal(condition, POLLED))?.code).toBe("path_outside_workspace");
    }
  },
);

test.each(["..name", "inner/../file", "inner/later/still later", "out/workspace/file"])(
  "the path %s is in the workspace",
  async (path) => {
    expect(await refusal({ kind: "path_exists", path }, POLLED)).toBe(undefined);
  },
);

test("the workspace may be named through a link, and paths in it absolutely", async () => {
  const link = join(folder, "link");
  const definition = defined({ kind: "path_exists", path: join(link, "file") }, POLLED);
  const { place } = await checkedDefinition(definition, link);
  expect(place?.root).toBe(root);
});

test("unknown fields of definitions are no definitions", () => {
  const definition = defined({ kind: "process_exit" });
  expect(Value.Check(MonitorDefinition, { ...definition, priority: 1 })).toBe(false);
  const condition = { kind: "process_exit", pattern: "x" };
  expect(Value.Check(MonitorDefinition, { ...definition, condition })).toBe(false);
  expect(Value.Check(MonitorOperation, { kind: "pause", monitor_id: "monitor-1" })).toBe(true);
});
