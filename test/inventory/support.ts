import { execFileSync, type StdioOptions } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TSchema } from "@sinclair/typebox";
import { afterEach } from "vitest";
import {
  type AgentInfo,
  type AgentsFrame,
  AgentsFrame as AgentsFrameSchema,
} from "../../src/contract/agents.ts";
import { type Classification, classify } from "../../src/contract/derivations.ts";
import { type FoldState, fold, foldedRows } from "../../src/contract/fold.ts";
import type { SourceInfo } from "../../src/contract/sources.ts";
import type { TerminalInfo, TerminalsFrame } from "../../src/contract/terminals.ts";
import { TerminalsFrame as TerminalsFrameSchema } from "../../src/contract/terminals.ts";
import { validationErrors } from "../../src/contract/validation.ts";
import type { ObservationOptions } from "../../src/inventory/observed.ts";
import { TmuxSource } from "../../src/inventory/tmux.ts";
import { createProcessTable } from "../../src/processes/index.ts";
import { type Clock, systemClock } from "../../src/time/clock.ts";
import { offerHostTopics } from "../../src/topics/host.ts";
import { Topics } from "../../src/topics/hub.ts";
import { endTree } from "../lib/end-tree.ts";

const INSTANCE = "3f9c1a7b5e2d48069c1a7b5e2d480691";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

/** Runs when the test that is under way ends, last registered first. */
export function onEnd(cleanup: () => void): void {
  cleanups.push(cleanup);
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "termtopic-tmux-"));
  onEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A tmux server of the test's own, on a socket of its own, without the user's configuration. */
export class PrivateTmux {
  readonly socket: string;
  readonly #uid: number | undefined;
  /** How the client is told which server is meant. */
  #address: readonly string[];
  #environment: Readonly<Record<string, string>> = {};
  #pid: number | undefined;

  /** A server on the socket of that name in the folder that tmux makes below another one: `tmux -L`. */
  static named(folder: string, name: string): PrivateTmux {
    const tmux = new PrivateTmux(join(folder, `tmux-${process.getuid?.()}`, name));
    tmux.#address = ["-L", name];
    tmux.#environment = { TMUX_TMPDIR: folder };
    return tmux;
  }

  /** `uid`: whose server it is to be, where we may choose. */
  constructor(socket: string, uid?: number) {
    this.socket = socket;
    this.#uid = uid;
    this.#address = ["-S", socket];
    onEnd(() => this.end());
  }

  /** Runs a tmux command on it. `new-session` starts the server. */
  run(...command: (string | Buffer)[]): string {
    const environment = {
      ...process.env,
      TMUX: undefined,
      LC_ALL: "C.UTF-8",
      ...this.#environment,
    };
    const args = ["-f", "/dev/null", ...this.#address, ...command] as string[];
    const uid = this.#uid === undefined ? {} : { uid: this.#uid };
    const stdio: StdioOptions = ["ignore", "pipe", "pipe"];
    const output = execFileSync("tmux", args, {
      env: environment,
      encoding: "utf8",
      stdio,
      ...uid,
    });
    this.#pid ??= Number(this.#ask("#{pid}"));
    return output.trimEnd();
  }

  get pid(): number {
    if (this.#pid === undefined) throw new Error("Expected a server that runs, got none started");
    return this.#pid;
  }

  panes(): string[] {
    const all = this.run("list-panes", "-a", "-F", "#{pane_id}").split("\n");
    return [...new Set(all)];
  }

  /** Resolves once that many panes are dead and tmux says of each how it ended. tmux 3.3a now and then misses that
   * a child has ended, and hears of it with the end of the next one: it is given some. */
  async ended(count: number): Promise<void> {
    for (;;) {
      const panes = this.run(
        "list-panes",
        "-a",
        "-F",
        "#{pane_dead}#{pane_dead_status}#{pane_dead_signal}",
      );
      if (panes.split("\n").filter((pane) => /^1./.test(pane)).length >= count) return;
      this.run("run-shell", "true");
      await new Promise((turn) => setImmediate(turn));
    }
  }

  /** Ends exactly this server and what runs in it, also where it is suspended or its socket is gone. */
  end(): void {
    if (this.#pid !== undefined) endTree(this.#pid);
    this.#pid = undefined;
  }

  #ask(format: string): string {
    const args = ["-S", this.socket, "display-message", "-p", format];
    try {
      return execFileSync("tmux", args, { encoding: "utf8" }).trim();
    } catch {
      // A server without a session has no current target to say it of.
      const list = ["-S", this.socket, "list-sessions", "-F", format];
      return execFileSync("tmux", list, { encoding: "utf8" }).trim();
    }
  }
}

/** An ordinary user, for what root is never refused. */
export const NOBODY = 65_534;

/** A folder that every user may enter and `nobody` owns. */
export function sharedFolder(): string {
  const folder = temporaryFolder();
  chownSync(folder, NOBODY, NOBODY);
  chmodSync(folder, 0o755);
  return folder;
}

/** Lets the rest of the test run with that user's rights. Only root may. */
export function actAs(uid: number): void {
  const before = process.geteuid?.() ?? 0;
  process.seteuid?.(uid);
  onEnd(() => process.seteuid?.(before));
}

/** Somebody who is subscribed to `terminals` and `agents`: folds what arrives and waits for what is to come. */
export class Subscriber {
  /** Those of `terminals`. */
  readonly frames: { frame: TerminalsFrame; at: number }[] = [];
  readonly agentFrames: { frame: AgentsFrame; at: number }[] = [];
  #terminals: FoldState<TerminalInfo> = new Map();
  #agents: FoldState<AgentInfo> = new Map();
  #waiting: { holds: () => boolean; resolve: () => void }[] = [];

  take(line: Uint8Array): void {
    const at = performance.now();
    const value: { topic?: unknown } = JSON.parse(Buffer.from(line).toString("utf8"));
    if (value.topic === "terminals") {
      const frame = value as TerminalsFrame;
      requireValid(TerminalsFrameSchema, frame);
      this.#terminals = folded(fold("terminals", this.#terminals, frame));
      this.frames.push({ frame, at });
    } else {
      const frame = value as AgentsFrame;
      requireValid(AgentsFrameSchema, frame);
      this.#agents = folded(fold("agents", this.#agents, frame));
      this.agentFrames.push({ frame, at });
    }
    this.#waiting = this.#waiting.filter(({ holds, resolve }) => {
      if (!holds()) return true;
      resolve();
      return false;
    });
  }

