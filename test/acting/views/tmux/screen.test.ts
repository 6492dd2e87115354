import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PrivateTmux, temporaryFolder } from "../../../inventory/support.ts";
import { session, until } from "../../support.ts";
import { hostileOutput, random } from "./output.ts";
import { agree, agreeAbove, rowOf, shownBy, Watcher } from "./support.ts";

/** A pane in which texts are shown as a program prints them. */
class Printer {
  readonly tmux: PrivateTmux;
  readonly #folder = temporaryFolder();
  #count = 0;

  constructor() {
    this.tmux = new PrivateTmux(join(temporaryFolder(), "s"));
    const command = `stty raw -echo; cd '${this.#folder}'; while read -r file; do cat "$file"; : > "$file.shown"; done`;
    this.tmux.run("new-session", "-d", "-x", "60", "-y", "16", command);
  }

  /** Resolves once tmux shows it. */
  async print(text: string): Promise<void> {
    this.#count += 1;
    const name = `text${this.#count}`;
    writeFileSync(join(this.#folder, name), `${text}\x1b]2;${name}\x07`);
    this.tmux.run("send-keys", "-t", "%0", "-l", `${name}\n`);
    const shows = () =>
      this.tmux.run("display-message", "-p", "-t", "%0", "#{pane_title}") === name;
    await until(() => (shows() ? true : undefined));
  }
}

const CORPUS: Readonly<Record<string, string>> = {
  "text and its cursor": "one\r\ntwo\r\n\r\n  three",
  "attributes and the sixteen colours":
    "\x1b[1mbold\x1b[2mdim\x1b[3mitalic\x1b[4munder\x1b[5mblink\x1b[7minverse\x1b[8mhidden\x1b[9mstruck\x1b[m" +
    "\r\n\x1b[31;42mdark\x1b[91;102mbright\x1b[39mno text colour\x1b[49mno ground\x1b[m plain",
  "256 colours and true colour":
    "\x1b[38;5;200;48;5;17mindexed\x1b[38;2;1;2;3;48;2;200;100;50mtrue\x1b[m",
  "a colour that goes on over the end of a line": "\x1b[44mblue\r\nblue too\r\n\x1b[mplain",
  "blanks with a ground to the right edge": `\x1b[41m${" ".repeat(60)}\x1b[m\r\n\x1b[7m bar \x1b[m`,
  "wide characters, also at the right edge": `日本語テスト\r\n${"x".repeat(58)}漢\r\n${"x".repeat(59)}字`,
  "combining characters": "e\u0301a\u0308o\u0323\u0302 n\u0303|",
  "lines and blocks": "\x1b(0lqqqk\r\nx   x\r\nmqqqj\x1b(B ┌─┐ ░▒▓█ \x0elqk\x0f",
  "a row that is full, and the cursor behind it": "y".repeat(60),
  "a full row that ends in a blank": `${"z".repeat(59)} `,
  "a full row that ends in colour": `${"z".repeat(59)}\x1b[41mE`,
  "a full row that ends in a wide character": `${"z".repeat(58)}語`,
  "a hidden cursor and one at home": "text\x1b[H\x1b[?25l",
  "the alternate screen": "main\x1b[?1049h\x1b[2J\x1b[5;5Hother",
  "erased parts and inserted lines":
    "a\r\nb\r\nc\r\nd\x1b[2;1H\x1b[L\x1b[4;1H\x1b[M\x1b[Hxx\x1b[1P\x1b[2@",
  "a region that scrolls alone": `\x1b[3;6r${Array.from({ length: 12 }, (_, n) => `\x1b[6;1H\n${n}`).join("")}\x1b[r\x1b[H`,
};

describe("the terminal of who looks at a pane shows what the pane shows:", () => {
  test.each(Object.entries(CORPUS))("%s", async (_, text) => {
    const { tmux, ...printer } = await printed();
    const watcher = await Watcher.at(rowOf(tmux));
    const old = await Watcher.at(rowOf(tmux), { isNew: false });
    await printer.print(`\x1b[H\x1b[2J${text}`);
    await agree(watcher, tmux);
    await agree(old, tmux);
    // Who comes later sees the same.
    await agree(await Watcher.at(rowOf(tmux)), tmux);
  });

  async function printed() {
    const printer = new Printer();
    await printer.print("begun");
    return { tmux: printer.tmux, print: (text: string) => printer.print(text) };
  }

  test("whatever a program prints, one piece after the other", async () => {
    const seed = Number(process.env["TERMTOPIC_SEED"] ?? 1);
    const next = random(seed);
    const printer = new Printer();
    await printer.print("begun");
    const watcher = await Watcher.at(rowOf(printer.tmux));
    for (let piece = 0; piece < 40; piece += 1) {
      await printer.print(hostileOutput(next));
      try {
        await agree(watcher, printer.tmux);
        await agreeAbove(watcher, printer.tmux);
      } catch (error) {
        throw new Error(`seed ${seed}, piece ${piece}`, { cause: error });
      }
    }
  }, 60_000);

  test("what follows a character of disputed width is where tmux has it", async () => {
    const printer = new Printer();
    const watchers = [
      await Watcher.at(rowOf(printer.tmux)),
      await Watcher.at(rowOf(printer.tmux), { isNew: false }),
    ];
    await printer.print("\x1b[H\x1b[2J😀|👨‍👩‍👧|❤️|👍🏽|🇩🇪|end");
    const at = Number(printer.tmux.run("display-message", "-p", "#{cursor_x}"));
    for (const watcher of watchers) {
      const row = () => watcher.terminal.buffer.active.getLine(0);
      await watcher.until(() => row()?.translateToString(false, at - 3, at) === "end");
      expect(watcher.cursor.x).toBe(at);
    }
  });
});

describe("a program that uses the whole screen is seen as it is:", () => {
  test("vim, while it is edited in", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, Array.from({ length: 200 }, (_, n) => `line ${n}\tof the file`).join("\n"));
    const tmux = session(`exec vim -u NONE -N '${file}'`);
    await until(() => (shownBy(tmux)[0]?.startsWith("line 0") ? true : undefined));
    const watcher = await Watcher.at(rowOf(tmux));
    await agree(watcher, tmux);
    watcher.type(":set number ruler\r");
    await watcher.until(() => watcher.screen.some((row) => /^ +1 line 0/.test(row)));
    await agree(watcher, tmux);
    watcher.type("50Gotyped here\x1b");
    await watcher.until(() => watcher.screen.some((row) => row.endsWith("typed here")));
    await agree(watcher, tmux);
    watcher.type("\x06\x06gg");
    await watcher.until(() => / 1 line 0/.test(watcher.screen[0] ?? ""));
    await agree(watcher, tmux);
    expect(watcher.terminal.buffer.active.type).toBe("alternate");
  });

  test("less, forth and back, and the shell's screen behind it", async () => {
    const tmux = session("echo before; seq 1 500 | less; echo after; exec cat");
    await until(() => (shownBy(tmux)[0] === "1" ? true : undefined));
    const watcher = await Watcher.at(rowOf(tmux));
    await agree(watcher, tmux);
    watcher.type("  b/333\r");
    await watcher.until(() => watcher.screen[0] === "333");
    await agree(watcher, tmux);
    watcher.type("q");
    await watcher.until(() => watcher.screen.includes("after"));
    await agree(watcher, tmux);
    expect(watcher.terminal.buffer.active.type).toBe("normal");
  });

  test("htop, in its colours, and again when it stands still", async () => {
    const tmux = session("htop -d 5");
    await until(() => (shownBy(tmux).at(-1)?.includes("F10") ? true : undefined));
    const watcher = await Watcher.at(rowOf(tmux));
    await watcher.until(() => watcher.screen.at(-1)?.includes("F10") === true);
    watcher.type("q");
    await watcher.until(() => watcher.events.some(({ type }) => type === "closed"));
    expect(watcher.end).toBeUndefined();
  });
});
