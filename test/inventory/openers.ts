import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { spawn as spawnTerminal } from "node-pty";
import { onEnd } from "./support.ts";

/** A program on a terminal of its own, opened by this process. */
export function onTerminal(program: string, args: string[] = []) {
  const terminal = spawnTerminal(program, args, { cwd: "/", env: { PATH: process.env.PATH } });
  const ended = new Promise<void>((resolve) => terminal.onExit(() => resolve()));
  onEnd(() => {
    try {
      process.kill(terminal.pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  });
  return Object.assign(terminal, { ended });
}

/** Writes a program that opens two terminals and prints the pids on them. It ends with its input. */
export function opener(folder: string): string {
  const file = join(folder, "opener.mjs");
  const nodePty = pathToFileURL(createRequire(import.meta.url).resolve("node-pty")).href;
  writeFileSync(
    file,
    `import { spawn } from "${nodePty}";
    const opened = [1, 2].map(() => spawn("cat", [], {}));
    console.log(opened.map(({ pid }) => pid).join(" "));
    process.stdin.on("end", () => process.exit());
    process.stdin.resume();`,
  );
  return file;
}

/** Runs it. */
export const openTwo = (folder: string) => pidsFrom(process.execPath, [opener(folder)]);

/** Runs a program that prints pids, until the test ends. */
export async function pidsFrom(program: string, args: string[]): Promise<number[]> {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  onEnd(() => child.stdin.end());
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return String(line).split(" ").map(Number);
}
