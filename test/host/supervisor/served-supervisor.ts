import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Host, type HostOptions } from "../../../src/host/host.ts";
import { hostMonitors, type OpenMonitors } from "../../../src/host/monitors/monitors.ts";
import { FORCED } from "../../../src/host/pty/kill-tree.ts";
import { spawnPty } from "../../../src/host/pty/pty.ts";
import { Sandboxes } from "../../../src/host/sandbox/sandbox.ts";
import { Screens } from "../../../src/host/screen/screens.ts";
import { SupervisorConnection } from "../../../src/host/supervisor/connection.ts";
import { encodeFrame, FrameReader } from "../../../src/host/supervisor/frames.ts";
import type { TerminalBackend } from "../../../src/host/supervisor/operation.ts";
import { Supervisor } from "../../../src/host/supervisor/supervisor.ts";
import { terminalLimits } from "../../../src/host/terminal-limits.ts";
import { createProcessTable } from "../../../src/processes/index.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { screenWorker } from "../screen/build-worker.ts";
import { currentBackend, endTmux } from "./backends.ts";
import { faultsOfAnswer } from "./strict.ts";

const table = createProcessTable({ clock: systemClock });

// biome-ignore lint/suspicious/noExplicitAny: what is read of a result is what the test expects there.
type Json = any;

let lastId = 0;
/** An id of a request that no other has. */
export function requestId(): string {
  lastId += 1;
  return lastId.toString(16).padStart(32, "0");
}

/** A connection as a client has it. */
export class Client {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  readonly #answers: Json[] = [];
  #waiting: (() => void)[] = [];
  #isClosed = false;

  constructor(path: string) {
    this.socket = connect(path);
    this.socket.on("error", () => {});
    const reader = new FrameReader();
    this.socket.on("data", (chunk: Buffer) => {
      for (const frame of reader.push(chunk)) this.#answers.push(frame);
      this.#wake();
    });
    this.closed = new Promise((resolve) => {
      this.socket.once("close", () => {
        this.#isClosed = true;
        this.#wake();
        resolve();
      });
    });
    onTestFinished(() => void this.socket.destroy());
  }

  send(request: unknown): void {
    this.socket.write(encodeFrame(request));
  }

  /** Sends an operation and answers its id. */
  begin(operation: object, id = requestId()): string {
    this.send({ kind: "terminal", request_id: id, operation });
    return id;
  }

  /** The next answer, which has a shape of the dialect and nothing beside. */
  async next(): Promise<Json> {
    for (;;) {
      const answer = this.#answers.shift();
      if (answer !== undefined) {
        const faults = faultsOfAnswer(answer);
        if (faults.length > 0) throw new Error(JSON.stringify({ answer, faults }));
        return answer;
      }
      if (this.#isClosed) throw new Error("the connection ended");
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async ask(request: unknown): Promise<Json> {
    this.send(request);
    return this.next();
  }

  /** Does an operation; the root of its result. */
  async operate(operation: object): Promise<Json> {
    this.begin(operation);
    return this.result();
  }

  /** The root of the next result: `success` or `failure`, or the whole failure. */
  async result(): Promise<Json> {
    const answer = await this.next();
    return answer.kind === "terminal" ? answer.output.structured : answer;
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** A host in this process that serves the supervisor dialect on a socket of its own. */
export interface Served {
  /** That of the sessions that are started: `backends.ts` says on which a test runs. */
  readonly backend: TerminalBackend;
  readonly host: Host;
  readonly supervisor: Supervisor;
  readonly folder: string;
  readonly workspace: string;
  readonly path: string;
  connect(): Client;
  /** A start of a shell's command. */
  start(command: string, more?: object): object;
}

/** Ended with the test. `changed`: makes other monitors of those that a host has. */
export async function serveSupervisor(
  options: Partial<HostOptions> = {},
  changed: (open: OpenMonitors) => OpenMonitors = (open) => open,
): Promise<Served> {
  const clock = options.clock ?? systemClock;
  const screens = new Screens({ clock, version: "1.2.3", worker: await screenWorker() });
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tt-supervisor-")));
  const workspace = join(folder, "work");
  mkdirSync(workspace);
  const host = new Host({
    clock,
    table,
    version: "1.2.3",
    limits: terminalLimits(),
    environments: join(folder, "environments"),
    baseEnvironment: { PATH: process.env["PATH"], HOME: folder, SHELL: "/bin/sh" },
    spawn: spawnPty,
    openScreen: (screen) => screens.open(screen),
    ...options,
  });
  // As a host closes its own folders to programs that are confined.
  const own = [join(folder, "own")];
  const sandboxes = new Sandboxes({ own, environment: process.env });
  const tmux = join(folder, "tmux");
  const supervisor = new Supervisor(host, changed(hostMonitors(clock)), sandboxes, {
    tmux,
    records: join(folder, "records"),
    table,
    warn: (message) => console.error(message),
  });
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    new SupervisorConnection(supervisor, socket);
  });
  const path = join(folder, "supervisor.sock");
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(async () => {
    await Promise.all(host.terminals.all.map((terminal) => host.close(terminal, FORCED)));
    await supervisor.durable?.release();
    await endTmux(join(tmux, "tmux.sock"));
    for (const socket of sockets) socket.destroy();
    server.close();
    await screens.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    backend: currentBackend(),
    host,
    supervisor,
    folder,
    workspace,
    path,
    connect: () => new Client(path),
    start: (command, more = {}) => ({
      action: "start",
      backend: currentBackend(),
      workspace_root: workspace,
      cwd: workspace,
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
    }),
  };
}
