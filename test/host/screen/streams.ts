import fc from "fast-check";

const number = (most: number) => fc.integer({ min: 0, max: most });
const csi = (parameters: fc.Arbitrary<string>, final: string) =>
  parameters.map((text) => `\x1b[${text}${final}`);
const one = (most: number) => number(most).map(String);
const two = (most: number) => fc.tuple(number(most), number(most)).map(([a, b]) => `${a};${b}`);

const text = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: fc.constantFrom(..."abcXYZ ~#q`"), maxLength: 30 }) },
  {
    weight: 2,
    arbitrary: fc.string({ unit: fc.constantFrom("漢", "字", "a", "한", "あ"), maxLength: 12 }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("e\u0301", "\u0301", "o\u0308\u0323", "👍", "👨‍👩‍👧", "é", "─", "€"),
  },
);

const colour = fc.oneof(
  fc.integer({ min: 30, max: 49 }).map(String),
  fc.integer({ min: 90, max: 107 }).map(String),
  number(255).map((value) => `38;5;${value}`),
  number(255).map((value) => `48;5;${value}`),
  fc.tuple(number(255), number(255), number(255)).map((rgb) => `38;2;${rgb.join(";")}`),
  fc.tuple(number(255), number(255), number(255)).map((rgb) => `48;2;${rgb.join(";")}`),
  number(255).map((value) => `4;58;5;${value}`),
);
const attribute = fc.oneof(
  fc.constantFrom("", "0", "1", "2", "3", "4", "4:3", "4:2", "4:5", "5", "7", "8", "9", "53"),
  fc.constantFrom("21", "22", "23", "24", "25", "27", "28", "29", "55"),
  colour,
);
const style = csi(
  fc.array(attribute, { minLength: 1, maxLength: 3 }).map((codes) => codes.join(";")),
  "m",
);

const move = fc.oneof(
  ...["A", "B", "C", "D", "E", "F", "G", "d", "I", "Z", "a", "e"].map((final) =>
    csi(one(12), final),
  ),
  csi(two(30), "H"),
  fc.constantFrom("\r", "\n", "\r\n", "\b", "\t", "\x1bM", "\x1bD", "\x1bE", "\v"),
);
const edit = fc.oneof(
  ...["@", "P", "L", "M", "X", "S", "T"].map((final) => csi(one(8), final)),
  // The screen repeats a character no more often than it has cells.
  csi(one(2), "b"),
  csi(fc.constantFrom("0", "2", "3"), "J"),
  csi(one(2), "K"),
  csi(one(2), '"q'),
  fc.constantFrom("\x1b[?J", "\x1b[?K", "\x1b[2 @", "\x1b[2 A", "\x1b['}", "\x1b['~", "\x1b#8"),
);
const region = fc.oneof(csi(two(12), "r"), fc.constant("\x1b[r"));
const mode = fc
  .tuple(
    fc.constantFrom(
      1,
      6,
      7,
      12,
      25,
      45,
      66,
      9,
      1000,
      1002,
      1003,
      1004,
      1006,
      1016,
      2004,
      2031,
      1048,
    ),
    fc.constantFrom("h", "l"),
  )
  .map(([code, final]) => `\x1b[?${code}${final}`);
const alternate = fc.constantFrom(
  "\x1b[?1049h",
  "\x1b[?1049l",
  "\x1b[?47h",
  "\x1b[?47l",
  "\x1b[?1047h",
  "\x1b[?1047l",
);
const other = fc.oneof(
  fc.constantFrom(
    "\x1b7",
    "\x1b8",
    "\x1b[s",
    "\x1b[u",
    "\x1bH",
    "\x1b[g",
    "\x1b[3g",
    "\x1b=",
    "\x1b>",
  ),
  fc.constantFrom("\x1b[4h", "\x1b[4l", "\x1b[20h", "\x1b[20l", "\x1b[!p", "\x1bc"),
  fc.constantFrom("\x1b(0", "\x1b(B", "\x1b)0", "\x1b(A", "\x0e", "\x0f", "\x1bn", "\x1b*0"),
  csi(one(6), " q"),
  fc.constantFrom("\x1b]0;a title\x07", "\x1b]2;Ümläute ✓\x1b\\", "\x1b]2;\x07"),
  fc.constantFrom("\x1b[22;0;0t", "\x1b[23;0;0t", "\x1b[22;2t", "\x1b[23t", "\x1b[22;1t"),
  fc.constantFrom(
    "\x1b]8;;https://a.example/\x1b\\",
    "\x1b]8;id=x;https://b.example/?q=1;2\x07",
    "\x1b]8;;\x1b\\",
  ),
);

/** Output as programs make it, and as they do not. */
export const stream = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: text },
      { weight: 4, arbitrary: style },
      { weight: 4, arbitrary: move },
      { weight: 3, arbitrary: edit },
      { weight: 1, arbitrary: region },
      { weight: 2, arbitrary: mode },
      { weight: 1, arbitrary: alternate },
      { weight: 2, arbitrary: other },
    ),
    { maxLength: 80 },
  )
  .map((parts) => parts.join(""));

export const size = fc.record({
  cols: fc.integer({ min: 2, max: 24 }),
  rows: fc.integer({ min: 1, max: 9 }),
});
