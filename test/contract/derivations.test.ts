import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AGENTS_FRAME, TERMINALS_FRAME } from "../../src/fixtures.ts";
import {
  type AgentInfo,
  type AgentRow,
  classify,
  HARNESS_COMMANDS,
  starting,
  type TerminalInfo,
  type TerminalRow,
  terminalsOf,
  unattachedTerminals,
} from "../../src/index.ts";

const A = "a".repeat(32);
const B = "b".repeat(32);

interface Terminal extends TerminalRow {
  readonly id: string;
}

const terminal = (id: string, rest: Partial<TerminalRow> = {}): Terminal => ({
  instance: A,
  id,
  ...rest,
});
const run = (pid: number, sid?: string, instance = A): AgentRow => ({
  instance,
  pid,
  ...(sid === undefined ? {} : { sid }),
});

const ids = (rows: readonly Terminal[]) => rows.map(({ id }) => id);

test("the harnesses are those that the original contract names", () => {
  expect(HARNESS_COMMANDS).toEqual(["claude", "codex"]);
});

describe("terminalsOf", () => {
  test("gives the terminals whose process is a run of the session", () => {
    const terminals = [terminal("1", { pid: 10 }), terminal("2", { pid: 20 })];
    expect(ids(terminalsOf("s", [run(20, "s"), run(10, "t")], terminals))).toEqual(["2"]);
  });

  test("gives several where the session runs more than once", () => {
    const terminals = [terminal("1", { pid: 10 }), terminal("2", { pid: 20 })];
    expect(ids(terminalsOf("s", [run(10, "s"), run(20, "s")], terminals))).toEqual(["1", "2"]);
  });

  test("does not take a pid of another host for this one's", () => {
    const terminals = [terminal("1", { pid: 10 }), terminal("2", { pid: 10, instance: B })];
    expect(ids(terminalsOf("s", [run(10, "s", B)], terminals))).toEqual(["2"]);
  });

  test("gives no terminal without a pid, and none for a run without a session", () => {
    expect(terminalsOf("s", [run(10, "s")], [terminal("1")])).toEqual([]);
    expect(terminalsOf("undefined", [run(10)], [terminal("1", { pid: 10 })])).toEqual([]);
  });

  test("reads the rows of frames as they are", () => {
    const agents = AGENTS_FRAME.data.agents as AgentInfo[];
    const terminals = TERMINALS_FRAME.data.terminals as TerminalInfo[];
    const found = terminalsOf(agents[0]?.sid ?? "", agents, terminals);
    expect(found.map(({ id }) => id)).toEqual(["hyoui:%17"]);
    expect(unattachedTerminals(agents, terminals).map(({ id }) => id)).toEqual(["hyoui:%31"]);
    expect(starting(terminals, agents)).toEqual([]);
    expect(starting(terminals, []).map(({ id }) => id)).toEqual(["hyoui:%17"]);
  });
});

describe("unattachedTerminals", () => {
  test("takes the agents first, and gives those that no run is in", () => {
    const terminals = [terminal("1", { pid: 10 }), terminal("2", { pid: 20 })];
    expect(ids(unattachedTerminals([run(10)], terminals))).toEqual(["2"]);
  });

  test("gives those that state no pid: nothing can claim them", () => {
    expect(ids(unattachedTerminals([run(10)], [terminal("1")]))).toEqual(["1"]);
  });

  test("gives the terminal of one host where a run of another has the same pid", () => {
    expect(ids(unattachedTerminals([run(10, "s", B)], [terminal("1", { pid: 10 })]))).toEqual([
      "1",
    ]);
  });
});

describe("starting", () => {
  test.each([
    ["a bare name", ["claude", "-c"], true],
    ["another harness", ["codex"], true],
    ["a path", ["/usr/local/bin/claude"], true],
    ["a relative path", ["./claude"], true],
    ["a shell", ["zsh", "-i"], false],
    ["a harness that is an argument", ["node", "/usr/bin/claude"], false],
    ["a longer name", ["claude-code"], false],
    ["upper case", ["Claude"], false],
    ["a folder of that name", ["claude/"], false],
    ["a name with a line break", ["claude\n"], false],
    ["an empty name", [""], false],
    ["no arguments", [], false],
  ])("takes the terminals first, and reads %s as a harness or not", (_, command, harness) => {
    expect(ids(starting([terminal("1", { pid: 10, command })], []))).toEqual(harness ? ["1"] : []);
  });

  test("gives no terminal whose process is a run already, or that has no process", () => {
    const command = ["claude"];
    const terminals = [terminal("1", { pid: 10, command }), terminal("2", { command })];
    expect(starting(terminals, [run(10)])).toEqual([]);
    expect(ids(starting(terminals, [run(10, "s", B)]))).toEqual(["1"]);
  });

  test("gives no terminal that states no command", () => {
    expect(starting([terminal("1", { pid: 10 })], [])).toEqual([]);
  });
});

