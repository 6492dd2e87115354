import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ask } from "../../../../src/inventory/tmux/ask.ts";
import { areSameNames, namesQuestion } from "../../../../src/inventory/tmux/names.ts";
import { startServer } from "./support.ts";

const MARK = "0f".repeat(16);

/** What tmux prints for a pane. */
const record = (pane: number, session: number, name: string, title: string, mark = MARK) =>
  `${mark}:%${pane}:$${session}:${name}${mark}:${title}\n`;

const parse = (text: string | Buffer, mark = MARK, host = "here.example.org") =>
  namesQuestion(mark, host).parse(Buffer.isBuffer(text) ? text : Buffer.from(text));

describe("the question for names", () => {
  test("has a mark of its own each time, long enough that nobody guesses it", () => {
    const marks = Array.from({ length: 100 }, () => namesQuestion().command.at(-1)?.split(":")[0]);
    expect(new Set(marks).size).toBe(100);
    for (const mark of marks) expect(mark).toMatch(/^[0-9a-f]{32}$/);
  });

  test("asks for each name behind the mark, and for nothing else that a stranger chose", () => {
    expect(namesQuestion(MARK).command).toEqual([
      "list-panes",
      "-a",
      "-F",
      `${MARK}:#{pane_id}:#{session_id}:#{session_name}${MARK}:#{pane_title}`,
    ]);
  });
});

describe("an answer with names", () => {
  test("gives the name of each session and the title of each pane", () => {
    const { sessions, titles } = parse(record(0, 0, "main", "host") + record(7, 2, "other", "vim"));
    expect([...sessions]).toEqual([
      ["0", "main"],
      ["2", "other"],
    ]);
    expect([...titles]).toEqual([
      [0, "host"],
      [7, "vim"],
    ]);
  });

  test.each([
    ["newlines", "a\nb\n"],
    ["tabs and colons", "a\tb:c:"],
    ["nothing", ""],
    ["a whole record with another mark", record(9, 9, "fake", "fake", "1e".repeat(16)).trimEnd()],
    ["a record's beginning", "%9:$9:fake"],
    ["half the mark", `${MARK.slice(1)}:`],
    ["the mark without its colon", `${MARK}%9`],
    ["emoji", "👩‍👩‍👧 é 日本"],
    ["what looks like a format", "#{pid}#(id)"],
  ])("is read whatever stands in them: %s", (_, text) => {
    const { sessions, titles } = parse(record(0, 0, text, text) + record(1, 1, text, text));
    expect([...sessions]).toEqual([
      ["0", text],
      ["1", text],
    ]);
    expect([...titles]).toEqual([
      [0, text],
      [1, text],
    ]);
  });

  test("gives no title where that is the host's name, with its domain or without", () => {
    const titles = ["here.example.org", "here", "here.example", "there", ""];
    const text = titles.map((title, number) => record(number, 0, "main", title)).join("");
    expect([...parse(text).titles.values()]).toEqual([undefined, undefined, ...titles.slice(2)]);
  });

  test("says something else where a pane is new, though it has no title", () => {
    const [one, two] = [record(0, 0, "main", "here"), record(1, 0, "main", "here")];
    expect(areSameNames(parse(one), parse(one))).toBe(true);
    expect(areSameNames(parse(one), parse(two))).toBe(false);
  });

  test("is read where bytes are no UTF-8", () => {
    const [before, after] = record(0, 0, "a|b", "t").split("|");
    const { sessions, titles } = parse(
      Buffer.concat([
        Buffer.from(before ?? ""),
        Buffer.from([0xff, 0xc3]),
        Buffer.from(after ?? ""),
      ]),
    );
    expect([...sessions]).toEqual([["0", "a\ufffd\ufffdb"]]);
    expect([...titles]).toEqual([[0, "t"]]);
  });

  test("that was cut gives what is whole of it", () => {
    const whole = record(0, 0, "main", "host");
    const { sessions, titles } = parse(whole + record(1, 1, "other", "vim").slice(0, 60));
    expect([...titles]).toEqual([[0, "host"]]);
    expect(sessions.get("0")).toBe("main");
    expect(parse("").titles.size).toBe(0);
    expect(parse("no current target\n").titles.size).toBe(0);
  });

  test("comes back as it was printed, whatever the names are", () => {
    const name = fc.string({
      unit: fc.oneof(fc.constantFrom("\n", "\t", ":", "%", "$", MARK.slice(2)), fc.string()),
    });
    const pane = fc.record({ name, title: name });
    fc.assert(
      fc.property(fc.array(pane), (panes) => {
        fc.pre(panes.every(({ name, title }) => !`${name}|${title}`.includes(MARK)));
        const { sessions, titles } = parse(
          panes.map(({ name, title }, index) => record(index, index, name, title)).join(""),
        );
        expect([...sessions]).toEqual(panes.map(({ name }, i) => [`${i}`, name.toWellFormed()]));
        expect([...titles]).toEqual(panes.map(({ title }, i) => [i, title.toWellFormed()]));
      }),
      { numRuns: 500 },
    );
  });

  test("never throws, whatever it is", () => {
    const piece = fc.oneof(fc.constantFrom(MARK, `${MARK}:`, "%1:$1:", "\n"), fc.string());
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        parse(pieces.join(""));
      }),
    );
  });

  test("of a real server gives odd names back, and no title before one was set", async () => {
    const { socket, command } = await startServer();
    const never = new AbortController().signal;
    const before = namesQuestion();
    const untitled = await ask({ program: "tmux", socket }, before.command, never);
    expect([...before.parse(untitled.stdout).titles]).toEqual([[0, undefined]]);
    await command("rename-session", "-t", "0", "né%0 $1");
    await command("select-pane", "-t", "%0", "-T", "títle: a#b 😀");
    const question = namesQuestion();
    const { stdout } = await ask({ program: "tmux", socket }, question.command, never);
    const { sessions, titles } = question.parse(stdout);
    expect([...sessions]).toEqual([["0", "né%0 $1"]]);
    expect([...titles]).toEqual([[0, "títle: a#b 😀"]]);
  });
});
