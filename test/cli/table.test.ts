import fc from "fast-check";
import { createColors } from "picocolors";
import { expect, test } from "vitest";
import type { Listing } from "../../src/cli/listing.ts";
import { listingLines } from "../../src/cli/listing-lines.ts";
import { cells } from "../../src/cli/text.ts";
import type { TerminalInfo } from "../../src/contract/terminals.ts";

const NOW = 1_800_000_000_000;
const INSTANCE = "0".repeat(32);
const row = (fields: Partial<TerminalInfo> = {}): TerminalInfo => ({
  instance: INSTANCE,
  id: "tmux:default@812.1770000000/3",
  state: "running",
  command: ["vim", "a file"],
  cwd: "/home/ann/src",
  pid: 4711,
  started_at: NOW - 61_000,
  name: "work:0.0",
  ...fields,
});

/** Of a publisher that has read its agents. */
const NOTHING: Listing = {
  terminals: [],
  agents: [],
  sources: [],
  agentSources: [],
  agentsPolledAt: NOW,
};

function lines(listing: Partial<Listing>, width?: number): string[] {
  const options = { now: NOW, home: "/home/ann", width, colors: createColors(false) };
  return listingLines({ ...NOTHING, ...listing }, options);
}

test("a terminal is one line of what a person tells it by", () => {
  expect(lines({ terminals: [row()] })).toEqual([
    "unattached (1)",
    "TERMINAL        NAME      STATE    COMMAND       CWD    PID   SINCE",
    "tmux:default/3  work:0.0  running  vim 'a file'  ~/src  4711  1m",
  ]);
});

test("terminals are in the order that people count in, and two never share a name", () => {
  const terminals = [
    row({ id: "tmux:default@812.1770000000/10", name: "work:10.0" }),
    row({ id: "tmux:default@900.1780000000/3", name: "work:2.1" }),
    row({ id: "tmux:default@812.1770000000/3", name: "work:2.0" }),
  ];
  expect(lines({ terminals }).map((line) => line.split(/\s+/)[0])).toEqual([
    "unattached",
    "TERMINAL",
    "tmux:default@812.1770000000/3",
    "tmux:default@900.1780000000/3",
    "tmux:default/10",
  ]);
});

test("how a terminal ended and that it rings stand with its state", () => {
  const dead = { state: "dead", command: [] };
  const terminals = [
    row({ ...dead, name: "a", exit_code: 3 }),
    row({ ...dead, name: "b", id: "tmux:x/1", exit_signal: "SIGKILL" }),
    row({ name: "c", id: "tmux:x/2", bell: true }),
  ];
  const text = lines({ terminals }).join("\n");
  for (const state of ["dead (3)", "dead (SIGKILL)", "running, bell"])
    expect(text).toContain(state);
});

test("strangers' text cannot leave its line, and no line is wider than the terminal", () => {
  const strange = fc.string({ unit: "binary", maxLength: 60 });
  const odd = fc.record({
    id: fc.integer().map((number) => `tmux:x/${number}`),
    state: strange,
    command: fc.array(strange, { maxLength: 4 }),
    cwd: strange,
    name: strange,
    title: strange,
  });
  fc.assert(
    fc.property(
      fc.array(odd, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 200 }),
      (rows, width) => {
        const terminals = rows.map(row);
        const shown = lines({ terminals }, width);
        expect(shown).toHaveLength(2 + rows.length);
        for (const line of shown) {
          expect(line).not.toMatch(/\p{Cc}/u);
          expect(cells(line)).toBeLessThanOrEqual(width);
        }
      },
    ),
  );
});

test("an id is decoded for people, but for what no id has to encode and what could leave its line", () => {
  const ids = ["tmux:%2Ftmp%2Fx@812.1770000000/1", "hyoui:%31", "tmux:a%1B%5B2J/2", "tmux:%FF/3"];
  const shown = lines({ terminals: ids.map((id) => row({ id })) }).slice(2);
  expect(shown.map((line) => line.split(/\s+/)[0]).sort()).toEqual(
    ["tmux:/tmp/x/1", "hyoui:%31", "tmux:a%1B%5B2J/2", "tmux:%FF/3"].sort(),
  );
});

test("on a narrow terminal an id is cut, its pane's number last, and left out before anything else", () => {
  const terminals = [
    row({ id: "tmux:%2Fhome%2Fann%2Fsockets%2Fa/3", cwd: "/home/ann/src/atlas/deep/down" }),
  ];
  expect(lines({ terminals }, 70)[2]).toMatch(/^…\S+a\/3 /);
  const narrow = lines({ terminals }, 40);
  expect(narrow[1]).toMatch(/^NAME +STATE +COMMAND +CWD$/);
  expect(lines({ terminals }, 24)).toEqual([
    "unattached (1)",
    "STATE    COMMAND",
    "running  vim 'a file'",
  ]);
});

test("where terminals have no names their ids are left out after all but state and command", () => {
  const { name: _, ...unnamed } = row();
  expect(lines({ terminals: [unnamed as TerminalInfo] }, 36)[1]).toMatch(
    /^TERMINAL +STATE +COMMAND$/,
  );
});

test("sources that are not well stand below the table", () => {
  const since_at = NOW - 5_000;
  const sources: Listing["sources"] = [
    { scheme: "tmux", name: "/tmp/a", status: "ok", since_at },
    {
      scheme: "tmux",
      name: "/tmp/b",
      status: "failing",
      since_at,
      error: { code: "timeout", msg: "no answer\x1b[m" },
    },
    { scheme: "screen", status: "absent", since_at },
    { scheme: "zellij", status: "starting", since_at },
    { scheme: "pty", status: "ok", since_at, error: { code: "polling", msg: "no watch" } },
  ];
  expect(lines({ terminals: [row()], sources }).slice(3)).toEqual([
    "",
    "tmux /tmp/b could not be read for the last 5s, its terminals may be out of date: no answer [m",
    "zellij has not been read yet",
    "pty is limited: no watch",
  ]);
});

test("where only some sockets were looked at, that there is no server is said of those", () => {
  const options = { now: NOW, home: "/", width: undefined, colors: createColors(false) };
  const sources: Listing["sources"] = [{ scheme: "tmux", status: "absent", since_at: NOW }];
  const looked = { ...options, isPart: true, tmuxSockets: ["/tmp/mistyped", "/tmp/odd\x1b"] };
  expect(listingLines({ ...NOTHING, sources }, looked)).toEqual([
    "There are no terminals there.",
    "no tmux server was found at /tmp/mistyped, /tmp/odd ",
  ]);
});

test("no terminals is said in plain words, and whether that is sure", () => {
  const since_at = NOW;
  expect(lines({ sources: [{ scheme: "tmux", status: "absent", since_at }] })).toEqual([
    "There are no terminals.",
    "tmux is not running",
  ]);
  expect(lines({ sources: [{ scheme: "tmux", status: "failing", since_at }] })).toEqual([
    "No terminals are known.",
    "tmux could not be read just now, its terminals may be out of date",
  ]);
});
