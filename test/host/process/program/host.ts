// A host with terminals of node-pty as it is, for tests of the process around them. It is worked with by lines of
// JSON: {open: [file, ...args]}, {close: id}, {crash: text} and {end: true}.
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { type IPty, spawn } from "node-pty";
import { host } from "../../../../src/cli/host.ts";
import type { HostCore } from "../../../../src/host/process/core.ts";
import type { ListedTerminal } from "../../../../src/host/process/rows.ts";

const listeners = new Set<() => void>();
const held = new Map<string, { pty: IPty; listed: ListedTerminal }>();
const tell = () => {
  for (const listener of [...listeners]) listener();
};

function open([file = "", ...args]: string[]): object {
  const id = randomUUID();
  const pty = spawn(file, args, { cols: 80, rows: 24, cwd: "/" });
  const tty = Reflect.get(pty, "ptsName") ?? Reflect.get(pty, "_pty");
  let exit: ListedTerminal["exit"];
  const listed: ListedTerminal = {
    options: { id, command: [file, ...args], cwd: "/" },
    createdAt: Date.now(),
    get state() {
      return exit === undefined ? "running" : "exited";
    },
    get pid() {
      return exit === undefined ? pty.pid : undefined;
    },
    tty: String(tty),
    name: "one",
    title: "a\u0007title",
    size: { cols: 80, rows: 24 },
    get exit() {
      return exit;
    },
    bell: false,
    activityAt: Date.now(),
  };
  pty.onExit(({ exitCode }) => {
    exit = { code: exitCode };
    tell();
  });
  held.set(id, { pty, listed });
  tell();
  return { id, pid: pty.pid };
}

const listed = {
  get all() {
    return [...held.values()].map((one) => one.listed);
  },
  changed: {
    on(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  },
};

const core = (end: () => void): HostCore => ({
  listed,
  terminals: {
    get all() {
      return listed.all;
    },
    changed: listed.changed,
    async closeAll() {
      for (const { pty } of held.values()) pty.kill("SIGKILL");
      held.clear();
      tell();
    },
  },
  channel: {
    accept(socket) {
      socket.write('{"hello":true}\n');
      const lines = createInterface(socket).on("error", () => {});
      lines.on("line", (line) => {
        const asked = JSON.parse(line);
        if (asked.open !== undefined) socket.write(`${JSON.stringify(open(asked.open))}\n`);
        if (asked.close !== undefined) {
          held.get(asked.close)?.pty.kill("SIGKILL");
          held.delete(asked.close);
          tell();
        }
        if (asked.crash !== undefined) setImmediate(() => JSON.parse(asked.crash));
        if (asked.end === true) end();
      });
    },
    refusal: () => Buffer.from('{"refused":true}\n'),
    close: async () => {},
  },
  supervisor: {
    accept: (socket) => void socket.end(),
    refusal: () => Buffer.alloc(0),
    close: async () => {},
  },
});

const [, , , ...options] = process.argv;
const idle = Number(options[options.indexOf("--idle") + 1] ?? 30_000);
try {
  await host(
    { logLevel: "warn", ...(options.includes("--idle") ? { idle } : {}) },
    async ({ end }) => core(end),
  );
} catch (error) {
  process.stderr.write(`termtopic: ${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
