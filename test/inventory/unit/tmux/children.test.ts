import { describe, expect, test } from "vitest";
import { paneOf, panesOfServer } from "../../../../src/inventory/tmux/children.ts";
import type { ProcessInfo } from "../../../../src/processes/types.ts";
import { FakeTable, processInfo } from "../../../lib/fake-table.ts";

const SERVER = 5;

/** A child of the server with that environment. */
function child(
  table: FakeTable,
  pid: number,
  environment: Record<string, string> | undefined,
  fields: Partial<ProcessInfo> = {},
): ProcessInfo {
  const info = processInfo(pid, { parent: SERVER, ...fields });
  return table.set(info, environment === undefined ? {} : { environment });
}

const names = (pane: string, tmux = `/tmp/tmux-0/default,${SERVER},0`) => ({
  TMUX: tmux,
  TMUX_PANE: pane,
});

describe("a process", () => {
  const numberOf = (
    environment: Record<string, string> | undefined,
    fields?: Partial<ProcessInfo>,
  ) => {
    const table = new FakeTable();
    return paneOf(child(table, 10, environment, fields), table)?.number;
  };

  test("names the pane that its server gave it", () => {
    expect(numberOf(names("%3"))).toBe(3);
    expect(numberOf(names("%0", `/a,b,1,2,${SERVER},17`))).toBe(0);
    expect(numberOf(names("%0", `/a,${SERVER},`))).toBe(0);
  });

  test.each<[string, Record<string, string> | undefined, Partial<ProcessInfo>?]>([
    ["its environment cannot be read", undefined],
    ["it has not been through exec, so its environment is the server's", { PATH: "/bin" }],
    [
      "its server was started in a pane of another and it has not been through exec",
      names("%3", "/other,4,0"),
    ],
    ["it is in a pane of a tmux that runs in a pane", names("%3"), { parent: 9 }],
    ["its parent is another", names("%3"), { parent: 1 }],
    ["it leads no session", names("%3"), { session: 9 }],
    ["it has no terminal", names("%3"), { tty: undefined }],
    ["there is no pane in its environment", { TMUX: names("%3").TMUX }],
    ["there is no server in its environment", { TMUX_PANE: "%3" }],
    ["the number is none", names("%x")],
    ["the number is one that no pane has", names(`%${"9".repeat(30)}`)],
    ["the number is without its sign", names("3")],
    ["there is more than a number", names("%3 ")],
    ["the server's number is a part of another", names("%3", `/a,1${SERVER},0`)],
  ])("names none where %s", (_, environment, fields) => {
    expect(numberOf(environment, fields)).toBeUndefined();
  });
});

describe("the panes of a server that cannot be asked", () => {
  const panes = (table: FakeTable) =>
    panesOfServer(SERVER, table.snapshot(), table)
      .map(({ number, process }) => [number, process.pid])
      .sort();

  test("are those that its own children name", () => {
    const table = new FakeTable();
    child(table, 10, names("%0"));
    child(table, 11, names("%4"), { tty: "/dev/pts/2" });
    child(table, 12, names("%5"), { parent: 10 });
    child(table, 13, undefined);
    expect(panes(table)).toEqual([
      [0, 10],
      [4, 11],
    ]);
  });

  test("count once where a popup inherits somebody's variables, as the older one's", () => {
    const table = new FakeTable();
    child(table, 20, names("%0"), { startTick: "1000" });
    child(table, 10, names("%0"), { startTick: "999" });
    child(table, 30, names("%0"), { startTick: "10000000000000000000" });
    expect(panes(table)).toEqual([[0, 10]]);
  });
});
