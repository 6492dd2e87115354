import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { sandboxCommandLine } from "../../../src/host/sandbox/command-line.ts";
import { socketsInReach } from "../../../src/host/sandbox/sockets.ts";
import { sandboxTools } from "../../../src/host/sandbox/tools.ts";
import { confined } from "./confined.ts";

async function listening(at: string | number): Promise<Server> {
  const server = createServer((socket) => socket.on("error", () => {}).end("in reach\n"));
  server.listen(typeof at === "number" ? { port: at, host: "127.0.0.1" } : { path: at });
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return server;
}

/** A command that says what connecting to a socket comes to. */
const connecting = (path: string) =>
  `${process.execPath} -e 'const one = require("net").connect(process.argv[1]); one.on("error", ({ code }) => console.log(code)); one.on("data", (text) => console.log(String(text)))' '${path}'`;

test("without the network nothing of the host's is in reach, with it everything is", async () => {
  const server = await listening(0);
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const command = `cat < /dev/tcp/127.0.0.1/${port}`;
  const sandbox = await confined();
  expect((await sandbox.run(command)).text).toMatch(/refused/);
  expect((await sandbox.run(command, { network: true })).text).toBe("in reach\n");
  // It has a loopback of its own.
  const own = `exec 3<>/dev/udp/127.0.0.1/9 && echo own`;
  expect((await sandbox.run(own)).text).toBe("own\n");
});

test("sockets of termtopic are not there, though the folder around them is handed out", async () => {
  const sandbox = await confined();
  const own = join(sandbox.served.folder, "own");
  mkdirSync(own);
  await listening(join(own, "host.sock"));
  writeFileSync(join(own, "token"), "secret");
  const write = [sandbox.served.folder];
  const { text } = await sandbox.run(
    `${connecting(join(own, "host.sock"))}; cat ${own}/token; touch ${own}/x; ls -A ${own}; touch ${own}/../beside`,
    { write, network: true },
  );
  expect(text).toMatch(/^ENOENT\ncat: .*No such file.*\ntouch: .*Read-only file system\n$/);
  expect(existsSync(join(sandbox.served.folder, "beside"))).toBe(true);
});

// All sockets here are in temporary folders: a sandbox of another test that covers one must find it there still.

