import { describe, expect, test } from "vitest";
import { definitionOf } from "../../../src/cli/monitor/definition.ts";
import type { MonitorCondition } from "../../../src/host/supervisor/messages.ts";
import { MonitorCondition as Conditions } from "../../../src/host/supervisor/messages.ts";

type Options = Parameters<typeof definitionOf>[1];

const CONDITIONS: ReadonlyArray<
  readonly [on: string, value: string | undefined, options: Options, meant: MonitorCondition]
> = [
  ["exit", undefined, {}, { kind: "process_exit" }],
  ["code", "3", { code: "3" }, { kind: "exit_code", exit_code: 3 }],
  ["signal", "KILL", { signal: "KILL" }, { kind: "signal", signal: "kill" }],
  ["contains", "a*", { text: "a*" }, { kind: "output_contains", pattern: "a*" }],
  ["match", "a*b", { text: "a*b" }, { kind: "output_matches", pattern: "a*b" }],
  ["quiet", "5000", { ms: "5000" }, { kind: "output_quiet", duration_ms: 5_000 }],
  ["screen", "$ ", { text: "$ " }, { kind: "screen_matches", pattern: "$ " }],
  [
    "tcp",
    "localhost:80",
    { address: "localhost:80" },
    { kind: "tcp_ready", host: "localhost", port: 80 },
  ],
  ["http", "http://a/b", { url: "http://a/b" }, { kind: "http_ready", pattern: "http://a/b" }],
  ["exists", "a/b", { path: "a/b" }, { kind: "path_exists", path: "a/b" }],
  ["changed", "a/b", { path: "a/b" }, { kind: "path_changed", path: "a/b" }],
  [
    "size",
    undefined,
    { path: "a", bytes: "7" },
    { kind: "path_size", path: "a", minimum_bytes: 7 },
  ],
  [
    "command",
    "test -s log",
    { command: "test -s log" },
    { kind: "custom_probe", command: "test -s log", cwd: "." },
  ],
];

const LOOKED_AT = ["tcp", "http", "exists", "changed", "size", "command"];

describe("a monitor's condition", () => {
  test("can be each of those of the dialect", () => {
    const kinds = Conditions.anyOf.map(({ properties }) => properties.kind.const);
    expect(CONDITIONS.map(([, , , { kind }]) => kind)).toEqual(kinds);
  });

  test.each(CONDITIONS)(
    "%s is stated by its options, by a value, and by the dialect's word",
    (...row) => {
      const [on, value, options, condition] = row;
      const isLookedAt = LOOKED_AT.includes(on);
      const meant = {
        condition,
        notify: { kind: "on_match" },
        lifetime: { kind: "until_match" },
        ...(isLookedAt ? { check_interval_ms: 1_000 } : {}),
      };
      expect(definitionOf(undefined, { on, ...options })).toEqual(meant);
      expect(definitionOf(undefined, { on: condition.kind, ...options })).toEqual(meant);
      if (value !== undefined) expect(definitionOf(value, { on })).toEqual(meant);
      const often = { on, ...options, every: "20" };
      if (isLookedAt)
        expect(definitionOf(undefined, often)).toMatchObject({ check_interval_ms: 20 });
      else expect(() => definitionOf(undefined, often)).toThrow("--every is for what has to be");
    },
  );

  test("may have the address of a host in brackets, a value beside an option, a folder for a command", () => {
    expect(definitionOf("[::1]:8080", { on: "tcp" }).condition).toEqual({
      kind: "tcp_ready",
      host: "::1",
      port: 8_080,
    });
    const size = definitionOf("log", { on: "size", bytes: "1" });
    expect(size.condition).toMatchObject({ path: "log", minimum_bytes: 1 });
    const command = definitionOf("make", { on: "command", cwd: "build" });
    expect(command.condition).toMatchObject({ cwd: "build" });
  });
});

describe("what a monitor tells of, and how long it lives", () => {
  test.each([
    [{}, { kind: "on_match" }, { kind: "until_match" }],
    [{ until: "end" }, { kind: "on_match" }, { kind: "until_session_end" }],
    [{ notify: "match", for: "9" }, { kind: "on_match" }, { kind: "duration", duration_ms: 9 }],
    [{ notify: "change" }, { kind: "on_state_change" }, { kind: "until_session_end" }],
    [{ notify: "change", until: "match" }, { kind: "on_state_change" }, { kind: "until_match" }],
    [{ notify: "exit" }, { kind: "on_exit" }, { kind: "until_session_end" }],
    [{ notify: "check" }, { kind: "every_check" }, { kind: "until_session_end" }],
    [
      { notify: "check", checks: "5" },
      { kind: "every_n_checks", count: 5 },
      { kind: "until_session_end" },
    ],
    [
      { notify: "interval", interval: "60000" },
      { kind: "interval", interval_ms: 60_000 },
      { kind: "until_session_end" },
    ],
  ])("is as %j states it", (options, notify, lifetime) => {
    const definition = definitionOf(undefined, { on: "exit", ...options });
    expect([definition.notify, definition.lifetime]).toEqual([notify, lifetime]);
  });
});

test.each<readonly [value: string | undefined, options: Options, says: string]>([
  [undefined, {}, "--on <condition> is needed, such as --on match --text ERROR"],
  [undefined, { on: "bell" }, "--on must be one of exit, code, signal, contains, match, quiet"],
  [undefined, { on: "quiet" }, "--on quiet needs --ms <milliseconds>, such as --ms 5000"],
  [undefined, { on: "match", text: "" }, "--on match needs --text <text>"],
  ["a", { on: "size" }, "--on size needs --bytes <number>"],
  ["a", { on: "exit" }, '--on exit takes nothing more, got "a"'],
  ["a", { on: "match", text: "b" }, '--on match has --text already, got "a" beside it'],
  [undefined, { on: "match", ms: "1" }, "--ms is for --on quiet, not for match"],
  [
    undefined,
    { on: "quiet", path: "x" },
    "--path is for --on exists, changed, size, not for quiet",
  ],
  ["soon", { on: "quiet" }, '--ms must be an integer of at least 1, got "soon"'],
  ["80", { on: "tcp" }, '--address must be a host and a port such as localhost:8080, got "80"'],
  ["a:0", { on: "tcp" }, "--address must be a host and a port"],
  ["https://a/", { on: "http" }, '--url must be a URL that begins with http://, got "https'],
  ["STOP", { on: "signal" }, "--signal must be one of hangup, interrupt, quit, terminate, kill"],
  ["-1", { on: "code" }, '--code must be an integer of at least 0, got "-1"'],
  ["a", { on: "exists", every: "5" }, '--every must be an integer of at least 10, got "5"'],
  [undefined, { on: "exit", notify: "mail" }, "--notify must be one of match, change, exit, check"],
  [undefined, { on: "exit", checks: "2" }, "--checks is for --notify check, not for match"],
  [undefined, { on: "exit", interval: "20" }, "--interval is for --notify interval, not for match"],
  [undefined, { on: "exit", notify: "interval" }, "--notify interval needs --interval"],
  [undefined, { on: "exit", until: "soon" }, '--until must be match or end, got "soon"'],
  [undefined, { on: "exit", until: "end", for: "5" }, "of --until and --for only one"],
  [undefined, { on: "exit", for: "0" }, '--for must be an integer of at least 1, got "0"'],
])("%s with %j is refused in words that name the option", (value, options, says) => {
  expect(() => definitionOf(value, options)).toThrow(says);
});
