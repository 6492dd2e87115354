import { firstOperand, type Options, options } from "./options.ts";

/** Where a command's words, from the first behind its own name, name the program that it leads to. `undefined`: they
 * name none, or in words that are not known. */
export type Find = (words: readonly string[], from: number) => number | undefined;

interface Shape {
  /** `NAME=value` words in front of the program, as env and sudo take them. */
  readonly assignments?: true;
  /** How many operands of its own the command has in front of the program. */
  readonly operands?: number;
}

/** A command that is followed by its options, by what is its own, and by the program. An option that is not known
 * may have a value, which would then be taken for the program: nothing is seen behind one. */
export function leads(text: string, { assignments, operands = 0 }: Shape = {}): Find {
  const rules = options(text);
  return (words, from) => {
    let at = operandAt(words, from, rules);
    if (at === undefined) return undefined;
    while (assignments && isAssignment(words[at])) at += 1;
    at += operands;
    return at < words.length ? at : undefined;
  };
}

/** A command whose subcommands lead to a program, as far as they are listed. */
export function subcommands(text: string, finds: Readonly<Record<string, Find>>): Find {
  const rules = options(text);
  const byName = new Map(Object.entries(finds));
  return (words, from) => {
    const at = operandAt(words, from, rules);
    return at === undefined ? undefined : byName.get(words[at] ?? "")?.(words, at + 1);
  };
}

function operandAt(words: readonly string[], from: number, rules: Options): number | undefined {
  const at = firstOperand(words, from, rules);
  return at === "ended" ? undefined : at;
}

const isAssignment = (word: string | undefined) => word !== undefined && word.indexOf("=") > 0;
