import { describe, expect, test } from "vitest";
import { isValid, TerminalId } from "../../../../src/index.ts";
import type { NamedPane } from "../../../../src/inventory/tmux/children.ts";
import type { Listing, Pane } from "../../../../src/inventory/tmux/listing.ts";
import { Panes } from "../../../../src/inventory/tmux/panes.ts";
import { processInfo } from "../../../lib/fake-table.ts";

const SERVER = { pid: 5, startTime: 1_700_000_000 };

const pane = (number: number, fields: Partial<Pane> = {}): Pane => ({
  number,
  pid: 100 + number,
  endedPid: undefined,
  tty: `/dev/pts/${number}`,
  dead: false,
  exitCode: undefined,
  exitSignal: undefined,
  cols: 80,
  rows: 24,
  sessionId: "0",
  windowIndex: 1,
  paneIndex: 2,
  viewers: 0,
  bell: false,
  activityAt: undefined,
  ...fields,
});

const listing = (...panes: Pane[]): Listing => ({ panes, server: SERVER });
const EMPTY: Listing = { panes: [], server: undefined };

const named = (number: number): NamedPane => ({
  number,
  process: processInfo(100 + number, { tty: `/dev/pts/${number}` }),
});

function server() {
  const panes = new Panes("default", () => ({ pid: 5, startTime: 1_699_999_999 }));
  return {
    panes,
    numbers: () => panes.terminals().map(({ id }) => Number(id.split("/")[1])),
  };
}

describe("a listed pane", () => {
  test("is stated under an id that no other server's pane ever has", () => {
    const { panes } = server();
    panes.list(listing(pane(3)), 0);
    const [terminal] = panes.terminals();
    expect(terminal).toEqual({
      id: "tmux:default@5.1700000000/3",
      state: "running",
      rootPid: 103,
      tty: "/dev/pts/3",
      cols: 80,
      rows: 24,
      viewers: 0,
      bell: false,
    });
    expect(isValid(TerminalId, terminal?.id)).toBe(true);
  });

  test("is named by session, window and pane once the session's name is known, and has its title", () => {
    const { panes } = server();
    panes.list(listing(pane(3)), 0);
    expect(panes.hasUnnamed).toBe(true);
    panes.names = { sessions: new Map([["0", "main"]]), titles: new Map([[3, "vim"]]) };
    expect(panes.hasUnnamed).toBe(false);
    expect(panes.terminals()[0]).toMatchObject({ name: "main:1.2", title: "vim" });
  });

  test("that is dead states its end, and neither process nor device", () => {
    const { panes } = server();
    panes.list(listing(pane(3, { dead: true, pid: undefined, tty: undefined, exitCode: 0 })), 0);
    const [terminal] = panes.terminals();
    expect(terminal).toMatchObject({ state: "dead", exitCode: 0 });
    expect(terminal).not.toHaveProperty("rootPid");
    expect(terminal).not.toHaveProperty("tty");
  });

  test("that is dead without a word of its end is ending, until that word comes", () => {
    const { panes } = server();
    const dead = { dead: true, pid: undefined, endedPid: 103, tty: undefined };
    panes.list(listing(pane(3)), 0);
    panes.list(listing(pane(3, dead)), 100);
    expect(panes.isAnyEnding).toBe(true);
    expect(panes.terminals()[0]).toMatchObject({ state: "running", endedPid: 103 });
    panes.list(listing(pane(3, { ...dead, exitSignal: "SIGKILL" })), 150);
    expect(panes.isAnyEnding).toBe(false);
    expect(panes.terminals()[0]).toMatchObject({ state: "dead", exitSignal: "SIGKILL" });
  });

  test("that stays without a word of its end is dead after two seconds", () => {
    const { panes } = server();
    const dead = { dead: true, pid: undefined, tty: undefined };
    panes.list(listing(pane(3)), 0);
    for (const askedAt of [100, 600, 2_099]) {
      panes.list(listing(pane(3, dead)), askedAt);
      expect(panes.terminals()[0]).toMatchObject({ state: "running" });
    }
    panes.list(listing(pane(3, dead)), 2_100);
    expect(panes.isAnyEnding).toBe(false);
    expect(panes.terminals()[0]).toMatchObject({ state: "dead" });
  });

  test("that was dead before anybody looked is dead at once, though nothing is said of its end", () => {
    const { panes } = server();
    const dead = { dead: true, pid: undefined, tty: undefined };
    for (const askedAt of [0, 100]) {
      panes.list(listing(pane(3, dead)), askedAt);
      expect(panes.isAnyEnding).toBe(false);
      expect(panes.terminals()[0]).toMatchObject({ state: "dead" });
    }
  });

  test("that came and ended between two listings is ending", () => {
    const { panes } = server();
    panes.list(listing(pane(3)), 0);
    panes.list(listing(pane(3), pane(4, { dead: true, pid: undefined, tty: undefined })), 100);
    expect(panes.terminals()[1]).toMatchObject({ state: "running" });
  });

  test("has no title where it has only the one that every pane is given", () => {
    const { panes } = server();
    panes.list(listing(pane(3)), 0);
    panes.names = { sessions: new Map(), titles: new Map([[3, undefined]]) };
    expect(panes.hasUnnamed).toBe(false);
    expect(panes.terminals()[0]).not.toHaveProperty("title");
  });

  test("owns its device", () => {
    const { panes } = server();
    panes.list(listing(pane(3), pane(4, { tty: undefined })), 0);
    expect([panes.owns("/dev/pts/3"), panes.owns("/dev/pts/4")]).toEqual([true, false]);
    panes.list(EMPTY, 1);
    expect(panes.owns("/dev/pts/3")).toBe(false);
  });
});

