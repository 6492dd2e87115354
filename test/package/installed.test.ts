import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { npm, npmEnvironment, root } from "./support.ts";

/** A program of somebody else's that uses everything the package gives. */
const CONSUMER = `
import { fold, isValid, type TerminalInfo, TerminalsFrame, terminalsOf } from "termtopic";
import { type Subscription, subscribe, type Transport, webSocketTransport } from "termtopic/client";
import { nodeWebSocketTransport, unixSocketTransport } from "termtopic/client/node";
import { AGENTS_FRAME, TERMINALS_FRAME } from "termtopic/fixtures";
import fixture from "termtopic/fixtures/valid/TerminalsFrame/snapshot.json" with { type: "json" };
import schema from "termtopic/schemas/terminals-frame.json" with { type: "json" };
import { isValid as fits, SCHEMA_NAMES } from "termtopic/validate";

const rows: readonly TerminalInfo[] = TERMINALS_FRAME.data.terminals.filter(
  (row): row is TerminalInfo => !("removed" in row),
);
const frame: unknown = fixture;
export const facts = {
  fold: typeof fold,
  byTypeBox: isValid(TerminalsFrame, frame) && frame.data.terminals.length,
  bySchemaFile: fits("TerminalsFrame", frame) && frame.data.terminals.length,
  schemas: SCHEMA_NAMES.includes("TerminalsFrame"),
  schema: schema.$id,
  ids: terminalsOf("", AGENTS_FRAME.data.agents.filter((row) => !("removed" in row)), rows),
};
export const transports: Transport[] = [
  webSocketTransport("http://127.0.0.1:7117/"),
  nodeWebSocketTransport("http://127.0.0.1:7117/", { token: "x" }),
];
export function listen(path: string): Subscription<"terminals"> {
  return subscribe({ transport: unixSocketTransport(path), topics: ["terminals"] });
}
`;

/** One that speaks to the host. What that takes and gives is Node's, so it has Node's types. */
const HOST_CONSUMER = `
import { connect } from "node:net";
import {
  connectHost,
  encodeFrame,
  type HostCall,
  type HostResult,
  MAX_BACKLOG,
  READ_TEXT_LIMIT,
  readFrames,
  TERMINAL_OUTPUT_WINDOW,
  type TerminalEvent,
  type TerminalInfo,
  type TerminalRead,
  type TerminalRequest,
  type TerminalTheme,
  type TerminalWait,
} from "termtopic/host";
import {
  connectSupervisor,
  encodeFrame as encodeRequest,
  type HostRequest,
  LOCAL_HELLO,
  MAXIMUM_FRAME_BYTES,
  negotiate,
} from "termtopic/supervisor";
import request from "termtopic/schemas/supervisor/host-request.json" with { type: "json" };
import schema from "termtopic/schemas/channel/terminal-info.json" with { type: "json" };

export const limits: number[] = [TERMINAL_OUTPUT_WINDOW, MAX_BACKLOG, READ_TEXT_LIMIT];
export const id: string = schema.$id;
export const supervised = [request.$id, MAXIMUM_FRAME_BYTES, negotiate(LOCAL_HELLO, LOCAL_HELLO)];
const greeting: HostRequest = { kind: "hello", hello: LOCAL_HELLO };
export const greeted: Buffer = encodeRequest(greeting);
export async function inspected(path: string, session_id: string): Promise<string[]> {
  const supervisor = await connectSupervisor({ path });
  const { monitors } = await supervisor.operate({ action: "inspect", session_id, max_events: 1 });
  return monitors.map(({ state }) => state);
}
const theme: TerminalTheme = { foreground: 0, background: 0xffffff, scheme: "light" };
const wait: TerminalWait = { until: "match", pattern: "\\$ $", timeoutMs: 1_000 };
const call: HostCall = { op: "send", sessionId: "s", key: "k", target: "1", keys: ["C-c"], literal: false };
const requests: TerminalRequest[] = [{ type: "theme", ...theme }, { type: "call", id: 1, call }];
export const frames: Buffer[] = [...requests, new Uint8Array(3)].map((one) => encodeFrame(one));
export function raw(path: string, onEvent: (event: TerminalEvent) => void): void {
  readFrames(connect(path), (frame) => {
    if (!(frame instanceof Uint8Array)) onEvent(frame as TerminalEvent);
  });
}
export async function use(path: string): Promise<[TerminalInfo, TerminalRead, HostResult]> {
  const host = await connectHost({ path });
  const session = host.session("s");
  const terminal = await session.open({ cwd: "/", env: null, cols: 80, rows: 24 });
  const read = await session.read({ target: terminal.id, wait });
  const viewer = await host.attach(terminal.id, { slowLink: true });
  for await (const bytes of viewer) process.stdout.write(bytes);
  return [terminal, read, await host.call({ op: "closeSession", sessionId: "s" })];
}
`;

let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "termtopic-installed-"));
  npm(root, "pack", "--ignore-scripts", "--silent", "--pack-destination", project);
  const [tarball = ""] = readdirSync(project);
  const manifest = { name: "consumer", private: true, type: "module" };
  writeFileSync(join(project, "package.json"), JSON.stringify(manifest));
  npm(
    project,
    "install",
    "--silent",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
    `./${tarball}`,
  );
  writeFileSync(join(project, "consumer.ts"), CONSUMER);
  writeFileSync(join(project, "host-consumer.ts"), HOST_CONSUMER);
}, 60_000);

