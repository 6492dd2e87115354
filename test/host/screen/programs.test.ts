import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Pty, spawnPty } from "../../../src/host/pty/pty.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { bytesOf, type Model, modelOf, modelState, Viewer } from "./support.ts";

const SIZE = { cols: 80, rows: 24 };
/** A program on a real terminal whose output a screen has, and a list beside it. */
class Session {
  readonly model: Model = modelOf(SIZE, 1000);
  readonly ended: Promise<void>;
  readonly #output: Buffer[] = [];
  readonly #pty: Pty;
  #looks = new Set<() => void>();

  constructor(file: string, args: readonly string[], cwd: string) {
    let end: () => void = () => undefined;
    this.ended = new Promise((resolve) => {
      end = resolve;
    });
    const path = process.env.PATH ?? "/usr/bin:/bin";
    const env = { PATH: path, TERM: "xterm-256color", LANG: "C.UTF-8", HOME: cwd, PS1: "$ " };
    this.#pty = spawnPty(
      { file, args, cwd, env, ...SIZE, clock: systemClock },
      {
        data: (bytes) => {
          this.#output.push(Buffer.from(bytes));
          this.model.feed(bytes, false);
          const answers = this.model.takeAnswers();
          if (answers !== "") this.#pty.write(bytesOf(answers));
          for (const look of this.#looks) look();
        },
        exit: () => end(),
      },
    );
  }

  type(keys: string): void {
    this.#pty.write(bytesOf(keys));
  }

  get text(): string {
    return this.model.capture({ scrollback: 0 }).text;
  }

  /** Waits until the screen shows it. */
  shows(what: RegExp): Promise<void> {
    return new Promise((resolve, reject) => {
      void this.ended.then(() => reject(new Error(`It ended, and showed:\n${this.text}`)));
      const look = () => {
        if (!what.test(this.text)) return;
        this.#looks.delete(look);
        resolve();
      };
      this.#looks.add(look);
      look();
    });
  }

  /** Holds a fresh viewer that is given a snapshot against the screen, and against one that had all of the output. */
  async isShownWhole(): Promise<void> {
    const [copy, witness] = [new Viewer(SIZE, 1000), new Viewer(SIZE, 1000)];
    const { bytes } = this.model.snapshot(1000);
    const output = Buffer.concat(this.#output);
    const now = modelState(this.model, { history: true });
    const loosely = modelState(this.model, { history: true, isLoose: true });
    await copy.write(bytes);
    await witness.write(output);
    expect(copy.state({ history: true })).toEqual(now);
    expect(witness.state({ history: true, isLoose: true })).toEqual(loosely);
  }

  /** Hangs up, as a closed window does. */
  end(): Promise<void> {
    try {
      process.kill(this.#pty.pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
    return this.ended;
  }
}

describe("a screen", () => {
  let folder: string;
  let session: Session;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "termtopic-screen-"));
    const lines = Array.from(
      { length: 300 },
      (_, line) => `${line} text 漢字 e\u0301 ${"wide ".repeat(line % 30)}`,
    );
    writeFileSync(join(folder, "file.txt"), `${lines.join("\n")}\n`);
  });
  afterEach(async () => {
    await session.end();
    const socket = join(folder, "tmux");
    if (existsSync(socket)) spawnSync("tmux", ["-S", socket, "kill-server"]);
    rmSync(folder, { recursive: true, force: true });
  });

  test("is shown whole in vim, and after it", async () => {
    session = new Session("/bin/bash", ["--norc", "--noprofile"], folder);
    await session.shows(/\$$/m);
    session.type("echo before; vim -u NONE -N -i NONE -n file.txt\r");
    await session.shows(/0 text/);
    session.type(":set number ruler hlsearch\r:syntax on\r");
    await session.isShownWhole();
    session.type("G/wide\rzz");
    await session.shows(/^ *2\d\d /m);
    session.type("Otyped 漢 here");
    await session.shows(/typed 漢 here/);
    await session.isShownWhole();
    session.type("\x1b:split\r");
    await session.shows(/file\.txt.*(\n.*)+file\.txt/);
    await session.isShownWhole();
    session.type(":qa!\r");
    await session.shows(/before\n.*\$$/);
    await session.isShownWhole();
  });

  test("is shown whole in less", async () => {
    session = new Session("less", ["-R", "file.txt"], folder);
    await session.shows(/^0 text/m);
    await session.isShownWhole();
    session.type("  /wide wide wide wide\r");
    await session.shows(/wide wide wide wide/);
    session.type("G");
    await session.shows(/^299 text/m);
    await session.isShownWhole();
    session.type("kkkk");
    await session.shows(/^295 text/m);
    await session.isShownWhole();
  });

  test("is shown whole in top", async () => {
    session = new Session("top", ["-d", "0.2"], folder);
    await session.shows(/PID +USER/);
    session.type("z");
    await session.isShownWhole();
    session.type("h");
    await session.shows(/Help for/);
    await session.isShownWhole();
  });

  test("is shown whole with tmux in it", async () => {
    const socket = join(folder, "tmux");
    session = new Session(
      "tmux",
      ["-u", "-f", "/dev/null", "-S", socket, "new", "bash --norc --noprofile"],
      folder,
    );
    await session.shows(/\[0\] 0:bash/);
    session.type("\x02%");
    await session.shows(/│/);
    session.type("printf '\\e[44mblue\\e[m 漢字\\n'; seq 100\r");
    await session.shows(/│100$/m);
    await session.isShownWhole();
    session.type('\x02"');
    await session.shows(/─/);
    await session.isShownWhole();
    session.type("tmux kill-server\r");
    await session.ended;
    await session.isShownWhole();
  });

  test("is shown whole at a prompt with a line that wraps", async () => {
    session = new Session("/bin/bash", ["--norc", "--noprofile"], folder);
    await session.shows(/\$$/m);
    session.type("x".repeat(78));
    await session.shows(/x{78}/);
    await session.isShownWhole();
    session.type("y");
    await session.shows(/y/);
    await session.isShownWhole();
    session.type("\x15cat file.txt\r");
    await session.shows(/^299 text/m);
    await session.isShownWhole();
  });
});
