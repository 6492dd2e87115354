import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ReplyFilter } from "../../../src/host/channel/reply-filter.ts";
import type { Question } from "../../../src/host/vt/queries.ts";

/** A filter, and what it lets pass of texts in which each character is a byte. */
function filtering(...asked: Question[]) {
  const time = { now: 0 };
  const filter = new ReplyFilter(() => time.now);
  for (const question of asked) filter.asked(question);
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
  return {
    filter,
    time,
    take: (typed: string) => text(filter.take(Buffer.from(typed, "latin1"))),
    flush: () => text(filter.flush()),
  };
}

/** Every way to cut a text in two. */
const cutsOf = (text: string) =>
  Array.from({ length: text.length - 1 }, (_, at) => [text.slice(0, at + 1), text.slice(at + 1)]);

const ANSWERS: readonly [string, Question][] = [
  ["\x1b[?62;22c", "other"],
  ["\x1b[?6c", "other"],
  ["\x1b[>1;10;0c", "other"],
  ["\x1b[>41;390;0c", "other"],
  ["\x1bP!|7E565445\x1b\\", "other"],
  ["\x1b[0n", "other"],
  ["\x1b[3n", "other"],
  ["\x1b[?997;1n", "other"],
  ["\x1b[?21n", "other"],
  ["\x1b[12;40R", "cursor"],
  ["\x1b[?1;2R", "cursor"],
  ["\x1b[?12;40;1R", "cursor"],
  ["\x1b[?2026;2$y", "other"],
  ["\x1b[4;1$y", "other"],
  ["\x1b[1t", "other"],
  ["\x1b[3;0;0t", "other"],
  ["\x1b[4;600;800t", "other"],
  ["\x1b[6;20;10t", "other"],
  ["\x1b[8;24;80t", "other"],
  ["\x1b[?0u", "other"],
  ["\x1b[?31u", "other"],
  ["\x1b[>4;2m", "other"],
  ["\x1b[?1;0;256S", "other"],
  ["\x1b[2;1;1;128;128;1;0x", "other"],
  ["\x1b]4;1;rgb:cdcd/0000/0000\x1b\\", "other"],
  ["\x1b]4;1;rgb:cd/00/00;2;rgb:00/cd/00\x07", "other"],
  ["\x1b]10;rgb:ffff/ffff/ffff\x1b\\", "other"],
  ["\x1b]11;rgba:0000/0000/0000/ffff\x07", "other"],
  ["\x1b]12;#ff8800\x07", "other"],
  ["\x1b]21;foreground=rgb:ff/ff/ff\x1b\\", "other"],
  ["\x1b]52;c;c2VjcmV0\x07", "other"],
  ["\x1b]5522;type=read:status=DATA;c2VjcmV0\x1b\\", "other"],
  ["\x1b]99;i=1:p=?;a=report\x1b\\", "other"],
  ["\x1b]5113;ac=status;id=1;st=OK\x1b\\", "other"],
  ["\x1b]1337;ReportVariable=c2VjcmV0\x07", "other"],
  ["\x1bP>|XTerm(390)\x1b\\", "other"],
  ["\x1bP1$r0m\x1b\\", "other"],
  ["\x1bP0$r\x1b\\", "other"],
  ["\x1bP1+r544e=787465726d\x1b\\", "other"],
  ["\x1bP1!~0A1F\x1b\\", "other"],
  ["\x1b_Gi=1;OK\x1b\\", "other"],
];

describe("an answer of the viewer's terminal", () => {
  test.each(ANSWERS)("%j is left out, asked for or not, and what is around it is not", (answer) => {
    expect(filtering().take(`a${answer}b`)).toBe("ab");
    const { take, flush } = filtering();
    expect(take(`${answer}${answer}`) + flush()).toBe("");
  });

  test.each(ANSWERS)("%j is left out wherever it is cut, once it is due", (answer, question) => {
    for (const [first = "", second = ""] of cutsOf(`a${answer}b`)) {
      const { take } = filtering(question);
      expect(take(first) + take(second)).toBe("ab");
    }
    const { take } = filtering(question);
    expect([..."a", ...answer, ..."b"].map(take).join("")).toBe("ab");
  });

  test("that looks as a key is one while it is due, and once for each question", () => {
    const { take } = filtering("cursor");
    expect(take("\x1b[1;2R")).toBe("");
    expect(take("\x1b[1;2R")).toBe("\x1b[1;2R");
    const twice = filtering("cursor", "cursor");
    expect(twice.take("\x1b[1;5R\x1b[1;5R\x1b[1;5R")).toBe("\x1b[1;5R");
    // Another question has another answer.
    expect(filtering("other").take("\x1b[1;2R")).toBe("\x1b[1;2R");
    expect(filtering("title").take("\x1b]lvim\x1b\\")).toBe("");
  });

  test("that looks as a key is due for some seconds only", () => {
    const { take, time } = filtering("cursor");
    time.now = 5_001;
    expect(take("\x1b[1;2R")).toBe("\x1b[1;2R");
  });

  test("of any length is left out as it comes, and holds no memory", () => {
    const { take, flush, filter } = filtering();
    expect(take("\x1b]52;c;")).toBe("");
    for (let count = 0; count < 100; count += 1) expect(take("A".repeat(1_000))).toBe("");
    expect(take("=\x07after")).toBe("after");
    expect(filter.heldMs).toBeUndefined();
    expect(take(`\x1b]52;c;${"A".repeat(70_000)}\x1b`)).toBe("");
    expect(take("\\after")).toBe("after");
    // One that is given up was an answer all the same; what is typed next is not.
    expect(take(`\x1b]52;c;${"A".repeat(70_000)}`) + flush()).toBe("");
    expect(take("x")).toBe("x");
    // A key ends it too.
    expect(take(`\x1b]52;c;${"A".repeat(70_000)}`) + take("\x1b[Ab")).toBe("\x1b[Ab");
  });
});

