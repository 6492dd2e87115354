import { execFile } from "node:child_process";
import { mkdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { endTree } from "../../lib/end-tree.ts";
import type { Instant, RowTruth, Version } from "../history/history.ts";
import { now } from "./now.ts";
import { OpenSpans } from "./open-spans.ts";

const run = promisify(execFile);

interface Pane {
  readonly number: string;
  readonly pid: number;
  readonly key: string;
  readonly opened: Instant;
  versions: Version[];
  closed?: Instant;
}

/** How long a shell may take to change its folder. */
const CHANGE_MS = 10_000;

/** The terminals of one instance: panes of a private tmux server, each with a shell. What is known of one is its folder,
 * since that is seen as soon as it changes. */
export class Terminals {
  readonly socket: string;
  readonly unread = new OpenSpans();
  readonly #folder: string;
  readonly #panes: Pane[] = [];
  #server: { readonly pid: number; readonly startTime: string } | undefined;
  #count = 0;

  constructor(folder: string) {
    this.#folder = join(folder, "work");
    this.socket = join(folder, "tmux");
    mkdirSync(this.#folder, { recursive: true });
  }

  /** What of a row is known here. */
  static valueOf(row: object): unknown {
    return Reflect.get(row, "cwd");
  }

  get open(): readonly Pane[] {
    return this.#panes.filter(({ closed }) => closed === undefined);
  }

  get truth(): readonly RowTruth[] {
    return this.#panes;
  }

  /** Forgets terminals that are closed, and all values but the last. */
  forget(): void {
    this.#panes.splice(0, this.#panes.length, ...this.open);
    this.unread.forget();
    for (const pane of this.#panes) pane.versions = pane.versions.slice(-1);
  }

  /** `argument`: something that its shell is given, which its row tells. */
  async add(argument = ""): Promise<void> {
    const since = now();
    const format = "#{pane_id} #{pane_pid} #{pid} #{start_time}";
    const what = ["-d", "-P", "-F", format, "-c", this.#folder, `exec sh -s ${argument}`];
    const command = this.#server === undefined ? "new-session" : "new-window";
    const size = this.#server === undefined ? ["-x", "80", "-y", "24"] : [];
    const answer = await this.#tmux(command, ...size, ...what);
    const [id = "", pid = "", server = "", startTime = ""] = answer.split(" ");
    this.#server ??= { pid: Number(server), startTime };
    const number = id.slice(1);
    const socket = encodeURIComponent(this.socket);
    const key = `tmux:${socket}@${server}.${startTime}/${number}`;
    const opened = { since, sureBy: now() };
    this.#panes.push({ number, pid: Number(pid), key, opened, versions: [] });
  }

  /** Gives the terminal at that place among the open ones a new value. */
  async change(index: number): Promise<void> {
    const pane = this.open[index];
    if (pane === undefined) return;
    this.#count += 1;
    const value = join(this.#folder, `v${this.#count}`);
    mkdirSync(value);
    const since = now();
    await this.#tmux("send-keys", "-t", `%${pane.number}`, `cd ${value}`, "Enter");
    const sent = now();
    while (readlinkSync(`/proc/${pane.pid}/cwd`) !== value) {
      if (now() - sent > CHANGE_MS) throw new Error(`the shell of ${pane.key} did not take a line`);
      await sleep(3);
    }
    pane.versions.push({ value, since, sureBy: now() });
  }

  async close(index: number): Promise<void> {
    const pane = this.open[index];
    if (pane === undefined) return;
    const since = now();
    await this.#tmux("kill-pane", "-t", `%${pane.number}`);
    pane.closed = { since, sureBy: now() };
  }

  /** Its manager does not answer any more. */
  freeze(): void {
    this.unread.begin();
    if (this.#server !== undefined) process.kill(this.#server.pid, "SIGSTOP");
  }

  thaw(): void {
    if (this.#server !== undefined) process.kill(this.#server.pid, "SIGCONT");
    this.unread.end();
  }

  end(): void {
    if (this.#server !== undefined) endTree(this.#server.pid);
  }

  async #tmux(...command: string[]): Promise<string> {
    const args = ["-S", this.socket, "-f", "/dev/null", "-u", ...command];
    const env = { ...process.env, TMUX: "", ENV: "", PS1: "$ " };
    return (await run("tmux", args, { env })).stdout.trim();
  }
}
