import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The folder of the project, whatever folder a script is started from. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Runs a command in the project's folder with our own input and output. Rejects unless it exits
 * with 0, naming the command and how it ended. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: "inherit", ...options });
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`\`${command} ${args.join(" ")}\` ended with ${signal ?? code}`));
    });
  });
}

/** Runs a command in the project's folder without input, and answers with whether it exited with 0 and all
 * that it wrote. */
export function attempt(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    const written = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (bytes) => written.push(bytes));
    }
    child.once("error", reject);
    child.once("close", (code) =>
      resolve({ holds: code === 0, text: Buffer.concat(written).toString() }),
    );
  });
}

/** Runs the script's work; a failure is told in its own words and ends the process with 1. */
export async function main(work) {
  try {
    await work();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

/** The path of a command that a development dependency installs. */
export const tool = (name) => `node_modules/.bin/${name}`;
