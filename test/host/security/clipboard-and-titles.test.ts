import { beforeAll, describe, expect, test } from "vitest";
import type { ChannelClient, Kind } from "../channel/channel-client.ts";
import { type BuiltHost, buildHost, RealHost } from "../hostile/real-host.ts";
import { Viewer } from "../screen/support.ts";

let built: BuiltHost;
beforeAll(async () => {
  built = await buildHost();
  return built.remove;
}, 60_000);

const target = { sessionId: "s", target: "1" } as const;

/** Opens a terminal whose bash script begins when somebody types Enter. */
const bash = (client: ChannelClient, script: string) =>
  client.script("s", "", { exec: ["/bin/bash", "-c", `stty -echo; read begin; ${script}`] });

/** What a viewer's terminal did for what came: which commands for its clipboard it was given, and its title. */
async function shownOn(viewer: ChannelClient) {
  const { terminal, title: _title, write } = new Viewer({ cols: 80, rows: 24 });
  const commands: string[] = [];
  for (const code of [52, 5522]) {
    terminal.parser.registerOscHandler(code, (text) => commands.push(text) > 0);
  }
  let title = "";
  terminal.onTitleChange((text) => {
    title = text;
  });
  await write.call({ terminal }, viewer.output);
  return { commands, title };
}

const COMMANDS = "\\033]52;c;ZXZpbA==\\007\\033]52;p;?\\033\\\\\\033]5522;type=read;Lg==\\007";

describe("the clipboard of whoever looks (OSC 52)", () => {
  test("is neither written nor read by a program, live or by a repaint", async () => {
    const host = await RealHost.start(built);
    const client = await host.connect();
    const { id } = await bash(client, `printf '${COMMANDS}\\r\\nDONE'; read end`);
    const live = await host.connect();
    await live.attach(id);
    live.type("\r");
    await live.shows("DONE");
    const late = await host.connect();
    await late.attach(id);
    await late.shows("DONE");
    for (const viewer of [live, late]) {
      expect(await shownOn(viewer)).toEqual({ commands: [], title: "" });
    }
    // It is not that the viewer's terminal would not have taken them.
    live.output = Buffer.from("\x1b]52;c;ZXZpbA==\x07");
    expect((await shownOn(live)).commands).toEqual(["c;ZXZpbA=="]);
  });

  test.each([
    ["\\033", "]52;c;ZXZpbA==\\007"],
    ["\\033]5", "2;c;ZXZpbA==\\007"],
    ["\\033]52", ";c;ZXZpbA==\\007"],
    ["\\033]52;", "c;ZXZpbA==\\007"],
    ["\\033]52;c;ZXZ", "pbA==\\007"],
  ])("is not written to who comes in the midst of a command: %s %s", async (first, second) => {
    const host = await RealHost.start(built);
    const client = await host.connect();
    const { id } = await bash(
      client,
      `printf 'OPEN${first}'; read more; printf '${second}DONE'; read end`,
    );
    const live = await host.connect();
    await live.attach(id);
    live.type("\r");
    await live.shows("OPEN");
    const late = await host.connect();
    await late.attach(id);
    await late.shows("OPEN");
    late.type("\r");
    for (const viewer of [live, late]) {
      await viewer.shows("DONE");
      expect((await shownOn(viewer)).commands).toEqual([]);
    }
    const { text } = await client.read({ ...target, from: 0 });
    expect(text).toMatch(/OPENDONE$/);
  });
});

/** Commands that some terminals notify, send files or tell of themselves by. */
const OTHERS = [
  "9;text",
  "777;notify;a;b",
  "99;i=1:p=?;",
  "5113;ac=receive;id=1;size=1",
  "1337;File=name=YQ==;size=4:AAAA",
  "1337;ReportVariable=c2Vzc2lvbg==",
  "1337;RequestUpload=format=tgz",
]
  .map((command) => `\\033]${command}\\007`)
  .join("");

