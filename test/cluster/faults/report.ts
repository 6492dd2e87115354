import { inWords } from "../history/check.ts";
import type { Round } from "./round.ts";
import type { World } from "./world.ts";

/** What a round found, in words; empty where every promise was kept. What led to it, and what the publishers logged, is
 * printed beside it. */
export function report(world: World, { violations, diary, beganAt }: Round): string[] {
  if (violations.length > 0) {
    const logs = world.publishers.map(({ name, id, log }) => `${name} is ${id}:\n${log}`);
    console.info([...diary, ...logs].join("\n"));
  }
  return violations.map((violation) => inWords(violation, beganAt));
}
