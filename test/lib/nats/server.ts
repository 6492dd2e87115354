import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface NatsOptions {
  /** Configuration at top level, such as users and permissions, as nats-server's file has it. */
  readonly config?: string;
  /** Lines within the `jetstream` block, such as `max_file_store: 1MB`. */
  readonly jetstream?: string;
}

/** How much of what it logged is kept, for the message of a start that failed. */
const LOG_CHARACTERS = 20_000;

/** A nats-server of the test's own, on a private port, with JetStream in files of a temporary folder. It keeps port and
 * folder over `kill` and `restart`. `end` is owed, whatever became of it. */
export class NatsServer {
  readonly folder = mkdtempSync(join(tmpdir(), "termtopic-nats-"));
  /** The last of what it logged. */
  log = "";
  readonly #options: NatsOptions;
  #port = -1;
  #child: ChildProcess | undefined;

  private constructor(options: NatsOptions) {
    this.#options = options;
  }

  static async start(options: NatsOptions = {}): Promise<NatsServer> {
    const server = new NatsServer(options);
    try {
      await server.restart();
    } catch (error) {
      await server.end();
      throw error;
    }
    return server;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.#port}`;
  }

  /** `undefined` while it does not run. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts it again after `stop` or `kill`; `options` in place of those it had. Resolves once it takes connections. */
  async restart(options: NatsOptions = this.#options): Promise<void> {
    if (this.#child !== undefined) throw new Error("it runs: `stop` or `kill` it first");
    const file = join(this.folder, "nats.conf");
    writeFileSync(file, configuration(this.folder, this.#port, options));
    const child = spawn("nats-server", ["-c", file], { stdio: ["ignore", "ignore", "pipe"] });
    this.#child = child;
    const gone = once(child, "close").then(() => {
      if (this.#child === child) this.#child = undefined;
    });
    const ready = this.#ready(child);
    if ((await Promise.race([ready, gone.then(() => "gone" as const)])) === "gone") {
      throw new Error(`nats-server ended before it was ready:\n${this.log}`);
    }
    this.#port = await portOf(this.folder, child.pid);
  }

  /** Resolves at the line that it logs once it listens. */
  #ready({ stderr }: ChildProcess): Promise<"ready"> {
    return new Promise((resolve) => {
      let since = "";
      stderr?.setEncoding("utf8").on("data", (text: string) => {
        this.log = (this.log + text).slice(-LOG_CHARACTERS);
        since = (since + text).slice(-LOG_CHARACTERS);
        if (since.includes("Server is ready")) resolve("ready");
      });
    });
  }

  /** Ends it as an administrator does. */
  async stop(): Promise<void> {
    await this.#end("SIGTERM");
  }

  /** Ends it without a word, as a crash does. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** Stops and continues the process without ending it. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    this.#child?.kill(signal);
  }

  async #end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, "close");
    child.kill(signal);
    await closed;
  }

  /** Ends it for good and takes its folder away. */
  async end(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function configuration(folder: string, port: number, { config, jetstream }: NatsOptions): string {
  return `listen: "127.0.0.1:${port}"
ports_file_dir: "${folder}"
jetstream {
  store_dir: "${join(folder, "store")}"
  ${jetstream ?? ""}
}
${config ?? ""}
`;
}

/** It writes the file about when it says that it is ready, in no stated order. */
async function portOf(folder: string, pid: number | undefined): Promise<number> {
  const file = join(folder, `nats-server_${pid}.ports`);
  for (let waited = 0; waited < 5_000; waited += 10) {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    const port = /(?:nats|tls):\/\/[^"]*:(\d+)/.exec(text)?.[1];
    if (port !== undefined) return Number(port);
    await sleep(10);
  }
  throw new Error(`nats-server wrote no ports file ${file}`);
}
