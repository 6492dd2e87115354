import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { sandboxCommandLine } from "../../../src/host/sandbox/command-line.ts";
import { commandLineWithin, isConfined } from "../../../src/host/sandbox/enter.ts";
import { sandboxTools } from "../../../src/host/sandbox/tools.ts";
import { endTree } from "../../lib/end-tree.ts";
import { until } from "../process/support.ts";
import { type Confined, confined, folderOutside } from "./confined.ts";

const probe = (sandbox: Confined, command: string) => ({
  condition: { kind: "custom_probe", command, cwd: sandbox.served.workspace },
  check_interval_ms: 50,
  notify: { kind: "on_match" },
  lifetime: { kind: "until_session_end" },
});

const eventsOf = async (sandbox: Confined, session_id: string) =>
  (await sandbox.client.operate({ action: "inspect", session_id, max_events: 256 })).success.inspect
    .events;

test("a command that probes runs in the very sandbox of the session: its files, network and processes", async () => {
  const sandbox = await confined();
  const outside = folderOutside();
  const serve = `require("node:net").createServer((one) => one.end()).listen(4711, "127.0.0.1", () => require("node:fs").writeFileSync("/tmp/ready", ""))`;
  const tries = [
    "test -e /tmp/ready",
    "bash -c ': < /dev/tcp/127.0.0.1/4711'",
    "pgrep -f createServer",
    `! touch ${outside}/x`,
    '[ "$PWD" = "$(realpath .)" ]',
    "grep -q 'CapBnd:.0000000000000000' /proc/self/status",
    "grep -q 'NoNewPrivs:.1' /proc/self/status",
    "! mount -o remount,rw,bind /",
    "touch probed",
  ];
  const { success } = await sandbox.start(
    `exec ${process.execPath} -e '${serve}'`,
    {},
    { initial_monitors: [probe(sandbox, tries.join(" && "))] },
  );
  const { session_id } = success.start.session;
  await until(async () => (await eventsOf(sandbox, session_id))[0]);
  expect(existsSync(join(sandbox.served.workspace, "probed"))).toBe(true);
  expect(existsSync(join(outside, "x"))).toBe(false);
});

test("with the network of the host a command that probes has it as well", async () => {
  const sandbox = await confined();
  const { success } = await sandbox.start(
    "exec sleep 600",
    { network: true },
    { initial_monitors: [probe(sandbox, "ip link show | grep -q lo && touch probed")] },
  );
  await until(async () => (await eventsOf(sandbox, success.start.session.session_id))[0]);
  expect(existsSync(join(sandbox.served.workspace, "probed"))).toBe(true);
});

test("a command is run nowhere where its sandbox is gone, or is none", async () => {
  const sandbox = await confined();
  const free = await sandbox.client.operate(sandbox.served.start("sleep 600; true"));
  const terminal = sandbox.served.host.terminals.get(free.success.start.session.session_id);
  const pid = terminal?.pid ?? 0;
  expect(isConfined(pid)).toBe(false);
  expect(await commandLineWithin(pid, "true", "/")).toBeUndefined();
  expect(await commandLineWithin(2 ** 22, "true", "/")).toBeUndefined();
});

test.runIf(process.getuid?.() === 0)(
  "who is not root enters the sandbox as well, and has no more power there than its program",
  async () => {
    const nobody = 65_534;
    vi.spyOn(process, "getuid").mockReturnValue(nobody);
    onTestFinished(() => void vi.restoreAllMocks());
    const sandbox = sandboxCommandLine({
      tools: await sandboxTools(process.env["PATH"]),
      mounts: [{ kind: "temporary", path: "/tmp" }],
      grants: [],
      network: false,
      cwd: "/tmp",
    });
    const as = { uid: nobody, gid: nobody, cwd: "/" };
    const script = "echo mine > /tmp/mine; echo ready; sleep 600; true";
    const [file, ...args] = [...sandbox, "/bin/sh", "-c", script] as const;
    const keeper = spawn(file, args, as);
    onTestFinished(() => endTree(keeper.pid ?? 0));
    await once(keeper.stdout, "data");
    const command =
      "id -u; pwd; cat mine; pgrep -f 'sleep 600'; grep -h -E 'Cap(Prm|Eff)|NoNewPrivs' /proc/self/status; touch /x; mount -o remount,rw,bind /; ls -l /proc/self/fd";
    const [enter = "", ...rest] = (await commandLineWithin(keeper.pid ?? 0, command, "/tmp")) ?? [];
    const { stdout, stderr } = await promisify(execFile)(enter, rest, as);
    expect(stdout).toMatch(/^65534\n\/tmp\nmine\n\d/);
    expect(stdout).toMatch(/CapPrm:\t0+\nCapEff:\t0+\nNoNewPrivs:\t1/);
    expect(stdout).not.toMatch(/(user|mnt):\[/);
    expect(stderr).toMatch(/Read-only file system[\s\S]*mount: /);
  },
);
