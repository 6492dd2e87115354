/** What an option of a command does to what is behind it: nothing; it takes the rest of its own word; it takes that
 * or, where there is none, the next word; the same, unless the next word is an option; it takes all words up to the
 * next option; no program follows it. */
type OptionKind = "flag" | "attached" | "value" | "optional" | "list" | "ends";

const KINDS: ReadonlyMap<string, OptionKind> = new Map([
  ["=", "attached"],
  [":", "value"],
  ["?", "optional"],
  ["*", "list"],
  ["!", "ends"],
]);

/** The options that a command reads in front of its first operand. */
export interface Options {
  readonly known: ReadonlyMap<string, OptionKind>;
  /** What any other option is taken for. Absent: what stands behind it cannot be told. */
  readonly others?: OptionKind;
}

/** Options as their manual page lists them, separated by white space. One that takes the rest of its word ends in `=`,
 * one that takes the next word in `:`, one that may in `?`, one that takes several in `*`, one after which no program
 * follows in `!`. */
export function options(text: string, others?: OptionKind): Options {
  const known = new Map<string, OptionKind>();
  for (const word of text.trim().split(/\s+/)) {
    const kind = KINDS.get(word.slice(-1));
    known.set(kind === undefined ? word : word.slice(0, -1), kind ?? "flag");
  }
  return others === undefined ? { known } : { known, others };
}

/** Where the first word is that is neither an option nor the value of one, as getopt(3) reads them: short options may
 * share a word, and what a word holds behind one that takes a value is that value. `ended`: an option says that
 * nothing follows. `undefined`: nothing does, or it cannot be told. */
export function firstOperand(
  words: readonly string[],
  from: number,
  rules: Options,
): number | "ended" | undefined {
  let at = from;
  for (let word = words[at]; word !== undefined; word = words[at]) {
    at += 1;
    if (word === "--") return at < words.length ? at : undefined;
    if (!word.startsWith("-") || (word === "-" && !rules.known.has(word))) return at - 1;
    const kind = kindOf(word, rules);
    if (kind === undefined) return undefined;
    if (kind === "ends") return "ended";
    if (kind === "value") at += 1;
    if (kind === "optional" && isNoOption(words[at])) at += 1;
    while (kind === "list" && isNoOption(words[at])) at += 1;
  }
  return undefined;
}

const isNoOption = (word: string | undefined) => word !== undefined && !word.startsWith("-");

function kindOf(word: string, { known, others }: Options): OptionKind | undefined {
  const whole = known.get(word);
  if (whole !== undefined) return whole;
  if (word.startsWith("--")) {
    const equals = word.indexOf("=");
    return equals < 0 ? others : withValue(known.get(word.slice(0, equals)) ?? others);
  }
  for (let letter = 1; letter < word.length; letter += 1) {
    const kind = known.get(`-${word[letter]}`) ?? others;
    if (kind === "flag") continue;
    const isLast = letter === word.length - 1;
    return isLast ? kind : withValue(kind);
  }
  return "flag";
}

/** An option whose value is in the same word takes no other. */
const withValue = (kind: OptionKind | undefined) =>
  kind === undefined || kind === "ends" ? kind : "flag";