  get rows(): TerminalInfo[] {
    return foldedRows(this.#terminals);
  }

  get sources(): readonly SourceInfo[] {
    return this.#terminals.get(INSTANCE)?.sources ?? [];
  }

  get agents(): AgentInfo[] {
    return foldedRows(this.#agents);
  }

  get agentSources(): readonly SourceInfo[] {
    return this.#agents.get(INSTANCE)?.sources ?? [];
  }

  /** Every terminal, by whose it is. */
  get classified(): Classification<TerminalInfo> {
    return classify(this.rows, this.agents);
  }

  row(pane: string): TerminalInfo | undefined {
    return this.rows.find(({ id }) => id.endsWith(`/${pane.replace("%", "")}`));
  }

  /** Resolves as soon as it holds; it is asked after every frame. */
  until(holds: (subscriber: Subscriber) => boolean): Promise<void> {
    if (holds(this)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ holds: () => holds(this), resolve }));
  }
}

function requireValid(schema: TSchema, frame: object): void {
  const faults = validationErrors(schema, frame);
  if (faults.length > 0) throw new Error(`invalid frame: ${JSON.stringify(faults)}`);
}

function folded<State>(step: { outcome: string; state: State }): State {
  if (step.outcome !== "folded") throw new Error(`a frame was not folded: ${step.outcome}`);
  return step.state;
}

/** The machine's time, with a count of the timers that wait. */
export class CountingClock implements Clock {
  readonly now = systemClock.now;
  readonly monotonic = systemClock.monotonic;
  #waiting = 0;

  get waiting(): number {
    return this.#waiting;
  }

  schedule(delayMs: number, task: () => void) {
    let waits = true;
    const done = () => {
      if (waits) this.#waiting -= 1;
      waits = false;
    };
    this.#waiting += 1;
    const cancel = systemClock.schedule(delayMs, () => {
      done();
      task();
    });
    return () => {
      done();
      cancel();
    };
  }
}

/** Observes the sockets and folders given, with everything real. */
export async function subscribe(
  sockets: readonly string[],
  options: Partial<ObservationOptions> = {},
): Promise<Subscriber & { end(): void }> {
  const clock = options.clock ?? systemClock;
  const table = createProcessTable({ clock });
  const topics = new Topics({ clock });
  const source = new TmuxSource({ clock, table, sockets });
  offerHostTopics({
    topics,
    epoch: "0123456789abcdef",
    self: { id: INSTANCE, host: "test", reachable: true },
    observation: {
      clock,
      table,
      instance: INSTANCE,
      sources: [source],
      agentSources: [],
      ...options,
    },
  });
  const subscriber = new Subscriber();
  const reader = topics.connect({
    buffered: 0,
    send: (line) => subscriber.take(line),
    evict: () => {
      throw new Error("the subscriber was evicted");
    },
  });
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    reader.end();
    table.close();
  };
  onEnd(end);
  const begins = await Promise.all(["terminals", "agents"].map((topic) => reader.open(topic)));
  for (const begin of begins) begin();
  return Object.assign(subscriber, { end });
}
