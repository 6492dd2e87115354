import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ask } from "../../../../src/inventory/tmux/ask.ts";
import {
  LISTING_COMMAND,
  type Listing,
  parseListing,
} from "../../../../src/inventory/tmux/listing.ts";
import { startServer } from "./support.ts";

const parse = (text: string) => parseListing(Buffer.from(text, "latin1"));

/** What a listing holds, which the test knows to be one. */
function listed(text: string): Listing {
  const listing = parse(text);
  if (listing === undefined) throw new Error("not a listing");
  return listing;
}

/** The fields of a line in the order in which they are asked for, with values of a plain pane. */
const PLAIN = {
  pane_id: "%0",
  pane_pid: "100",
  pane_tty: "/dev/pts/1",
  pane_dead: "0",
  pane_dead_status: "",
  pane_dead_signal: "",
  pane_width: "80",
  pane_height: "24",
  session_id: "$0",
  session_attached: "0",
  window_index: "0",
  window_active: "1",
  window_bell_flag: "0",
  window_activity: "1700000000",
  pane_index: "0",
  pid: "50",
  start_time: "1690000000",
};

const line = (fields: Partial<typeof PLAIN> = {}) =>
  `${Object.values({ ...PLAIN, ...fields }).join(":")}\n`;

test("the fields are asked for in the order in which the tests print them", () => {
  const fields = Object.keys(PLAIN).map((field) => `#{${field}}`);
  expect(LISTING_COMMAND).toEqual(["list-panes", "-a", "-F", fields.join(":")]);
});

describe("a listing", () => {
  test("gives every pane and who the server is", () => {
    expect(listed(line())).toEqual({
      panes: [
        {
          number: 0,
          pid: 100,
          tty: "/dev/pts/1",
          dead: false,
          exitCode: undefined,
          exitSignal: undefined,
          cols: 80,
          rows: 24,
          sessionId: "0",
          windowIndex: 0,
          paneIndex: 0,
          viewers: 0,
          bell: false,
          activityAt: 1_700_000_000_000,
        },
      ],
      server: { pid: 50, startTime: 1_690_000_000 },
    });
  });

  test("without a pane says nothing of the server", () => {
    expect(listed("")).toEqual({ panes: [], server: undefined });
  });

  test("gives a pane once, however many windows and groups of sessions it is linked into", () => {
    // As 3.3a prints it: a group of two sessions, and a window linked into a third.
    const { panes } = listed(
      `%0:26772:/dev/pts/0:0:::80:6:$0:0:0:1:0:1796067824:0:26771:1796067824
%2:26780:/dev/pts/1:1::9:80:5:$0:0:0:1:0:1796067824:1:26771:1796067824
%1:26776:/dev/pts/1:1:3::80:11:$0:0:0:1:0:1796067824:2:26771:1796067824
%0:26772:/dev/pts/0:0:::80:6:$1:0:0:1:0:1796067824:0:26771:1796067824
%2:26780:/dev/pts/1:1::9:80:5:$1:0:0:1:0:1796067824:1:26771:1796067824
%1:26776:/dev/pts/1:1:3::80:11:$1:0:0:1:0:1796067824:2:26771:1796067824
%4:26788:/dev/pts/1:0:::80:24:$2:0:0:0:0:1796067824:0:26771:1796067824
%0:26772:/dev/pts/0:0:::80:6:$2:0:7:1:0:1796067824:0:26771:1796067824
`,
    );
    expect(panes.map(({ number }) => number)).toEqual([0, 2, 1, 4]);
    expect(panes.map(({ exitCode, exitSignal }) => [exitCode, exitSignal])).toEqual([
      [undefined, undefined],
      [undefined, "SIGKILL"],
      [3, undefined],
      [undefined, undefined],
    ]);
  });

  test("knows a pane by a session that somebody is attached to, else by the oldest", () => {
    const links = (attached: readonly string[]) =>
      attached.map((session_attached, session) =>
        line({ session_id: `$${10 - session}`, session_attached, window_index: `${session}` }),
      );
    const known = (attached: readonly string[]) => {
      const [pane] = listed(links(attached).join("")).panes;
      return [pane?.sessionId, pane?.windowIndex];
    };
    expect(known(["0", "0", "0"])).toEqual(["8", 2]);
    expect(known(["0", "2", "0"])).toEqual(["9", 1]);
    expect(known(["1", "2", "0"])).toEqual(["9", 1]);
    // An unknown number of clients is no client.
    expect(known(["", "0", "0"])).toEqual(["8", 2]);
    expect(known(["0", "0", ""])).toEqual(["8", 2]);
  });

  test("counts as viewers the clients of sessions whose current window shows the pane", () => {
    const shown = line({ session_id: "$0", session_attached: "2" });
    const elsewhere = line({ session_id: "$1", session_attached: "3", window_active: "0" });
    const alsoShown = line({ session_id: "$2", session_attached: "1" });
    expect(listed(shown + elsewhere + alsoShown).panes[0]?.viewers).toBe(3);
  });

  test("has a bell and the latest activity from any window that shows the pane", () => {
    const [pane] = listed(
      line({ window_activity: "1700000005" }) +
        line({ session_id: "$1", window_bell_flag: "1", window_activity: "1700000000" }),
    ).panes;
    expect(pane).toMatchObject({ bell: true, activityAt: 1_700_000_005_000 });
  });
});

