import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Look, Request, Shown } from "./looks.ts";

const CODE = `
  import { runnerImport } from "vite";
  const { module } = await runnerImport(process.argv[1]);
  module.run();`;

/** Somebody who looks at a terminal, in a process of its own. */
export class Watcher {
  readonly pid: number;
  readonly #process: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#process = child;
    this.pid = child.pid as number;
  }

  static async start(): Promise<Watcher> {
    const program = fileURLToPath(new URL("./watching.ts", import.meta.url));
    const child = spawn(process.execPath, ["--input-type=module", "-e", CODE, program], {
      cwd: fileURLToPath(new URL("../../..", import.meta.url)),
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      // In a session of its own, as people have one each.
      detached: true,
    });
    await once(child, "message");
    return new Watcher(child);
  }

  look(look: Look): Promise<void> {
    return this.#ask({ do: "look", look });
  }

  leave(): Promise<void> {
    return this.#ask({ do: "leave" });
  }

  shown(): Promise<Shown> {
    return this.#ask({ do: "shown" });
  }

  /** Answers how long it took until the text was shown, in milliseconds. */
  type(keys: string, until?: string): Promise<number> {
    return this.#ask({ do: "type", keys, ...(until === undefined ? {} : { until }) });
  }

  echo(keys: number): Promise<number[]> {
    return this.#ask({ do: "echo", keys });
  }

  attach(look: Look, until: string, times: number): Promise<number[]> {
    return this.#ask({ do: "attach", look, until, times });
  }

  /** It reads no more, and is still there. */
  stop(): void {
    this.#process.kill("SIGSTOP");
  }

  goOn(): void {
    this.#process.kill("SIGCONT");
  }

  async end(): Promise<void> {
    const exited = once(this.#process, "exit");
    this.goOn();
    this.#process.disconnect();
    await exited;
  }

  async #ask<Answer>(request: Request): Promise<Answer> {
    const answer = once(this.#process, "message");
    this.#process.send(request);
    return (await answer)[0] as Answer;
  }
}