test("commands of single terminals do nothing in the host, and what viewers' terminals answer is typed by nobody", async () => {
  const host = await RealHost.start(built);
  const client = await host.connect();
  const { id } = await bash(
    client,
    `stty raw; printf '${OTHERS}DONE'; IFS= read -r -d q answer; stty -raw; printf '<%s>' "$answer"; read end`,
  );
  const viewer = await host.connect();
  await viewer.attach(id);
  viewer.type("\r");
  await viewer.shows("DONE");
  viewer.type("\x1b]1337;ReportVariable=c2VjcmV0\x07\x1b]99;i=1:p=?;a=report\x1b\\");
  viewer.type("\x1b]5113;ac=status;id=1;st=OK\x1b\\q");
  const wait = { until: "match", pattern: ">", timeoutMs: 10_000 } as const;
  expect((await client.read({ ...target, from: 0, wait })).text).toMatch(/DONE<>$/);
  const capture = await client.call({ op: "capture", ...target, scrollback: 10 });
  expect((capture as Kind<"capture">).text).toMatch(/DONE<>$/);
});

test("a program is told neither the title nor the clipboard, by the host or by the terminals of viewers", async () => {
  const host = await RealHost.start(built);
  const client = await host.connect();
  const ask = `\\033]2;rm -rf /\\007\\033[21t\\033[20t${COMMANDS}\\033[c`;
  const { id } = await bash(
    client,
    `stty raw; printf '${ask}'; IFS= read -r -d q answer; stty -raw; printf '%s' "$answer" | od -An -v -c; read end`,
  );
  const viewers = [await host.connect(), await host.connect()];
  for (const viewer of viewers) await viewer.attach(id);
  viewers[0]?.type("\r");
  for (const viewer of viewers) {
    await viewer.until(() => viewer.output.includes("\x1b[c"));
    viewer.type(
      "\x1b]lrm -rf /\x1b\\\x1b]Lrm -rf /\x1b\\\x1b]52;c;c2VjcmV0\x07\x1b]52;p;c2VjcmV0\x1b\\",
    );
    // Behind what it answered.
    await viewer.call({ op: "list", sessionId: "s" });
  }
  viewers[1]?.type("q");
  const wait = { until: "match", pattern: "\\\\|\\bc$", timeoutMs: 10_000 } as const;
  const { text } = await client.read({ ...target, from: 0, wait });
  // Its attributes, and nothing else.
  expect(text.replaceAll(/\s+/g, "")).toMatch(/^033\[\?[\d;]+c$/);
});

describe("a title that means no good (title injection)", () => {
  test.each([
    ["controls and sequences", "a\\033[31mb", undefined],
    ["C1 controls", "a\\302\\233b\\302\\235c", "abc"],
    ["marks that turn the direction of text", "a\\342\\200\\256b\\342\\201\\246c", "a b c"],
    ["ends of lines", "a\\302\\205b\\342\\200\\250c", "ab c"],
    ["length", "t".repeat(3_000), `${"t".repeat(255)}…`],
  ])("%s in it go no further than its terminal", async (_, title, expected) => {
    const host = await RealHost.start(built);
    const client = await host.connect();
    const { id } = await bash(client, `printf '\\033]2;${title}\\007DONE'; read end`);
    const viewer = await host.connect();
    await viewer.attach(id);
    viewer.type("\r");
    await viewer.shows("DONE");
    const list = (await client.call({ op: "list", sessionId: "s" })) as Kind<"list">;
    const told = list.windows[0]?.terminal.title ?? "";
    if (expected !== undefined) expect(told).toBe(expected);
    expect(told).not.toMatch(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/u);
    expect([...told].length).toBeLessThanOrEqual(256);
    const late = await host.connect();
    await late.attach(id);
    await late.shows("DONE");
    expect((await shownOn(late)).title).not.toMatch(/\p{Cc}/u);
  });

  test("a name that means no good is cleaned in the same way, and still found", async () => {
    const host = await RealHost.start(built);
    const client = await host.connect();
    await client.script("s", "read end", { name: "a\x1b]52;c;x\x07\u202eb" });
    const list = (await client.call({ op: "list", sessionId: "s" })) as Kind<"list">;
    expect(list.windows[0]?.terminal.name).toBe("a ]52;c;x b");
    await client.call({ op: "rename", sessionId: "s", target: "a ]52;c;x b", name: "c\u009b31md" });
    const renamed = await client.call({ op: "cursor", sessionId: "s", target: "c\u009b31md" });
    expect((renamed as Kind<"cursor">).terminal.name).toBe("c 31md");
  });
});