describe("a dead pane", () => {
  const dead = (fields: Partial<typeof PLAIN>) =>
    listed(line({ pane_dead: "1", ...fields })).panes[0];

  test("states neither the process nor the device that others may have by now", () => {
    expect(dead({})).toMatchObject({ dead: true, pid: undefined, tty: undefined });
  });

  test.each([
    ["0", "", 0, undefined],
    ["3", "", 3, undefined],
    ["", "", undefined, undefined],
    ["", "9", undefined, "SIGKILL"],
    ["", "15", undefined, "SIGTERM"],
    ["", "KILL", undefined, "SIGKILL"],
    ["", "term", undefined, "SIGTERM"],
    ["", "SIGHUP", undefined, "SIGHUP"],
    ["", "40", undefined, "SIG40"],
    ["1", "0", 1, undefined],
  ])("with status %j and signal %j ended with %j, %j", (status, signal, exitCode, exitSignal) => {
    expect(dead({ pane_dead_status: status, pane_dead_signal: signal })).toMatchObject({
      exitCode,
      exitSignal,
    });
  });

  test("is the only one that has ended somehow", () => {
    const [pane] = listed(line({ pane_dead_status: "1", pane_dead_signal: "9" })).panes;
    expect(pane).toMatchObject({ exitCode: undefined, exitSignal: undefined });
  });
});

describe("fields", () => {
  test("that a version does not know are not known", () => {
    const [pane] = listed(
      line({
        pane_pid: "",
        pane_tty: "",
        pane_dead: "",
        pane_width: "",
        pane_height: "",
        session_attached: "",
        window_active: "",
        window_bell_flag: "",
        window_activity: "",
      }),
    ).panes;
    expect(pane).toMatchObject({
      pid: undefined,
      tty: undefined,
      dead: false,
      cols: undefined,
      rows: undefined,
      viewers: 0,
      bell: false,
      activityAt: undefined,
    });
  });

  test("that are no use are not known", () => {
    const [pane] = listed(
      line({ pane_pid: "0", pane_tty: "?", pane_width: "0", pane_height: "9".repeat(40) }),
    ).panes;
    expect(pane).toMatchObject({
      pid: undefined,
      tty: undefined,
      cols: undefined,
      rows: undefined,
    });
  });
});

