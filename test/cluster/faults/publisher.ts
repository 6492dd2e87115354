import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { endTree } from "../../lib/end-tree.ts";
import type { CuttableLink } from "../../lib/nats/link.ts";
import type { InstanceTruth, Run } from "../history/history.ts";
import { now } from "./now.ts";
import { OpenSpans } from "./open-spans.ts";
import type { Terminals } from "./terminals.ts";

/** The program as it is shipped, or another build that is to be looked at. */
const PROGRAM =
  process.env["TERMTOPIC_PROGRAM"] ??
  fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

/** How much of what it logged is kept. */
const LOG_CHARACTERS = 100_000;

type OpenRun = { -readonly [Field in keyof Run]: Run[Field] };

/** Where a reader finds it. */
export interface Address {
  readonly url: string;
  readonly token: string;
}

/** One instance as people run it, with a state folder, terminals and a link to the engine of its own, and what is done to it. */
export class Publisher {
  readonly name: string;
  readonly terminals: Terminals;
  readonly link: CuttableLink;
  readonly paused = new OpenSpans();
  readonly cut = new OpenSpans();
  log = "";
  id = "";
  readonly #folder: string;
  readonly #options: readonly string[];
  readonly #runs: OpenRun[] = [];
  #child: ChildProcess | undefined;
  #address: Address | undefined;

  /** `options` go to `serve`. */
  constructor(
    folder: string,
    terminals: Terminals,
    link: CuttableLink,
    options: readonly string[] = [],
  ) {
    this.name = folder.slice(folder.lastIndexOf("/") + 1);
    this.#folder = folder;
    this.terminals = terminals;
    this.link = link;
    this.#options = options;
    mkdirSync(folder, { recursive: true });
  }

  /** `undefined` while it does not run. */
  get address(): Address | undefined {
    return this.#address;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get truth(): InstanceTruth {
    const { id, paused, cut, terminals } = this;
    const unread = terminals.unread.all;
    return {
      id,
      runs: this.#runs,
      paused: paused.all,
      cut: cut.all,
      unread,
      rows: terminals.truth,
    };
  }

  /** Resolves once it listens. */
  async start(): Promise<void> {
    const state = join(this.#folder, "state");
    const ready = join(this.#folder, "ready.json");
    const looking = ["--source", "tmux", "--tmux-socket", this.terminals.socket];
    const own = ["serve", "--port", "0", "--ready-file", ready, "--nats", this.link.url];
    const run: OpenRun = {
      from: now(),
      listensAt: Number.POSITIVE_INFINITY,
      to: Number.POSITIVE_INFINITY,
      isFirst: this.id === "",
      ending: "running",
    };
    const child = spawn(process.execPath, [PROGRAM, ...own, ...looking, ...this.#options], {
      env: {
        ...process.env,
        TERMTOPIC_STATE_DIR: state,
        TERMTOPIC_RUNTIME_DIR: join(this.#folder, "run"),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    this.#runs.push(run);
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.log = (this.log + text).slice(-LOG_CHARACTERS);
    });
    child.once("exit", (code, signal) => {
      run.to = now();
      this.log += `(ended: ${code ?? signal})\n`;
      if (this.#child === child) this.#address = undefined;
    });
    const ended = once(child, "exit").then(() => "ended" as const);
    const said = once(child.stdout, "data").then(() => "listens" as const);
    if ((await Promise.race([said, ended])) === "ended")
      throw new Error(`${this.name} ended before it listened:\n${this.log}`);
    child.stdout.resume();
    run.listensAt = now();
    const { endpoint } = JSON.parse(readFileSync(ready, "utf8")) as { endpoint: string };
    const token = readFileSync(join(state, "token"), "utf8").trim();
    this.id = readFileSync(join(state, "instance.id"), "utf8").trim();
    this.#address = { url: `${endpoint.replace(/^http/, "ws")}ws`, token };
  }

  /** Ends it without a word. */
  async kill(): Promise<void> {
    await this.#end("killed", "SIGKILL");
  }

  /** Ends it as its user does. */
  async stop(): Promise<void> {
    await this.#end("stopped", "SIGTERM");
  }

  /** Ends it as one does who starts it again at once. */
  async restart(): Promise<void> {
    await this.#end("restarted", "SIGHUP");
  }

  pause(): void {
    this.paused.begin();
    this.#child?.kill("SIGSTOP");
  }

  resume(): void {
    this.#child?.kill("SIGCONT");
    this.paused.end();
  }

  /** Its link to the engine ends, or stays and lets nothing through. */
  sever(how: "cut" | "hold"): void {
    this.cut.begin();
    this.link[how]();
  }

  heal(): void {
    this.link.heal();
    this.cut.end();
  }

  /** Forgets what is over. */
  forget(): void {
    this.#runs.splice(0, this.#runs.length, ...this.#runs.filter(({ to }) => to > now()));
    this.paused.forget();
    this.cut.forget();
    this.terminals.forget();
  }

  end(): void {
    this.terminals.end();
    const { pid } = this.#child ?? {};
    if (pid !== undefined && this.#runs.at(-1)?.to === Number.POSITIVE_INFINITY) endTree(pid);
  }

  async #end(
    ending: Exclude<Run["ending"], "running">,
    signal: "SIGKILL" | "SIGTERM" | "SIGHUP",
  ): Promise<void> {
    const child = this.#child;
    const run = this.#runs.at(-1);
    if (child === undefined || run === undefined || run.to !== Number.POSITIVE_INFINITY) return;
    const exited = once(child, "exit");
    run.ending = ending;
    if (ending !== "killed") run.toldAt = now();
    child.kill(signal);
    await exited;
  }
}