afterAll(() => rmSync(project, { recursive: true, force: true }));

const NODE_TYPES = { types: ["node"], typeRoots: [join(root, "node_modules/@types")] };

/** Checks a consumer's types, those of the package included, in a project that has no others, and compiles it. */
function compile(moduleOptions: object, file = "consumer.ts"): void {
  const compilerOptions = {
    ...moduleOptions,
    target: "es2022",
    // Neither Node's types nor the browser's: what the package declares stands by itself.
    lib: ["es2022"],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    resolveJsonModule: true,
    skipLibCheck: false,
    ...(file === "consumer.ts" ? {} : NODE_TYPES),
  };
  const config = { compilerOptions, files: [file] };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(root, "node_modules/.bin/tsc");
  // It tells faults on its output, so the output is the message.
  expect(printedBy(tsc, ["-p", "."])).toBe("");
}

function printedBy(command: string, args: readonly string[]): string {
  try {
    return execFileSync(command, args, { cwd: project, encoding: "utf8" });
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout) || String(error);
  }
}

describe("a project that installs the package", () => {
  test("gets TypeBox, where it can what opens terminals, and nothing else", () => {
    const names = readdirSync(join(project, "node_modules")).filter((name) => name[0] !== ".");
    const native = ["node-addon-api", "node-pty"];
    expect(names.filter((name) => !native.includes(name))).toEqual(["@sinclair", "termtopic"]);
    expect(readdirSync(join(project, "node_modules/@sinclair"))).toEqual(["typebox"]);
    expect(existsSync(join(project, "node_modules/termtopic/node_modules"))).toBe(false);
  });

  test.each([
    ["nodenext", { module: "nodenext" }],
    ["bundler", { module: "esnext", moduleResolution: "bundler" }],
  ])("type-checks against it with the module resolution %s", (_, options) => {
    compile(options);
    compile(options, "host-consumer.ts");
  });

  test("runs against the host's face", () => {
    compile({ module: "nodenext" }, "host-consumer.ts");
    const script =
      'import("./host-consumer.js").then(({ limits, id, frames, supervised }) => console.log(...limits, id, frames.length, ...supervised))';
    expect(printedBy(process.execPath, ["-e", script])).toBe(
      "262144 8388608 262144 urn:termtopic:channel:TerminalInfo 3 urn:termtopic:supervisor:HostRequest 1048576 6\n",
    );
  });

  test("runs against it", () => {
    compile({ module: "nodenext" });
    const script =
      'import("./consumer.js").then(({ facts, transports }) => console.log(JSON.stringify({ ...facts, transports: transports.length })))';
    expect(JSON.parse(printedBy(process.execPath, ["-e", script]))).toEqual({
      fold: "function",
      byTypeBox: 2,
      bySchemaFile: 2,
      schemas: true,
      schema: "urn:termtopic:TerminalsFrame",
      ids: [],
      transports: 2,
    });
  });

  test("reaches no file that the package does not export", () => {
    const script =
      'import("termtopic/dist/contract/fold.js").catch(({ code }) => console.log(code))';
    expect(printedBy(process.execPath, ["-e", script])).toBe("ERR_PACKAGE_PATH_NOT_EXPORTED\n");
  });

  test("serves with npx, answers a subscriber, and ends with 0 at SIGTERM", async () => {
    compile({ module: "nodenext" });
    const run = join(project, "run");
    mkdirSync(join(run, "tmux"), { recursive: true });
    const readyFile = join(run, "ready.json");
    const ready = appears(readyFile);
    const args = ["termtopic", "serve", "--port", "0", "--ready-file", readyFile];
    const publisher = spawn("npx", ["--no-install", ...args, "--tmux-socket", join(run, "tmux")], {
      cwd: project,
      env: { ...npmEnvironment(), TERMTOPIC_STATE_DIR: run, TERMTOPIC_RUNTIME_DIR: join(run, "s") },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const ended = once(publisher, "exit");
    await Promise.race([ready, ended]);
    const { pid, socket, endpoint } = JSON.parse(readFileSync(readyFile, "utf8"));
    onTestFinished(() => {
      if (publisher.exitCode === null) process.kill(pid, "SIGKILL");
    });

    expect((await fetch(new URL("healthz", endpoint))).status).toBe(200);
    const script = `
      const { listen } = await import("./consumer.js");
      const subscription = listen(process.argv[1]);
      await subscription.ready("terminals");
      console.log(subscription.status.state);
      subscription.close();
    `;
    const asked = ["--input-type=module", "-e", script, socket];
    expect(printedBy(process.execPath, asked)).toBe("live\n");

    process.kill(pid, "SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect(existsSync(readyFile)).toBe(false);
  });
});

/** Waits until a file is there; its folder has to be. */
function appears(path: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(join(path, ".."), () => {
      if (!existsSync(path)) return;
      watcher.close();
      resolve();
    });
  });
}
