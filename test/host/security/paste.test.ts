import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type BuiltHost, buildHost, RealHost } from "../hostile/real-host.ts";

let built: BuiltHost;
beforeAll(async () => {
  built = await buildHost();
  return built.remove;
}, 60_000);

const BEGIN = "\x1b[200~";
const END = "\x1b[201~";

/** Texts that would end the paste that they are in, each with a command behind it. */
const ENDING: readonly [string, string, string][] = [
  ["the end mark", `a${END}\rtouch pwned\r`, "a\rtouch pwned"],
  ["the end mark in C1", "a\u009b201~\rtouch pwned\r", "a\rtouch pwned"],
  ["an end mark within an end mark", `a\x1b[20${END}1~\rtouch pwned`, "a[201~\rtouch pwned"],
  ["both marks", `a${END}${BEGIN}b${END}\x03\rc`, "ab\rc"],
  ["keys that interrupt, suspend and end", "a\x03\x1a\x1c\x04b", "ab"],
];

const wait = (pattern: string) => ({ until: "match", pattern, timeoutMs: 20_000 }) as const;

test.each(ENDING)(
  "a paste with %s in it arrives as one paste (submit)",
  async (_, text, inside) => {
    const host = await RealHost.start(built);
    const client = await host.connect();
    const cwd = host.place.folder;
    // It wants its pastes marked, and writes down what it gets up to its Enter: the second CR behind a mark.
    const script = "stty raw -echo; printf '\\033[?2004hready'; head -c $1 > got; echo; echo done";
    const expected = Buffer.from(`${BEGIN}${inside}${END}\r`);
    const exec = ["/bin/sh", "-c", script, "sh", String(expected.length)];
    await client.script("s", "", { exec, cwd });
    const target = { sessionId: "s", target: "1" } as const;
    await client.read({ ...target, wait: wait("ready") });
    const send = { op: "send", ...target, key: "paste", literal: false } as const;
    await client.call({ ...send, keys: [text], submit: true });
    await client.read({ ...target, from: 0, wait: wait("done") });
    expect(readFileSync(join(cwd, "got"), "latin1")).toBe(expected.toString("latin1"));
  },
);
