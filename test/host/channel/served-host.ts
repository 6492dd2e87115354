import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { ChannelConnection } from "../../../src/host/channel/connection.ts";
import { Host, type HostOptions } from "../../../src/host/host.ts";
import { spawnPty } from "../../../src/host/pty/pty.ts";
import { Screens } from "../../../src/host/screen/screens.ts";
import { Signal } from "../../../src/host/signal.ts";
import { terminalLimits } from "../../../src/host/terminal-limits.ts";
import { createProcessTable } from "../../../src/processes/index.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { screenWorker } from "../screen/build-worker.ts";
import { ChannelClient } from "./channel-client.ts";

const table = createProcessTable({ clock: systemClock });

/** A host in this process that serves the channel dialect on a socket of its own. */
export class ServedHost {
  readonly host: Host;
  readonly folder: string;
  readonly path: string;
  readonly connections: ChannelConnection[] = [];
  /** The host's ends of those that have not ended. */
  readonly sockets = new Set<Socket>();
  /** Resolves when a client has asked the host to end. */
  readonly shutdown: Promise<void>;
  readonly #server: Server;
  readonly #left = new Signal();

  constructor(host: Host, folder: string) {
    this.host = host;
    this.folder = folder;
    this.path = join(folder, "channel.sock");
    let asked = () => {};
    this.shutdown = new Promise((resolve) => {
      asked = resolve;
    });
    this.#server = createServer((socket) => {
      this.sockets.add(socket);
      socket.once("close", () => {
        this.sockets.delete(socket);
        this.#left.emit();
      });
      this.connections.push(new ChannelConnection(host, socket, asked));
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.path, resolve));
  }

  /** Resolves when no more than so many connections are left. */
  hasLeft(count: number): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.sockets.size > count) return;
        unlisten();
        resolve();
      };
      const unlisten = this.#left.on(look);
      look();
    });
  }

  /** Connects and is greeted. */
  connect(): Promise<ChannelClient> {
    return ChannelClient.connect(this.path);
  }

  async end(): Promise<void> {
    await this.host.closeAll();
    for (const connection of this.connections) connection.end();
    this.#server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Ended with the test. */
export async function serveHost(options: Partial<HostOptions> = {}): Promise<ServedHost> {
  const clock = options.clock ?? systemClock;
  const screens = new Screens({ clock, version: "1.2.3", worker: await screenWorker() });
  const folder = mkdtempSync(join(tmpdir(), "tt-channel-"));
  const host = new Host({
    clock,
    table,
    version: "1.2.3",
    limits: terminalLimits(),
    environments: join(folder, "environments"),
    baseEnvironment: { PATH: process.env["PATH"], HOME: folder, SHELL: "/bin/sh", PS1: "$ " },
    spawn: spawnPty,
    openScreen: (screen) => screens.open(screen),
    ...options,
  });
  const served = new ServedHost(host, folder);
  await served.listen();
  onTestFinished(async () => {
    await served.end();
    await screens.close();
  });
  return served;
}
