import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A part of a benchmark in a process of its own. It does one thing at a time and answers when it is done. */
export class Child<Request extends object> {
  readonly #process: ChildProcess;
  readonly #ready: Promise<unknown>;

  /** `file`: the address of a module whose `roles` has one of that name. */
  constructor(file: string, role: string) {
    const code = `
      import { runnerImport } from "vite";
      const { module } = await runnerImport(process.argv[1]);
      module.roles[process.argv[2]]();
      process.send("ready");`;
    this.#process = spawn(
      process.execPath,
      ["--input-type=module", "-e", code, fileURLToPath(file), role],
      {
        cwd: fileURLToPath(new URL("../..", import.meta.url)),
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      },
    );
    this.#ready = once(this.#process, "message");
  }

  get pid(): number {
    return this.#process.pid as number;
  }

  async ask<Answer>(request: Request): Promise<Answer> {
    await this.#ready;
    const answer = once(this.#process, "message");
    this.#process.send(request);
    return (await answer)[0] as Answer;
  }

  async end(): Promise<void> {
    const exited = once(this.#process, "exit");
    this.#process.disconnect();
    await exited;
  }
}

/** Answers the parent's requests, until the parent is gone. */
export function answerParent<Request>(answer: (request: Request) => Promise<unknown>): void {
  process.on("message", (request: Request) => {
    void answer(request).then((result) => process.send?.(result ?? "done"));
  });
  process.on("disconnect", () => process.exit());
}
