import { hostIdIn, ptyRowId } from "../../acting/pty-id.ts";
import { SOURCE_NAMES } from "../options.ts";

/** What terminals are told apart by. */
export interface Candidate {
  /** As the host has it, without a scheme. */
  readonly id: string;
  /** Its number in the session. Absent where the sessions of several are looked at. */
  readonly index?: number;
  readonly name?: string;
}

/** How much of an id tells which one is meant, in characters. Less is a number or a name that does not exist. */
const LEAST_ID = 4;

const SCHEME = "pty:";

/** The scheme of an id that is not one of the host's; `undefined` for all else, such as a name with a colon. */
export function foreignScheme(text: string): string | undefined {
  const scheme = /^([a-z]+):/.exec(text)?.[1];
  const isKnown = scheme === "tty" || SOURCE_NAMES.some((name) => name === scheme);
  return isKnown && !text.startsWith(SCHEME) ? scheme : undefined;
}

/** The terminals that a person may mean: the one of that id, else of that number, else all of that name, else all whose
 * id begins so. With the scheme before it, it is an id. */
export function pick<One extends Candidate>(text: string, all: readonly One[]): readonly One[] {
  const id = hostIdIn(text);
  const wanted = id ?? text;
  const exact = all.filter((one) => one.id === wanted);
  if (exact.length > 0) return exact;
  if (id === undefined) {
    const numbered = all.filter(({ index }) => index !== undefined && String(index) === text);
    if (numbered.length > 0) return numbered;
    const named = all.filter(({ name }) => name === text);
    if (named.length > 0) return named;
  }
  return wanted.length < LEAST_ID ? [] : all.filter((one) => one.id.startsWith(wanted));
}

/** Terminals for a person to choose from, in a few words. */
export function choices(all: readonly Candidate[]): string {
  return all
    .map(({ id, index, name }) => {
      const called = [index, name].filter((part) => part !== undefined).join(" ");
      return called === "" ? ptyRowId(id) : `${ptyRowId(id)} (${called})`;
    })
    .join(", ");
}
