import { type ExecFileOptions, execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { endTree } from "../../../lib/end-tree.ts";
import { temporaryFolder, until } from "../support.ts";

const run = promisify(execFile);

/** Runs the tmux client as a person outside of any tmux would. */
export async function tmux(
  args: readonly string[],
  options: ExecFileOptions = {},
): Promise<string> {
  const { TMUX, TMUX_PANE, TMUX_TMPDIR, ...env } = process.env;
  const { stdout } = await run("tmux", ["-u", "-f", "/dev/null", ...args], { env, ...options });
  return String(stdout).trimEnd();
}

export interface PrivateServer {
  readonly socket: string;
  readonly pid: number;
  /** Runs a command on it. */
  command(...args: string[]): Promise<string>;
  /** Kills it and waits until it has ended. */
  end(): Promise<void>;
}

/** A tmux server on a socket of its own, that ends with the test. `socket` may be relative to `cwd`. */
export async function startServer(
  socket = join(temporaryFolder(), "server"),
  cwd = "/",
): Promise<PrivateServer> {
  const command = (...args: string[]) => tmux(["-S", socket, ...args], { cwd });
  // By its socket as well, for when the test ends before the pid is known.
  onTestFinished(async () => {
    await command("-N", "kill-server").catch(() => {});
  });
  await command("new-session", "-d", "-x", "80", "-y", "24", "exec cat");
  const [pid, pane] = (await command("display-message", "-p", "#{pid} #{pane_pid}"))
    .split(" ")
    .map(Number) as [number, number];
  const end = async () => {
    if (isRunning(pid)) endTree(pid);
    await until(() => !isRunning(pid));
  };
  onTestFinished(end);
  // Until it has been through exec its pane's process has the server's socket too.
  await until(() => nameOf(pane) === "cat");
  return { socket, pid, command, end };
}

/** Whether there is such a process, one that has ended and that nobody has noticed yet left out. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

function nameOf(pid: number): string {
  return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
}

/** A program that a test wrote itself. */
export function program(script: string, folder = temporaryFolder()): string {
  const path = join(folder, "program");
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

/** A folder of that name in a temporary one. */
export function folderNamed(name: string): string {
  const folder = join(temporaryFolder(), name);
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/** The number that a program wrote into a file. */
export async function numberIn(file: string): Promise<number> {
  await until(() => existsSync(file) && readFileSync(file, "utf8").endsWith("\n"));
  return Number(readFileSync(file, "utf8"));
}