describe("a pane that its process names", () => {
  test("is stated before the server lists it, under the id that it will have", () => {
    const { panes } = server();
    panes.list(listing(pane(3)), 0);
    expect(panes.propose(named(4), 10)).toBe(true);
    expect(panes.terminals()[1]).toEqual({
      id: "tmux:default@5.1700000000/4",
      state: "running",
      rootPid: 104,
      tty: "/dev/pts/4",
    });
  });

  test("is taken only above every number that the server has shown, closed ones included", () => {
    const { panes, numbers } = server();
    panes.list(listing(pane(3), pane(7)), 0);
    panes.list(listing(pane(3)), 1);
    for (const number of [0, 3, 5, 7]) expect(panes.propose(named(number), 10)).toBe(false);
    expect(panes.propose(named(8), 10)).toBe(true);
    expect(numbers()).toEqual([3, 8]);
  });

  test("is no news a second time", () => {
    const { panes, numbers } = server();
    panes.list(listing(pane(3)), 0);
    expect([panes.propose(named(4), 10), panes.propose(named(4), 11)]).toEqual([true, false]);
    expect(numbers()).toEqual([3, 4]);
  });

  test("may be one of several, found in any order", () => {
    const { panes, numbers } = server();
    panes.list(listing(pane(3)), 0);
    expect([5, 4].map((number) => panes.propose(named(number), 10))).toEqual([true, true]);
    expect(numbers().sort()).toEqual([3, 4, 5]);
  });

  test("is not taken before the server has said who it is", () => {
    const { panes } = server();
    expect(panes.propose(named(0), 10)).toBe(false);
    panes.list(EMPTY, 11);
    expect(panes.propose(named(0), 12)).toBe(false);
  });

  test("is confirmed by a listing asked for later", () => {
    const { panes, numbers } = server();
    panes.list(listing(pane(3)), 0);
    panes.propose(named(4), 10);
    panes.list(listing(pane(3), pane(4)), 11);
    expect(numbers()).toEqual([3, 4]);
    expect(panes.terminals()[1]).toMatchObject({ cols: 80 });
  });

  test("is removed by a listing asked for later that does not show it, and keeps no later one out", () => {
    const { panes, numbers } = server();
    panes.list(listing(pane(3)), 0);
    panes.propose(named(400), 10);
    panes.list(listing(pane(3)), 11);
    expect(numbers()).toEqual([3]);
    expect(panes.propose(named(4), 12)).toBe(true);
  });

  test("outlives a listing that was asked for before, which cannot know of it", () => {
    const { panes, numbers } = server();
    panes.list(listing(pane(3)), 0);
    panes.propose(named(4), 10);
    panes.list(listing(pane(3)), 9);
    expect(numbers()).toEqual([3, 4]);
    panes.list(EMPTY, 11);
    expect(numbers()).toEqual([]);
  });

  test("is stated once though a listing that was asked for before shows it already", () => {
    const { panes, numbers } = server();
    panes.list(listing(pane(3)), 0);
    panes.propose(named(4), 10);
    panes.list(listing(pane(3), pane(4)), 9);
    expect(numbers()).toEqual([3, 4]);
    expect(panes.terminals()[1]).toMatchObject({ cols: 80 });
    panes.list(listing(pane(3)), 12);
    expect(numbers()).toEqual([3]);
  });
});

describe("the panes of a server that does not answer", () => {
  const ids = (panes: Panes, living: number[], ended: boolean) =>
    panes.terminalsWith(living.map(named), { ended }).map(({ id }) => Number(id.split("/")[1]));

  test("are those of the last listing and those that processes name", () => {
    const { panes } = server();
    panes.list(listing(pane(3), pane(4)), 0);
    expect(ids(panes, [4, 9], false)).toEqual([3, 4, 9]);
    expect(panes.terminalsWith([named(4)], { ended: false })[1]).toMatchObject({ cols: 80 });
  });

  test("end with their processes where it will not answer any more", () => {
    const { panes } = server();
    panes.list(listing(pane(3), pane(4)), 0);
    expect(ids(panes, [4, 9], true)).toEqual([4, 9]);
    expect(ids(panes, [], true)).toEqual([]);
  });

  test("stay where they were dead already, since they never needed a process", () => {
    const { panes } = server();
    panes.list(listing(pane(3, { dead: true, pid: undefined, exitCode: 1 }), pane(4)), 0);
    expect(ids(panes, [], true)).toEqual([3]);
  });

  test("are stated under its process and its start where it has never answered", () => {
    const { panes } = server();
    expect(panes.terminalsWith([named(9)], { ended: false })[0]).toMatchObject({
      id: "tmux:default@5.1699999999/9",
      rootPid: 109,
    });
  });

  test("keep the id that it has said itself though it lists nothing any more", () => {
    const { panes } = server();
    panes.list(listing(pane(3)), 0);
    panes.list(EMPTY, 1);
    expect(panes.terminalsWith([named(9)], { ended: false })[0]?.id).toBe(
      "tmux:default@5.1700000000/9",
    );
  });
});