const instance = fc.constantFrom(A, B);
const pid = fc.integer({ min: 1, max: 8 });
const sid = fc.constantFrom("s", "t", "u");
const terminals = fc
  .array(
    fc.record(
      {
        instance,
        pid,
        command: fc.constantFrom(["claude"], ["/opt/codex", "-x"], ["zsh"], []),
      },
      { requiredKeys: ["instance"] },
    ),
    { maxLength: 12 },
  )
  .map((rows) => rows.map((row, index) => ({ ...row, id: String(index) })));
const agents = fc.array(fc.record({ instance, pid, sid }, { requiredKeys: ["instance", "pid"] }), {
  maxLength: 12,
});

describe("for any rows", () => {
  test("every starting terminal is an unattached one", () => {
    fc.assert(
      fc.property(terminals, agents, (rows, runs) => {
        const unattached = unattachedTerminals(runs, rows);
        for (const row of starting(rows, runs)) expect(unattached).toContain(row);
      }),
    );
  });

  test("a terminal is unattached or of a run, and never both", () => {
    fc.assert(
      fc.property(terminals, agents, (rows, runs) => {
        const named = runs.map((each) => ({ ...each, sid: "s" }));
        const attached = terminalsOf("s", named, rows);
        const unattached = unattachedTerminals(runs, rows);
        expect(
          rows.filter((each) => attached.includes(each) !== unattached.includes(each)),
        ).toEqual(rows);
      }),
    );
  });

  test("classify puts every terminal into exactly one list, in the order of the rows", () => {
    fc.assert(
      fc.property(terminals, agents, (rows, runs) => {
        const classes = classify(rows, runs);
        const attached = classes.attached.map((each) => each.terminal);
        const lists = [classes.starting, classes.unattached, attached];
        for (const list of lists) {
          expect(list).toEqual(rows.filter((each) => list.includes(each)));
        }
        expect(lists.flat()).toHaveLength(rows.length);
        expect(new Set(lists.flat())).toEqual(new Set(rows));
      }),
    );
  });

  test("classify says what the three derivations say", () => {
    fc.assert(
      fc.property(terminals, agents, (rows, runs) => {
        const classes = classify(rows, runs);
        expect(classes.starting).toEqual(starting(rows, runs));
        const notAttached = unattachedTerminals(runs, rows);
        expect(classes.unattached).toEqual(
          notAttached.filter((each) => !classes.starting.includes(each)),
        );
        for (const session of ["s", "t", "u"]) {
          const here = classes.attached.filter(({ sids }) => sids.includes(session));
          expect(here.map((each) => each.terminal)).toEqual(terminalsOf(session, runs, rows));
        }
        for (const { sids } of classes.attached) expect(new Set(sids).size).toBe(sids.length);
      }),
    );
  });

  test("nothing throws, and no row is made up or changed", () => {
    const odd = fc.array(
      fc.record({
        instance: fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "a/1")),
        pid: fc.double(),
        sid: fc.string(),
        command: fc.array(fc.string()),
      }),
    );
    fc.assert(
      fc.property(odd, odd, fc.string(), (rows, runs, session) => {
        const before = structuredClone({ rows, runs });
        const { attached, ...rest } = classify(rows, runs);
        const told = [
          ...terminalsOf(session, runs, rows),
          ...unattachedTerminals(runs, rows),
          ...starting(rows, runs),
          ...attached.map((each) => each.terminal),
          ...rest.starting,
          ...rest.unattached,
        ];
        for (const each of told) expect(rows).toContain(each);
        expect({ rows, runs }).toEqual(before);
      }),
    );
  });

  test.each([
    ["classify", classify],
    ["starting", starting],
    [
      "unattachedTerminals",
      (rows: TerminalRow[], runs: AgentRow[]) => unattachedTerminals(runs, rows),
    ],
    ["terminalsOf", (rows: TerminalRow[], runs: AgentRow[]) => terminalsOf("s7", runs, rows)],
  ])("%s looks at each row and each run so often, however many there are", (_, derive) => {
    const looksAt = (count: number) => {
      let looks = 0;
      const counted = <Row extends object>(row: Row) =>
        new Proxy(row, {
          get(target, field) {
            looks += 1;
            return Reflect.get(target, field);
          },
        });
      const rows = Array.from({ length: count }, (_, index) =>
        terminal(`${index}`, { pid: index + 1 }),
      );
      const runs = rows.map((_, index) => run(index + 1, `s${index}`));
      derive(rows.map(counted), runs.map(counted));
      return looks;
    };
    expect(looksAt(4_000)).toBeLessThanOrEqual(4 * looksAt(1_000) + 16);
  });
});
