import { type Eye, openEye } from "./eyes.ts";
import type { Look, Request } from "./looks.ts";
import { ShownText } from "./shown.ts";

/** How far keys are apart, in milliseconds: at random, so that nothing periodic meets all of them. */
const KEY_GAP_MS = [4, 12] as const;
/** After so many keys comes the end of a line, which is not measured: a terminal that edits lines keeps 4 095 bytes, and
 * a line that is broken takes more than an echo. */
const LINE_KEYS = 50;

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const shown = new ShownText();
let eye: Eye | undefined;
let keyNumber = 0;

/** The other end of a Watcher. It is gone with its parent. */
export function run(): void {
  process.on("message", (request: Request) => {
    void answer(request).then((result) => process.send?.(result ?? "done"));
  });
  process.on("disconnect", () => {
    void leave().finally(() => process.exit());
  });
  process.send?.("ready");
}

async function answer(request: Request): Promise<unknown> {
  switch (request.do) {
    case "look":
      eye = await openEye(request.look, shown);
      return undefined;
    case "leave":
      return leave();
    case "shown":
      return shown.take();
    case "type":
      return type(request.keys, request.until);
    case "echo":
      return echo(request.keys);
    case "attach":
      return attach(request.look, request.until, request.times);
  }
}

async function leave(): Promise<void> {
  await eye?.leave();
  eye = undefined;
}

async function type(keys: string, until: string | undefined): Promise<number> {
  const found = until === undefined ? 0 : shown.until(until);
  eye?.type(keys);
  return found;
}

async function echo(keys: number): Promise<number[]> {
  const times: number[] = [];
  const [least, most] = KEY_GAP_MS;
  for (let made = 0; made < keys; made += 1) {
    await after(least + Math.random() * (most - least));
    keyNumber += 1;
    if (keyNumber % LINE_KEYS === 0) {
      eye?.type("\r");
      await after(50);
    }
    // Greek, which is in no control sequence.
    const key = String.fromCharCode(0x3b1 + (keyNumber % 17));
    times.push(await type(key, key));
  }
  return times;
}

async function attach(look: Look, until: string, times: number): Promise<number[]> {
  const taken: number[] = [];
  for (let made = 0; made < times; made += 1) {
    const found = shown.until(until);
    eye = await openEye(look, shown);
    taken.push(await found);
    await leave();
    await after(20);
  }
  return taken;
}
