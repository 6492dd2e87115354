import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeEach, describe } from "vitest";
import type { TerminalBackend } from "../../../src/host/supervisor/operation.ts";
import { endTree } from "../../lib/end-tree.ts";

const run = promisify(execFile);

let current: TerminalBackend = "native";

/** The backend on which the test that runs starts its sessions. */
export const currentBackend = (): TerminalBackend => current;

/** What a session's id begins with. */
export const idOf = (backend: TerminalBackend) =>
  backend === "native" ? /^terminal-n-[0-9a-f]{32}$/ : /^terminal-t-[0-9a-f]{32}$/;

/** Claims of both backends: each of them is tested on each. */
export function onEachBackend(claims: () => void): void {
  describe.each<TerminalBackend>(["native", "tmux"])("on the backend %s,", (backend) => {
    beforeEach(() => {
      current = backend;
      return () => {
        current = "native";
      };
    });
    claims();
  });
}

/** Ends the tmux server of a socket with all that runs in it, if one is there. */
export async function endTmux(socket: string): Promise<void> {
  const asked = run("tmux", ["-N", "-S", socket, "display-message", "-p", "#{pid}"]);
  const { stdout } = await asked.catch(() => ({ stdout: "" }));
  const pid = Number(stdout);
  if (pid > 0) endTree(pid);
}
