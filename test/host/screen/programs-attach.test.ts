import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ChannelClient, Kind } from "../channel/channel-client.ts";
import { type ServedHost, serveHost } from "../channel/served-host.ts";
import { Viewer } from "./support.ts";

const SIZE = { cols: 80, rows: 24 };
const HISTORY = 1_000;

/** A terminal of a real host, seen by somebody who was there from its first byte on. */
class Seen {
  readonly served: ServedHost;
  readonly client: ChannelClient;
  readonly early: ChannelClient;
  readonly id: string;

  private constructor(served: ServedHost, client: ChannelClient, early: ChannelClient, id: string) {
    this.served = served;
    this.client = client;
    this.early = early;
    this.id = id;
  }

  /** `program` begins once somebody looks. */
  static async open(served: ServedHost, program: string): Promise<Seen> {
    const [client, early] = [await served.connect(), await served.connect()];
    const { id } = await client.script(
      "s",
      `stty -echo; read begin; stty sane; cd '${served.folder}'; ${program}`,
    );
    await early.attach(id);
    early.type("\r");
    return new Seen(served, client, early, id);
  }

  async text(): Promise<string> {
    const call = { op: "capture", sessionId: "s", target: this.id, scrollback: 0 } as const;
    return ((await this.client.call(call)) as Kind<"capture">).text;
  }

  async shows(what: RegExp): Promise<void> {
    while (!what.test(await this.text())) {
      if (this.served.host.terminals.get(this.id)?.state !== "running") {
        throw new Error(`It ended, and showed:\n${await this.text()}`);
      }
    }
  }

  /** Somebody comes now and looks on. */
  async late(): Promise<ChannelClient> {
    const late = await this.served.connect();
    await late.attach(this.id);
    return late;
  }

  /** Ends the program as it is, without a word, and holds what everybody sees against what who saw everything sees. */
  async isSeenWhole(...lookers: readonly ChannelClient[]): Promise<void> {
    const { pid } = this.served.host.terminals.get(this.id) ?? {};
    if (pid !== undefined) process.kill(pid, "SIGKILL");
    const all = [this.early, ...lookers, await this.late()];
    // The end is told behind the last output.
    for (const one of all)
      await one.next("changed", ({ terminal }) => terminal.exited !== undefined);
    const whole = await stateOf(this.early);
    for (const one of all.slice(1)) expect(await stateOf(one)).toEqual(whole);
    const list = await this.client.call({ op: "list", sessionId: "s" });
    expect((list as Kind<"list">).windows[0]?.terminal.title).toBe(whole.title);
  }
}

/** What a fresh terminal shows that was given what came, in that order. */
async function stateOf({ output }: ChannelClient) {
  const viewer = new Viewer(SIZE, HISTORY);
  await viewer.write(output);
  return viewer.state({ history: true });
}

function text(served: ServedHost): void {
  const lines = Array.from(
    { length: 200 },
    (_, line) => `${line} text 漢字 e\u0301 ${"wide ".repeat(line % 30)}`,
  );
  writeFileSync(join(served.folder, "file.txt"), `${lines.join("\n")}\n`);
}

async function seen(program: string): Promise<Seen> {
  const served = await serveHost();
  text(served);
  return Seen.open(served, program);
}

test("vim is seen whole by who comes while it runs, and after", async () => {
  const it = await seen(
    "exec vim -u NONE -N -i NONE -n -c 'set title ruler number mouse=a' file.txt",
  );
  await it.shows(/1 0 text/);
  it.early.type(":syntax on\r:split\rG/wide\rzz");
  await it.shows(/^ *200 199 text/m);
  const late = await it.late();
  it.early.type("Otyped 漢 here");
  await it.shows(/typed 漢 here/);
  await it.isSeenWhole(late);
});

test("less is seen whole by who comes while it runs, and after", async () => {
  const it = await seen("exec less -R file.txt");
  await it.shows(/^0 text/m);
  it.early.type("  /wide wide wide\r");
  await it.shows(/wide wide wide/);
  const late = await it.late();
  it.early.type("Gkkkk");
  await it.shows(/^195 text/m);
  await it.isSeenWhole(late);
});

test("htop is seen whole by who comes while it runs, and after", async () => {
  const it = await seen("exec htop -d 2");
  await it.shows(/Load average/);
  it.early.type("t");
  const late = await it.late();
  it.early.type("\x1bOP");
  await it.shows(/^Released under the GNU/m);
  const later = await it.late();
  it.early.type("q");
  await it.shows(/F10\s?Quit/);
  await it.isSeenWhole(late, later);
});

test("tmux in a terminal is seen whole by who comes while it runs, and after", async () => {
  const served = await serveHost();
  const socket = join(served.folder, "tmux");
  onTestFinished(() => void spawnSync("tmux", ["-S", socket, "kill-server"]));
  const options = "set -g set-titles on ; set -g set-titles-string 'inside #S'";
  writeFileSync(join(served.folder, "tmux.conf"), options.replace(" ; ", "\n"));
  const it = await Seen.open(
    served,
    `exec tmux -u -f tmux.conf -S '${socket}' new -s here 'bash --norc --noprofile'`,
  );
  await it.shows(/[#$]$/m);
  it.early.type("\x02%");
  await it.shows(/│/);
  const late = await it.late();
  it.early.type("printf '\\e[44mblue\\e[m 漢字\\n'; seq 100\r");
  await it.shows(/│100$/m);
  it.early.type('\x02"');
  await it.shows(/─/);
  await it.isSeenWhole(late);
});

/** What programs write that have a way of their own with the screen. */
const WRITTEN: readonly [string, string][] = [
  [
    "wide and combining characters",
    "漢字かな\\r\\n한국어 e\\u0301o\\u0308\\u0323 👍 👨‍👩‍👧 🇩🇪\\033[4;79H漢\\033[5;80H字x\\033[6;10H漢字\\033[6;11Hx\\033[6;13Hy",
  ],
  [
    "a line that is full, with the cursor behind it",
    `\\033[3;1H\\033[1;31m${"x".repeat(79)}漢\\r\\n${"y".repeat(80)}`,
  ],
  ["a full line that ends in a wide character", `\\033[24;1H${"x".repeat(78)}漢`],
  [
    "the alternate screen, with all modes that there are",
    "main\\033]2;outside\\007\\033[?1049h\\033]2;inside \\303\\244\\007\\033[?1;6;1002;1004;1006;2004h\\033[5;20r\\033[?25l\\033[4h\\033[3 q\\033=\\033[2;3Halt \\033[48;5;20m",
  ],
  [
    "the screen that a program gave back",
    "one\\r\\ntwo\\033[?1049h\\033[Hgone\\033[?1049l three\\033[?7l",
  ],
  [
    "a region that scrolls, and tabs of its own",
    "\\033[3g\\033[1;9H\\033H\\033[H\\ta\\tb\\033[2;4r\\033[4;1H1\\n2\\n3\\n4\\n\\033[38;2;1;2;3mstyled",
  ],
];

test.each(WRITTEN)("%s are seen whole", async (_, written) => {
  const it = await seen(`/usr/bin/printf '%b' '${written}'; : > written; read more`);
  while (!existsSync(join(it.served.folder, "written"))) await it.text();
  await it.isSeenWhole(await it.late());
});
