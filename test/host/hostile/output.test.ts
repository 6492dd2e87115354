import { beforeAll, expect, test } from "vitest";
import type { ChannelClient, Kind } from "../channel/channel-client.ts";
import { type BuiltHost, buildHost, RealHost } from "./real-host.ts";

let built: BuiltHost;
beforeAll(async () => {
  built = await buildHost();
  return built.remove;
}, 60_000);

const MIB = 1024 * 1024;
/** The character, so often. */
const many = (bytes: number, character: string) =>
  `head -c ${bytes} /dev/zero | tr '\\0' '${character}'`;
const opened = (opener: string, bytes: number) => `printf '${opener}'; ${many(bytes, "A")}`;

/** What a program writes, and what ends it where it has no end of its own. */
const OUTPUTS: readonly [string, string][] = [
  ["a line of 64 MB", many(64 * MIB, "x")],
  ["a title of 16 MB", `${opened("\\033]2;", 16 * MIB)}; printf '\\007'`],
  ["random bytes", `head -c ${2 * MIB} /dev/urandom`],
  ["a command that stays open (OSC)", opened("\\033]8;;", 4 * MIB)],
  ["a device string that stays open (DCS)", opened("\\033P+q", 4 * MIB)],
  ["a picture that stays open", opened("\\033Pq", 2 * MIB)],
  ["an application string that stays open (APC)", opened("\\033_G", 4 * MIB)],
  ["a sequence that stays open (CSI)", opened("\\033[1;", 4 * MIB).replace("'A'", "'1'")],
  ["synchronised output that stays open", `printf '\\033[?2026h'; seq 1000000`],
  [
    "questions without end",
    `yes "$(printf '\\033[c\\033[6n\\033]10;?\\007\\033P$qm\\033\\\\')" | head -c ${2 * MIB}`,
  ],
  [
    "marks without end on one character",
    `printf e; yes "$(printf '\\314\\201')" | tr -d '\\n' | head -c ${2 * MIB}`,
  ],
];

const WELL_BEHAVED = ["lines", `yes 'some words of a line' | head -c ${64 * MIB}`] as const;

/** What is measured is to be what is kept, not what has yet to be collected. */
const COLLECTS_SOON = { NODE_OPTIONS: "--max-semi-space-size=2" };

/** Ends whatever is open, for people to go on. */
const CLOSING = "\\030\\033c\\033[?2026l\\r\\nAFTER ALL THAT";

/** Opens a terminal whose program begins at a key, and ends at another. */
const hostile = (client: ChannelClient, output: string) =>
  client.script(
    "hostile",
    `stty raw -echo; printf ready; head -c 1 > /dev/null; ${output}; printf '${CLOSING}'; head -c 1 > /dev/null`,
  );

const match = (pattern: string) => ({ until: "match", pattern, timeoutMs: 60_000 }) as const;

/** How many keys were echoed until it was over, one after the other. */
async function echoesUntil(over: Promise<unknown>, viewer: ChannelClient): Promise<number> {
  let isOver = false;
  const settle = () => {
    isOver = true;
  };
  over.then(settle, settle);
  let echoes = 0;
  for (; !isOver; echoes += 1) {
    const before = viewer.bytes;
    viewer.type("k");
    await viewer.until(() => viewer.bytes > before || viewer.isClosed);
    expect(viewer.isClosed).toBe(false);
  }
  return echoes;
}

test("whatever one program writes, keys in another terminal echo before it has, and memory stays within bounds", async () => {
  const host = await RealHost.start(built, COLLECTS_SOON);
  const client = await host.connect();
  const viewer = await host.connect();
  await viewer.attach((await client.script("s", "cat")).id);
  viewer.keeps = false;
  let before = 0;
  for (const [what, output] of [WELL_BEHAVED, ...OUTPUTS]) {
    const { id } = await hostile(client, output);
    const shown = await host.connect();
    shown.keeps = false;
    await shown.attach(id);
    const target = { sessionId: "hostile", target: id } as const;
    await client.read({ ...target, wait: match("ready") });
    shown.type("1");
    const over = client.read({ ...target, wait: match("AFTER ALL THAT") });
    const echoes = await echoesUntil(over, viewer);
    expect((await over).waited, what).toBe("match");
    // A program that writes for a second keeps nobody waiting for a tenth of that.
    expect(echoes, what).toBeGreaterThan(10);
    const late = await host.connect();
    await late.attach(id);
    await late.shows("AFTER ALL THAT");
    const capture = await client.call({ op: "capture", ...target, scrollback: 0 });
    expect((capture as Kind<"capture">).text.trim(), what).toBe("AFTER ALL THAT");
    expect((await client.call({ op: "list", sessionId: "hostile" })) as Kind<"list">).toMatchObject(
      { windows: [{ terminal: { title: expect.stringMatching(/^.{0,1024}$/u) } }] },
    );
    await client.call({ op: "close", ...target, key: what });
    for (const one of [shown, late]) one.socket.destroy();
    // Whatever it writes, a host has memory for what is on its way and for what the calls above take.
    if (what === WELL_BEHAVED[0]) before = host.peak;
  }
  expect(host.peak - before).toBeLessThan(64 * MIB);
}, 120_000);

test.each([
  ["synchronised output", "\\033[?2026h", "inside"],
  ["a command (OSC)", "\\033]8;;", ""],
  ["a device string (DCS)", "\\033P+q", ""],
  ["an application string (APC)", "\\033_G", ""],
])(
  "%s that a program leaves open keeps nobody from its screen, or from closing it",
  async (_, opener, inside) => {
    const host = await RealHost.start(built);
    const client = await host.connect();
    const target = { sessionId: "s", target: "1" } as const;
    const { id } = await client.script(
      "s",
      `stty raw -echo; printf '1 before\\r\\n2 ${opener}inside'; head -c 1 > /dev/null; printf '\\033\\\\ 3 after'; head -c 1 > /dev/null`,
    );
    await client.read({ ...target, wait: match("^2") });
    const text = async () => {
      const capture = await client.call({ op: "capture", ...target, scrollback: 10 });
      return (capture as Kind<"capture">).text;
    };
    expect(await text()).toBe(`1 before\n2 ${inside}`.trimEnd());
    const viewer = await host.connect();
    await viewer.attach(id);
    await viewer.shows("1 before");
    viewer.type("x");
    await viewer.shows("3 after");
    expect(await text()).toBe(`1 before\n2 ${inside} 3 after`);
    await client.call({ op: "close", ...target, key: "c" });
    await viewer.next("closed");
  },
);
