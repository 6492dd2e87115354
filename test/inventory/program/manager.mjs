// Stands for a terminal manager: opens terminals as it is told, each with a program in it as its own child.
import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { spawn } from "node-pty";

const terminals = new Map();

const tasks = {
  /** Is called like the manager: newer versions of Node name their first thread. */
  name: ({ name }) => writeFileSync("/proc/self/comm", name),
  listen: ({ socket }) => {
    const server = createServer();
    return new Promise((resolve) => server.listen(socket, resolve));
  },
  unlink: ({ socket }) => rmSync(socket),
  open: ({ command: [program, ...args], env }) => {
    const terminal = spawn(program, args, { env: { PATH: process.env.PATH, ...env }, cwd: "/" });
    terminals.set(terminal.pid, terminal);
    return { pid: terminal.pid, tty: terminal._pty };
  },
  close: ({ pid }) => {
    terminals.get(pid).kill("SIGKILL");
    terminals.delete(pid);
  },
};

process.on("message", async ({ task, ...what }) => {
  process.send((await tasks[task](what)) ?? {});
});
process.on("disconnect", () => process.exit());
