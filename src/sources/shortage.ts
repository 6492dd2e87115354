import type { Fault } from "./source.ts";

/** What the system can be short of, by the errors of its calls (errno(3), fork(2)).
 *
 * - `no_descriptors`: files that may be open, of this program or of the host.
 * - `no_processes`: processes that the user may have, or the host.
 * - `no_memory`: memory. */
const SHORTAGES = {
  EMFILE: "no_descriptors",
  ENFILE: "no_descriptors",
  EAGAIN: "no_processes",
  ENOMEM: "no_memory",
} as const;

export type Shortage = (typeof SHORTAGES)[keyof typeof SHORTAGES];

const WORDS: { readonly [S in Shortage]: string } = {
  no_descriptors: "too many files are open",
  no_processes: "too many processes run",
  no_memory: "there is not enough memory",
};

/** What there is too little of to do something, by the code of its error. `undefined` where that is not why. */
export function shortageOf(code: string | undefined): Shortage | undefined {
  return Object.entries(SHORTAGES).find(([errno]) => errno === code)?.[1];
}

/** The same of whatever was thrown. */
export function shortageIn(error: unknown): Shortage | undefined {
  return error instanceof Error ? shortageOf((error as NodeJS.ErrnoException).code) : undefined;
}

/** `said` is what the system said. */
export const shortageFault = (shortage: Shortage, said: string): Fault => ({
  code: shortage,
  msg: `${WORDS[shortage]}: ${said}`,
});

/** Whether something could not be read for a want of ours, which says nothing of the place that was to be read. */
export const isShortage = ({ code }: Fault): boolean => Object.hasOwn(WORDS, code);
