import { spawn } from "node:child_process";
import { once } from "node:events";

const SAMPLES = 200;

/** The time of day as a shell's EPOCHREALTIME has it, in epoch milliseconds and finer than Date has it. */
export class WallClock {
  readonly #offset: number;

  private constructor(offset: number) {
    this.#offset = offset;
  }

  /** Asks a shell for the time again and again: the quickest answer is right to a tenth of a millisecond. */
  static async set(): Promise<WallClock> {
    const script = 'LC_ALL=C; while read -r line; do echo "$EPOCHREALTIME"; done';
    const shell = spawn("bash", ["-c", script], { stdio: ["pipe", "pipe", "ignore"] });
    let best = { tookMs: Number.POSITIVE_INFINITY, offset: 0 };
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const began = performance.now();
      shell.stdin.write("\n");
      const [answer] = (await once(shell.stdout, "data")) as [Buffer];
      const tookMs = performance.now() - began;
      const offset = Number(answer.toString()) * 1_000 - (began + tookMs / 2);
      if (tookMs < best.tookMs) best = { tookMs, offset };
    }
    shell.kill();
    return new WallClock(best.offset);
  }

  now(): number {
    return this.#offset + performance.now();
  }
}