test("a tmux server is not in reach, though the folder around its own is handed out", async () => {
  const sandbox = await confined();
  const { folder } = sandbox.served;
  vi.stubEnv("TMUX_TMPDIR", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const servers = join(folder, `tmux-${process.getuid?.()}`);
  mkdirSync(servers, { mode: 0o700 });
  const tmux = (...args: string[]) =>
    execFileSync("tmux", ["-S", join(servers, "default"), "-f", "/dev/null", ...args], {
      env: { PATH: process.env["PATH"] },
    });
  tmux("new-session", "-d", "sleep 600");
  onTestFinished(() => void tmux("kill-server"));
  const { text } = await sandbox.run(`tmux -S ${servers}/default ls`, { write: [folder] });
  expect(text).toMatch(/No such file or directory/);
  expect(text).not.toMatch(/1 windows/);
});

test("sockets of services are not in reach, in runtime folders and in temporary ones", async () => {
  const sandbox = await confined();
  const { folder } = sandbox.served;
  const runtime = join(folder, "runtime");
  mkdirSync(runtime);
  vi.stubEnv("XDG_RUNTIME_DIR", runtime);
  onTestFinished(() => void vi.unstubAllEnvs());
  await listening(join(runtime, "bus"));
  await listening(join(folder, "in-tmp"));
  const hidden = await sandbox.run(
    `${connecting(join(folder, "in-tmp"))}; find /run -type s | grep . || echo none; echo "[$XDG_RUNTIME_DIR]"`,
  );
  expect(hidden.text).toBe("ENOENT\nnone\n[]\n");
  // What is around it being handed out does not hand it out.
  const inside = await sandbox.run(connecting(join(runtime, "bus")), { write: [folder] });
  expect(inside.text).toBe("ENOENT\n");
});

test("a socket that was bound elsewhere is found, and covered alone", async () => {
  const { served } = await confined();
  const path = join(served.folder, "agent");
  await listening(path);
  writeFileSync(join(served.folder, "beside"), "as it was\n");
  expect(await socketsInReach((one) => one.startsWith(served.folder))).toContain(path);
  expect(await socketsInReach(() => false)).toEqual([]);
  const command = sandboxCommandLine({
    tools: await sandboxTools(process.env["PATH"]),
    mounts: [{ kind: "blank", path }],
    grants: [],
    network: true,
    cwd: "/",
  });
  const script = `${connecting(path)}; cat ${path} ${served.folder}/beside; true`;
  const [file = "", ...args] = [...command, "/bin/sh", "-c", `{ ${script}; } 2>&1`];
  // The server answers meanwhile, so nothing here waits for the program alone.
  const { stdout } = await promisify(execFile)(file, args);
  expect(stdout).toMatch(/^ECONNREFUSED\ncat: .*Permission denied\nas it was\n$/);
});

test("a socket in a folder that is handed out stays in reach", async () => {
  const sandbox = await confined();
  await listening(join(sandbox.served.workspace, "service"));
  expect((await sandbox.run(connecting("service"))).text).toBe("in reach\n\n");
});

test("processes outside cannot be seen, signalled or gone through, and terminals outside are not there", async () => {
  const sandbox = await confined();
  const free = await sandbox.client.operate(sandbox.served.start("exec sleep 600"));
  const terminal = sandbox.served.host.terminals.get(free.success.start.session.session_id);
  const pid = terminal?.pid;
  const tries = [
    `ls /proc/${pid}/root`,
    `kill -9 ${pid}`,
    `echo typed > ${terminal?.tty}`,
    `ls /proc/1/root${sandbox.served.path}`,
  ];
  const { text } = await sandbox.run(
    `${tries.map((one) => `${one} && echo DONE`).join("; ")}; ls /proc | grep -c '^[0-9]'`,
  );
  expect(text).not.toContain("DONE");
  expect(Number(text.trim().split("\n").at(-1))).toBeLessThan(10);
  expect(terminal?.state).toBe("running");
  expect(terminal?.ring.end).toBe(0);
});

test("root has no power over the system in a sandbox, and nobody gains any", async () => {
  const sandbox = await confined();
  const program = join(sandbox.served.workspace, "as-owner");
  copyFileSync("/usr/bin/id", program);
  chmodSync(program, 0o4755);
  const { text } = await sandbox.run(
    `grep -E 'Cap(Prm|Eff|Bnd)|NoNewPrivs' /proc/self/status | tr -d '\\t'
    for f in /proc/sys/kernel/core_pattern /proc/sysrq-trigger /proc/sys/vm/drop_caches /sys/power/state; do [ -w $f ] && echo "WRITABLE $f"; done
    mount -o remount,rw,bind / && echo DONE
    umount /tmp && echo DONE
    unshare -m true && echo DONE
    unshare -Urm sh -c 'mount -o remount,rw,bind / || umount /run' && echo DONE
    mknod /tmp/disk b 8 0 && echo DONE
    ls -l /proc/self/fd`,
  );
  expect(text).toContain(
    "CapPrm:0000000000000000\nCapEff:0000000000000000\nCapBnd:0000000000000000",
  );
  expect(text).toContain("NoNewPrivs:1");
  expect(text).not.toMatch(/WRITABLE|DONE/);
  // Nothing that the host has open.
  expect(text).toMatch(/ 0 -> \/dev\/pts\/\d+\n/);
  expect(text).not.toMatch(/socket:|ptmx|anon_inode/);
});

test.runIf(process.getuid?.() === 0)(
  "it confines a user who is not root, to whom set-uid bits give nothing",
  async () => {
    const nobody = 65_534;
    const command = sandboxCommandLine({
      tools: await sandboxTools(process.env["PATH"]),
      mounts: [{ kind: "temporary", path: "/tmp" }],
      grants: [],
      network: false,
      cwd: "/tmp",
    });
    const script =
      "{ cp /usr/bin/id own && chmod 4755 own && ./own -u; su -c id; sudo -n true && echo DONE; touch /x; } 2>&1; true";
    const [file = "", ...args] = [...command, "/bin/sh", "-c", script];
    const text = execFileSync(file, args, { uid: nobody, gid: nobody, cwd: "/", encoding: "utf8" });
    expect(text).toMatch(/^65534\n/);
    expect(text).toContain("Read-only file system");
    expect(text).not.toMatch(/uid=0|DONE/);
  },
);
