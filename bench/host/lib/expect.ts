import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** An expect(1) that says each mark of a program on a line. */
export class ExpectBaseline {
  readonly #child: ChildProcess;
  #listener: (line: string) => void = () => {};

  constructor([file, script]: readonly [file: string, script: string]) {
    const program =
      `log_user 0; set timeout -1; spawn ${file} ${script};` +
      "expect -re {mark-[0-9]+-[0-9.]+-end} { puts $expect_out(0,string); flush stdout; exp_continue }";
    this.#child = spawn("expect", ["-c", program], { stdio: ["ignore", "pipe", "ignore"] });
    if (this.#child.stdout === null) throw new Error("expect has no output");
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#listener(line));
  }

  /** The answer ends it. */
  onFound(listener: (line: string) => void): () => void {
    this.#listener = listener;
    return () => {
      this.#listener = () => {};
    };
  }

  end(): void {
    this.#child.kill("SIGKILL");
  }
}
