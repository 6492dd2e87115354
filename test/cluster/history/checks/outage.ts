import type { Ground } from "../ground.ts";
import { elementsOf, isGone } from "../held.ts";
import type { Finding } from "../promises.ts";
import { isPrompt, partsOf } from "./parts.ts";

/** P13: while a gateway does not hear the engine, it removes no row of others. */
export function* outage(ground: Ground): Generator<Finding> {
  for (const { name, part, gateway, of } of partsOf(ground)) {
    if (part.instance === gateway) continue;
    const deaf = [...ground.history.engineOut, ...(ground.truthOf(gateway)?.cut ?? [])];
    for (const { record } of part.steps) {
      const { at, frame } = record;
      const isDeaf = deaf.some(({ from, to }) => from + ON_ITS_WAY_MS < at && to > at);
      if (!isDeaf || !elementsOf(frame).some(isGone) || !isPrompt(ground, of, at)) continue;
      const msg = "a removal while its gateway did not hear the engine";
      yield { promise: "P13", reader: name, at, instance: part.instance, msg };
    }
  }
}

/** How long what was said before may take to arrive, in milliseconds. */
const ON_ITS_WAY_MS = 1_500;
