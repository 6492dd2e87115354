import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { BuiltHost } from "../../hostile/real-host.ts";
import { isAlive, Place, type Program, until } from "../../process/support.ts";
import { Client } from "../served-supervisor.ts";

/** The hosts of one folder, one after the other, whose sessions in tmux outlive them. Everything ends with the test. */
export class Hosts {
  readonly place = new Place();
  readonly workspace: string;
  readonly #built: BuiltHost;
  #host: Program | undefined;

  constructor(built: BuiltHost, environment: Readonly<Record<string, string>> = {}) {
    this.#built = built;
    Object.assign(this.place.env, { SHELL: "/bin/sh", ...environment });
    this.workspace = join(realpathSync(this.place.folder), "work");
    mkdirSync(this.workspace);
    onTestFinished(() => this.#endSessions());
  }

  /** The socket of the host's own tmux server. */
  get socket(): string {
    return join(this.place.places.tmux, "tmux.sock");
  }

  /** Where sessions are written down. */
  get records(): string {
    return this.place.places.records;
  }

  /** What the host has said. */
  get said(): string {
    return this.#host?.stderr ?? "";
  }

  /** Starts the next one. Resolves once it listens. */
  async start({ program }: BuiltHost = this.#built): Promise<Client> {
    this.#host = this.place.start(program);
    await this.#host.listening;
    return this.connect();
  }

  connect(): Client {
    return new Client(this.place.places.supervisor);
  }

  /** Ends the one that runs, by default without a word. */
  async end(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    this.#host?.child.kill(signal);
    await this.#host?.ended;
  }

  /** Nothing is written below the folder any more then. */
  async #endSessions(): Promise<void> {
    if (existsSync(this.socket)) this.tmux("kill-server");
    const logs = join(this.place.places.tmux, "logs");
    if (!existsSync(logs)) return;
    for (const name of readdirSync(logs)) {
      const note = join(logs, name, "writer");
      const writer = existsSync(note) ? Number(readFileSync(note, "latin1")) : 0;
      await until(() => !(writer > 0 && isAlive(writer)) || undefined);
    }
  }

  /** The process of the tmux server. */
  server({ id }: Remote): number {
    return Number(this.tmux("display-message", "-p", "-t", `=${id}:`, "#{pid}"));
  }

  tmux(...args: string[]): string {
    try {
      return execFileSync("tmux", ["-S", this.socket, ...args], {
        encoding: "utf8",
        stdio: "pipe",
      });
    } catch {
      // It has ended with the last of its sessions.
      return "";
    }
  }

  /** Starts a session in tmux, on a connection of its own. */
  async session(command: string, more: object = {}): Promise<Remote> {
    const client = this.connect();
    const result = await client.operate(this.command(command, more));
    if (result.success === undefined) throw new Error(JSON.stringify(result));
    return new Remote(client, result.success.start.session.session_id);
  }

  /** Resolves when the one that runs has ended by itself. */
  async ended(): Promise<number | null> {
    return (await this.#host?.ended) ?? null;
  }

  /** A start of a shell's command in tmux. */
  command(command: string, more: object = {}): object {
    return {
      action: "start",
      backend: "tmux",
      workspace_root: this.workspace,
      cwd: this.workspace,
      initial_monitors: [],
      command,
      shell: "/bin/bash",
      arguments: ["--norc", "-c", command],
      sandbox_profile: null,
      rows: 24,
      columns: 80,
      return_when: null,
      wait_ceiling_ms: null,
      ...more,
    };
  }
}

/** A monitor that tells of whatever happens to it. */
export const monitor = (condition: object, more: object = {}) => ({
  condition,
  notify: { kind: "on_state_change" },
  lifetime: { kind: "until_session_end" },
  ...more,
});

/** A session as a client has it, with whichever host. */
export class Remote {
  readonly id: string;
  client: Client;
  /** Up to where its output was read, and what it was. */
  offset = 0;
  text = "";

  constructor(client: Client, id: string) {
    this.client = client;
    this.id = id;
  }

  /** What is answered to an operation on it, which is done. */
  async do(action: string, fields: object = {}) {
    const result = await this.client.operate({ action, session_id: this.id, ...fields });
    if (result.success === undefined) throw new Error(JSON.stringify(result));
    return result.success[action];
  }

  async facts() {
    return (await this.inspect()).session;
  }

  inspect(more: object = {}) {
    return this.do("inspect", { max_events: 256, ...more });
  }

  /** Events as `monitor-1 matched`, those that nobody has acknowledged. */
  async told(): Promise<string[]> {
    const { events } = await this.inspect();
    return events.map(
      ({ monitor_id, reason }: { monitor_id: string; reason: string }) => `${monitor_id} ${reason}`,
    );
  }

  /** Reads on to the end of what there is. */
  async read(): Promise<string> {
    for (;;) {
      const { raw_output, raw_range } = await this.do("read", {
        cursor_segment: 1,
        cursor_offset: this.offset,
      });
      if (raw_range === null) return this.text;
      if (raw_range.start.offset !== this.offset) throw new Error(JSON.stringify(raw_range));
      this.offset = raw_range.end.offset;
      this.text += raw_output;
    }
  }

  /** Reads until it has read this. */
  async readUntil(text: string): Promise<string> {
    for (;;) {
      if ((await this.read()).includes(text)) return this.text;
      await this.wait({ kind: "match", pattern: text });
    }
  }

  async wait(return_when: object) {
    return (await this.do("wait", { return_when, wait_ceiling_ms: 30_000 })).outcome;
  }
}
