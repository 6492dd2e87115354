import { inWords } from "../history/check.ts";
import type { Round } from "./round.ts";
import type { World } from "./world.ts";

/** How often each promise was at stake, in words. */
export const stakesIn = ({ stakes }: Round): string =>
  [...stakes].map(([promise, times]) => `${promise} ${times}`).join(", ");

/** What a round found, in words; empty where every promise was kept. What led to it, and what the publishers logged, is
 * printed beside it, and always where TERMTOPIC_DIARY is set. */
export function report(world: World, round: Round): string[] {
  const { violations, diary, beganAt } = round;
  if (violations.length > 0 || process.env["TERMTOPIC_DIARY"] !== undefined) {
    const logs = world.publishers.map(({ name, id, log }) => `${name} is ${id}:\n${log}`);
    console.info([stakesIn(round), ...diary, ...logs].join("\n"));
  }
  return violations.map((violation) => inWords(violation, beganAt));
}
