import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFailed, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { TerminalElement } from "../../src/contract/terminals.ts";

/** The program as it is shipped. `npm test` builds it. */
export const PROGRAM = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** The same for a shell's command line. */
export const COMMAND = `'${process.execPath}' '${PROGRAM}'`;

/** A folder of its own for each test, with what the program keeps in it. Paths of sockets are short. */
export class Place {
  readonly folder = mkdtempSync(join(tmpdir(), "tt-"));
  readonly state = join(this.folder, "state");
  readonly sockets = join(this.folder, "tmux");
  readonly readyFile = join(this.folder, "ready");
  /** What keeps a look to the private tmux servers. */
  readonly looking = ["--source", "tmux", "--tmux-socket", this.sockets] as const;
  readonly env: Record<string, string | undefined>;

  constructor() {
    mkdirSync(this.sockets);
    this.env = {
      PATH: process.env["PATH"],
      HOME: this.folder,
      LC_ALL: "C.UTF-8",
      // A shell that ends would write it into the folder while that is taken away.
      HISTFILE: "/dev/null",
      TERMTOPIC_STATE_DIR: this.state,
    };
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  /** Starts the program. It is ended with the test at the latest. */
  start(args: readonly string[], options: StartOptions = {}): Program {
    const program = options.program ?? [process.execPath, PROGRAM];
    const [file = "", ...before] = program;
    const child = spawn(file, [...before, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      ...options,
      env: { ...this.env, ...options.env },
    });
    return new Program(child);
  }

  /** Runs the program to its end. */
  async run(args: readonly string[], options: StartOptions = {}): Promise<Ended> {
    return this.start(args, options).ended;
  }

  /** Runs a shell's command line on a terminal of its own. What is written to its input is typed. */
  onTerminal(line: string, env: Record<string, string> = {}): Program {
    return this.start(["-qfec", line, "/dev/null"], {
      program: ["script"],
      stdio: ["pipe", "pipe", "pipe"],
      env: { TERM: "xterm", SHELL: "/bin/sh", ...env },
    });
  }

  /** Starts a publisher that keeps to the private tmux servers, and waits until it listens. */
  async serve(args: readonly string[] = [], options: StartOptions = {}): Promise<Publisher> {
    const own = ["--port", "0", ...this.looking, "--ready-file", this.readyFile];
    const program = this.start(["serve", ...own, ...args], options);
    await program.line(/serves/);
    const ready = JSON.parse(readFileSync(this.readyFile, "utf8")) as Ready;
    const token = readFileSync(join(this.state, "token"), "utf8").trim();
    return { program, ready, token };
  }

  /** Runs a tmux command on a private server, which is ended with the test. */
  tmux(...args: readonly string[]): string {
    const socket = join(this.sockets, "a");
    const run = (command: readonly string[]) =>
      execFileSync("tmux", ["-S", socket, "-f", "/dev/null", "-u", ...command], {
        encoding: "utf8",
        env: { ...this.env, TERM: "xterm" },
        stdio: ["ignore", "pipe", "pipe"],
      });
    if (args[0] === "new-session") onTestFinished(() => void run(["kill-server"]));
    return run(args);
  }

  /** A tmux server with one session, whose pane runs `cat`. */
  session(name = "work"): void {
    this.tmux("new-session", "-d", "-s", name, "-x", "80", "-y", "24", "exec cat");
    this.tmux("set-option", "-g", "remain-on-exit", "on");
  }

  /** Resolves once that many panes are dead and tmux says of each how it ended. tmux 3.3a now and then misses that
   * a child has ended, and hears of it with the end of the next one: it is given some. */
  async ended(count: number): Promise<void> {
    for (;;) {
      const format = "#{pane_dead}#{pane_dead_status}#{pane_dead_signal}";
      const panes = this.tmux("list-panes", "-a", "-F", format).split("\n");
      if (panes.filter((pane) => /^1./.test(pane)).length >= count) return;
      this.tmux("run-shell", "true");
      await new Promise((turn) => setImmediate(turn));
    }
  }
}

export type StartOptions = SpawnOptions & { readonly program?: readonly string[] };

export interface Ready {
  readonly pid: number;
  readonly instance: string;
  readonly endpoint: string;
  readonly socket: string;
  readonly port: number;
}

export interface Publisher {
  readonly program: Program;
  readonly ready: Ready;
  readonly token: string;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that runs. */
export class Program {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  stdout = "";
  stderr = "";
  readonly #waiting = new Set<() => void>();

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
      this.#look();
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
      this.#look();
    });
    this.ended = once(child, "close").then(([code]) => {
      this.#look();
      return { code, stdout: this.stdout, stderr: this.stderr };
    });
    onTestFailed(() => console.error(child.spawnargs, this.stdout, this.stderr));
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await this.ended;
    });
  }

  /** The whole lines of its output. */
  get lines(): string[] {
    return this.stdout.split("\n").slice(0, -1);
  }

  /** The first line of its output that matches. Rejects when the program ends without. */
  line(pattern: RegExp): Promise<string> {
    return this.until(() => this.lines.find((line) => pattern.test(line)));
  }

  /** What `find` finds, when it does. */
  until<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = find();
        if (found === undefined) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
      void this.ended.then(({ code }) => {
        reject(new Error(`ended with ${code} before that: ${this.stdout}${this.stderr}`));
      });
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  #look(): void {
    for (const look of [...this.#waiting]) look();
  }
}

/** What comes over a connection: replies, events and frames. */
export interface Message {
  readonly ok?: boolean;
  readonly ev?: string;
  readonly epoch?: string;
  readonly snapshot?: true;
  readonly data?: { readonly terminals: readonly TerminalElement[] };
}

/** A subscriber of `terminals` that only takes what comes. */
export class Subscriber {
  readonly messages: Message[] = [];
  readonly closed: Promise<number | undefined>;
  readonly #waiting = new Set<() => void>();

  private constructor(send: (text: string) => void, closed: Promise<number | undefined>) {
    this.closed = closed;
    const ask = (request: object) => send(`${JSON.stringify(request)}\n`);
    ask({ op: "hello.user", request_id: "1", protocol_version: 4 });
    void this.message(({ ok }) => ok === true).then(() =>
      ask({ op: "topic.subscribe", request_id: "2", topic: "terminals" }),
    );
  }

  static async overWebSocket({ ready, token }: Publisher): Promise<Subscriber> {
    const socket = new WebSocket(`${ready.endpoint.replace("http", "ws")}ws`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    await once(socket, "open");
    const closed = once(socket, "close").then(([code]) => code as number);
    const subscriber = new Subscriber((text) => socket.send(text), closed);
    socket.on("message", (data) => subscriber.#take(data.toString()));
    onTestFinished(() => socket.terminate());
    return subscriber;
  }

  static async overUnixSocket({ ready }: Pick<Publisher, "ready">): Promise<Subscriber> {
    const socket: Socket = connect(ready.socket);
    await once(socket, "connect");
    const closed = once(socket, "close").then(() => undefined);
    const subscriber = new Subscriber((text) => socket.write(text), closed);
    createInterface(socket).on("line", (line) => subscriber.#take(line));
    onTestFinished(() => void socket.destroy());
    return subscriber;
  }

  message(matches: (message: Message) => boolean): Promise<Message> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.messages.find(matches);
        if (found === undefined) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }

  #take(text: string): void {
    for (const line of text.split("\n").filter(Boolean)) this.messages.push(JSON.parse(line));
    for (const look of [...this.#waiting]) look();
  }
}
