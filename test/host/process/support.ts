import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "vite";
import { onTestFailed, onTestFinished } from "vitest";
import { type HostPlaces, hostPlaces } from "../../../src/host/process/places.ts";
import { type RunningHost, runningHost } from "../../../src/inventory/host/claim.ts";
import { createProcessTable } from "../../../src/processes/index.ts";
import { systemClock } from "../../../src/time/clock.ts";

export const table = createProcessTable({ clock: systemClock });

/** A host for tests, and what takes it away. */
export interface BundledHost {
  /** What runs it in the foreground. */
  readonly program: readonly [string, string, string];
  remove(): void;
}

export async function bundleHost(): Promise<BundledHost> {
  const root = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), "tt-host-program-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  await build({
    configFile: false,
    logLevel: "silent",
    ssr: { noExternal: true, external: ["node-pty"] },
    build: {
      ssr: join(import.meta.dirname, "program/host.ts"),
      target: "node20",
      outDir: join(folder, "dist"),
      rolldownOptions: {
        external: ["node-pty"],
        output: { entryFileNames: "host.mjs" },
      },
    },
  });
  return {
    program: [process.execPath, join(folder, "dist/host.mjs"), "host"],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Looks again at every turn of the event loop: for what the kernel tells nobody. */
export async function until<T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export const isAlive = (pid: number) => table.read(pid) !== undefined;

/** A folder of its own for each test. Every host that listens there is ended with the test. */
export class Place {
  readonly folder = mkdtempSync(join(tmpdir(), "tt-host-"));
  readonly state = join(this.folder, "state");
  readonly runtime = join(this.folder, "run");
  readonly places: HostPlaces = hostPlaces(this.runtime, {});
  readonly env: Record<string, string | undefined> = {
    PATH: process.env["PATH"],
    HOME: this.folder,
    TERMTOPIC_STATE_DIR: this.state,
    TERMTOPIC_RUNTIME_DIR: this.runtime,
  };

  constructor() {
    onTestFinished(async () => {
      const host = await this.host().catch(() => undefined);
      if (host !== undefined && host.pid !== process.pid) {
        process.kill(host.pid, "SIGKILL");
        await until(() => (isAlive(host.pid) ? undefined : true));
      }
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
    });
  }

  host(): Promise<RunningHost | undefined> {
    return runningHost(this.places.folder, table);
  }

  start(program: readonly string[], ...options: string[]): Program {
    const [file = "", ...args] = program;
    const stdio = ["ignore", "pipe", "pipe"] as const;
    return new Program(spawn(file, [...args, ...options], { env: this.env, stdio: [...stdio] }));
  }
}

/** A host in the foreground. */
export class Program {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  stderr = "";
  readonly listening: Promise<void>;

  constructor(child: ChildProcess) {
    this.child = child;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    this.ended = once(child, "close").then(([code]) => code);
    this.listening = new Promise((resolve, reject) => {
      child.stdout?.once("data", () => resolve());
      void this.ended.then((code) => reject(new Error(`ended with ${code}: ${this.stderr}`)));
    });
    this.listening.catch(() => {});
    onTestFailed(() => console.error(this.stderr));
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await this.ended;
    });
  }
}

/** A connection to the test's channel. */
export class Channel {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  readonly #lines: unknown[] = [];
  #waiting: (() => void)[] = [];

  constructor(path: string) {
    this.socket = connect(path);
    this.socket.on("error", () => {});
    this.closed = new Promise((resolve) => this.socket.once("close", () => resolve()));
    createInterface(this.socket)
      .on("error", () => {})
      .on("line", (line) => {
        this.#lines.push(JSON.parse(line));
        for (const look of this.#waiting.splice(0)) look();
      });
    onTestFinished(() => void this.socket.destroy());
  }

  async next(): Promise<Record<string, unknown>> {
    for (;;) {
      const line = this.#lines.shift();
      if (line !== undefined) return line as Record<string, unknown>;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  ask(request: object): void {
    this.socket.write(`${JSON.stringify(request)}\n`);
  }

  async open(...command: string[]): Promise<{ id: string; pid: number }> {
    this.ask({ open: command });
    const { id, pid } = await this.next();
    return { id: String(id), pid: Number(pid) };
  }
}

/** One that has been greeted. */
export async function greeted(path: string): Promise<Channel> {
  const channel = new Channel(path);
  await channel.next();
  return channel;
}
