import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** How long the look may take, in milliseconds. */
const DEADLINE_MS = 2_000;

/** What bash ends with: there is something to read, or nothing. */
const THERE = 0;
const NOTHING = 1;

/** Whether a program on a terminal has left something unread; for a terminal that edits lines, a whole line. bash can look
 * without taking it away; Node cannot. `undefined` where there is no bash, or no terminal any more. */
export async function hasUnread(tty: string): Promise<boolean | undefined> {
  const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants;
  const slave = await open(tty, O_RDONLY | O_NONBLOCK | O_NOCTTY).catch(() => undefined);
  if (slave === undefined) return undefined;
  try {
    const code = await codeOf(slave.fd);
    return code === THERE ? true : code === NOTHING ? false : undefined;
  } finally {
    await slave.close();
  }
}

function codeOf(input: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const child = spawn("bash", ["--norc", "--noprofile", "-c", "read -t 0"], {
      stdio: [input, "ignore", "ignore"],
      env: { PATH: process.env["PATH"] },
      cwd: "/",
      timeout: DEADLINE_MS,
      killSignal: "SIGKILL",
    });
    child.once("error", () => resolve(undefined));
    child.once("exit", (code) => resolve(code ?? undefined));
  });
}