const KEYS = [
  "\x1b",
  "\x1b\x1b",
  "\x1bx",
  "\x1b[",
  "\x1b]",
  "\x1bP",
  "\x1b_",
  "\x1b[A",
  "\x1bOP",
  "\x1bOR",
  "\x1b[R",
  "\x1b[1;2R",
  "\x1b[1;5R",
  "\x1b[1;16R",
  "\x1b[1;2S",
  "\x1b[1;5:3R",
  "\x1b[15;5~",
  "\x1b[27;5;93~",
  "\x1b[97;5u",
  "\x1b[97;5:3u",
  "\x1b[c",
  "\x1b[Z",
  "\x1b[I",
  "\x1b[O",
  "\x1b[M !!",
  "\x1b[<0;10;20M",
  "\x1b[<0;10;20m",
  "\x1b[32;10;20M",
  "\x1b[48;24;80;480;800t",
  "\x1b]lower case after Alt and ]",
  "\x1bPascal after Alt and P",
  "\x1b_G",
  "\x1b]4",
  "é",
  "\x03",
];

describe("a key", () => {
  test.each(KEYS)("%j passes at once where nothing was asked, however it is cut", (key) => {
    const bytes = Buffer.from(key).toString("latin1");
    expect(filtering().take(bytes)).toBe(bytes);
    for (const [first = "", second = ""] of cutsOf(bytes)) {
      const { take } = filtering();
      expect([take(first), take(second)]).toEqual([first, second]);
    }
  });

  test.each(KEYS.filter((key) => !/^\x1b\[1;\d+R$/.test(key)))(
    "%j passes where something was asked, after a moment at most",
    (key) => {
      const bytes = Buffer.from(key).toString("latin1");
      for (const [first = "", second = ""] of [[bytes], ...cutsOf(bytes)]) {
        const { take, flush, filter } = filtering("cursor", "title", "other");
        const passed = take(first) + take(second);
        expect(filter.heldMs ?? 0).toBeLessThanOrEqual(20);
        expect(passed + flush()).toBe(bytes);
      }
    },
  );

  test("Escape is not held back but while an answer is due", () => {
    expect(filtering().take("\x1b")).toBe("\x1b");
    const { take, flush, time, filter } = filtering("other");
    expect(take("\x1b")).toBe("");
    expect(filter.heldMs).toBe(20);
    expect(flush()).toBe("\x1b");
    // Its answer has come.
    take("\x1b[?62c");
    expect(take("\x1b")).toBe("\x1b");
    const late = filtering("other");
    time.now = 0;
    late.time.now = 5_001;
    expect(late.take("\x1b")).toBe("\x1b");
  });

  test("of which a part has passed passes whole", () => {
    const { take } = filtering();
    // What the terminal answers in two pieces, the first of which any key begins with.
    expect([take("\x1b["), take("12;40R")]).toEqual(["\x1b[", "12;40R"]);
  });
});

describe("a paste", () => {
  const paste = `\x1b[200~one\x1b[?62c\x1b]11;rgb:0/0/0\x07\x1b[12;40R\x1b[201\x1b\x1b[201~`;

  test("passes untouched and at once, wherever it is cut", () => {
    for (const [first = "", second = ""] of cutsOf(paste)) {
      const { take } = filtering();
      expect([take(first), take(second)]).toEqual([first, second]);
      expect(take("\x1b[?62cb")).toBe("b");
    }
    const { take } = filtering("other", "cursor");
    const passed = [...paste].map(take);
    // Its mark begins as an answer does; after that nothing waits.
    expect(passed.slice("\x1b[200~".length).join("")).toBe(paste.slice("\x1b[200~".length));
    expect(passed.join("")).toBe(paste);
    expect(take("\x1b[?62cb")).toBe("b");
  });

  test("of a megabyte is not copied together", () => {
    const { filter } = filtering();
    filter.take(Buffer.from("\x1b[200~"));
    const piece = Buffer.alloc(64 * 1024, "x");
    expect(filter.take(piece)).toBe(piece);
  });
});

test("keys and pastes pass unchanged whatever is due and however they are cut", () => {
  const part = fc.oneof(
    fc.constantFrom(...KEYS.filter((key) => !/R$|^\x1b[\]P_]|^\x1b\[$/.test(key))),
    fc.string({ maxLength: 8, unit: "binary" }).map((text) => text.replaceAll("\x1b", "")),
    fc.constant("\x1b[200~\x1b[?62c\x1b[201~"),
  );
  const questions = fc.subarray<Question>(["cursor", "title", "other"]);
  fc.assert(
    fc.property(fc.array(part), fc.infiniteStream(fc.nat(5)), questions, (parts, cuts, asked) => {
      const text = Buffer.from(parts.join("")).toString("latin1");
      const { take, flush } = filtering(...asked);
      let passed = "";
      for (let at = 0; at < text.length; ) {
        const length = 1 + Number(cuts.next().value);
        passed += take(text.slice(at, at + length));
        at += length;
      }
      expect(passed + flush()).toBe(text);
    }),
  );
});
