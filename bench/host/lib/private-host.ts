import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectHost, type HostConnection } from "../../../src/host/index.ts";

/** The program as it is built. */
export const PROGRAM = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

/** A folder for a host of one's own, and the environment that has everything of it there. */
export class HostFolder {
  readonly path = mkdtempSync(join(tmpdir(), "tt-bench-"));
  readonly channel = join(this.path, "run/host/channel.sock");
  readonly environment = {
    ...process.env,
    TERMTOPIC_STATE_DIR: join(this.path, "state"),
    TERMTOPIC_RUNTIME_DIR: join(this.path, "run"),
  };

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** The host as people run it, in a process of its own that nobody else reaches, and a connection to it. */
export class PrivateHost {
  readonly pid: number;
  readonly path: string;
  readonly connection: HostConnection;
  readonly #child: ChildProcess;
  readonly #folder: HostFolder;

  private constructor(child: ChildProcess, folder: HostFolder, connection: HostConnection) {
    this.#child = child;
    this.#folder = folder;
    this.pid = child.pid as number;
    this.path = folder.channel;
    this.connection = connection;
  }

  /** `more`: options of `termtopic host`. */
  static async start(more: readonly string[] = []): Promise<PrivateHost> {
    const folder = new HostFolder();
    const child = spawn(process.execPath, [PROGRAM, "host", "--idle", "600", ...more], {
      env: folder.environment,
      stdio: ["ignore", "pipe", "inherit"],
      // The machine shares its time out among sessions first, and hosts have one of their own.
      detached: true,
    });
    // It says where it is once it listens.
    await once(child.stdout, "data");
    return new PrivateHost(child, folder, await connectHost({ path: folder.channel }));
  }

  async end(): Promise<void> {
    const exited = once(this.#child, "exit");
    this.connection.close();
    this.#child.kill("SIGTERM");
    await exited;
    this.#folder.remove();
  }
}