describe("an answer that is no listing", () => {
  test.each([
    [
      "default output, as some versions give for a field they do not know",
      "0:0.0: [80x24] [history 0/2000, 0 bytes] %0 (active)\n",
    ],
    ["half a line", line() + line({ pane_id: "%1" }).slice(0, 30)],
    ["a line that was cut in its last number", line() + line({ pane_id: "%1" }).slice(0, -4)],
    ["a last line without its end", line().trimEnd()],
    ["lines that end as on Windows", line().replace("\n", "\r\n")],
    ["an empty line in between", `${line()}\n${line()}`],
    ["only an empty line", "\n"],
    ["a title in a field", line({ pane_tty: "/dev/pts/1:x" })],
    [
      "one field less",
      line()
        .replace(/^[^:]*:/, "%0:")
        .replace(":80", ""),
    ],
    ["ids without their sign", line({ pane_id: "0" })],
    ["no server", line({ pid: "", start_time: "" })],
    ["a number that no pane has", line({ pane_id: `%${"9".repeat(30)}` })],
    ["replaced separators, as without UTF-8", line().replaceAll(":", "_")],
    ["bytes that are no text", "\u00ff\u0000\n"],
  ])("is not read as one: %s", (_, text) => {
    expect(parse(text)).toBeUndefined();
  });

  test("spoils the whole of it, since nothing can be said of what is missing", () => {
    expect(parse(`${line()}usage: list-panes\n${line({ pane_id: "%1" })}`)).toBeUndefined();
  });

  test("never throws, whatever it is", () => {
    const piece = fc.oneof(
      fc.constantFrom(line(), line({ pane_id: "%7" }), "%", "$", ":", "\n", "\r", "1", "[80x24]"),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const listing = parseListing(Buffer.from(pieces.join("")));
        if (listing !== undefined) expect(JSON.stringify(listing)).not.toContain("null");
      }),
      { numRuns: 2_000 },
    );
  });
});

test("every pane that is printed comes back exactly once, as itself", () => {
  const pane = fc.record({
    number: fc.nat({ max: 4_294_967_295 }),
    pid: fc.integer({ min: 1, max: 4_194_304 }),
    tty: fc.nat({ max: 4_096 }).map((number) => `/dev/pts/${number}`),
    cols: fc.integer({ min: 1, max: 10_000 }),
    dead: fc.boolean(),
    links: fc.integer({ min: 1, max: 4 }),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(pane, { selector: ({ number }) => number, maxLength: 30 }),
      fc.infiniteStream(fc.nat()),
      (panes, order) => {
        const lines = panes
          .flatMap(({ number, pid, tty, cols, dead, links }) =>
            Array.from({ length: links }, (_, session_id) => ({
              at: order.next().value ?? 0,
              text: line({
                pane_id: `%${number}`,
                pane_pid: `${pid}`,
                pane_tty: tty,
                pane_width: `${cols}`,
                pane_dead: dead ? "1" : "0",
                session_id: `$${session_id}`,
              }),
            })),
          )
          .sort((a, b) => a.at - b.at);
        const listing = listed(lines.map(({ text }) => text).join(""));
        const found = listing.panes.map(({ number, pid, tty, cols, dead }) => ({
          number,
          pid,
          tty,
          cols,
          dead,
        }));
        const byNumber = (a: { number: number }, b: { number: number }) => a.number - b.number;
        expect(found.sort(byNumber)).toEqual(
          panes
            .map(({ number, pid, tty, cols, dead }) => ({
              number,
              pid: dead ? undefined : pid,
              tty: dead ? undefined : tty,
              cols,
              dead,
            }))
            .sort(byNumber),
        );
      },
    ),
    { numRuns: 300 },
  );
});

test("the listing of a real server is read, links and names that break lines included", async () => {
  const { socket, pid, command } = await startServer();
  await command("rename-session", "-t", "0", "a");
  await command("new-window", "-d", "-n", "two\nlines:\t%9", "cat");
  await command("new-session", "-d", "-t", "a");
  await command("new-session", "-d", "-s", "c", "cat");
  await command("link-window", "-s", "a:0", "-t", "c:7");
  const answer = await ask(
    { program: "tmux", socket },
    LISTING_COMMAND,
    new AbortController().signal,
  );
  const listing = parseListing(answer.stdout);
  expect(listing?.panes).toHaveLength(3);
  expect(listing?.server?.pid).toBe(pid);
  for (const { tty, cols, rows } of listing?.panes ?? []) {
    expect([tty, cols, rows]).toEqual([expect.stringMatching(/^\/dev\/pts\/\d+$/), 80, 24]);
  }
});
