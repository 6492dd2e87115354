import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type BuiltHost, buildHost } from "../hostile/real-host.ts";
import { until } from "../process/support.ts";
import { Hosts, monitor } from "../supervisor/durable/hosts.ts";

let built: BuiltHost;
beforeAll(async () => {
  built = await buildHost();
  return built.remove;
}, 60_000);

const probe = (command: string) =>
  monitor({ kind: "custom_probe", command, cwd: "." }, { check_interval_ms: 50 });

test("a sandboxed session in tmux is as confined with the next host, and so are its probes", async () => {
  const hosts = new Hosts(built);
  await hosts.start();
  const { folder } = hosts.place;
  const sandbox_profile = JSON.stringify({ write: [folder], network: true });
  const session = await hosts.session(
    `touch /tmp/mine; find ${folder} -type s; ls -A ${hosts.place.state} ${hosts.place.runtime}; echo looked; trap 'echo caught; exit 7' INT; while :; do sleep 0.05; done`,
    { sandbox_profile },
  );
  const text = await session.readUntil("looked");
  // Of all that is in these folders nothing is there.
  expect(readdirSync(hosts.place.state)).not.toEqual([]);
  expect(text.replaceAll("\r\n", "\n")).toBe(
    `${hosts.place.runtime}:\n\n${hosts.place.state}:\nlooked\n`,
  );
  await hosts.end();
  session.client = await hosts.start();
  const tries = `test -e /tmp/mine && ! test -S ${hosts.socket} && ! touch ${dirname(folder)}/../x && touch probed`;
  await session.do("monitor", { operation: { kind: "add", definition: probe(tries) } });
  await until(async () => (await session.told())[0]);
  expect(existsSync(join(hosts.workspace, "probed"))).toBe(true);
  const { shell, command } = await session.inspect();
  expect([shell, command]).toEqual(["/bin/bash", expect.stringMatching(/^touch \/tmp\/mine/)]);
  await session.do("signal", { signal: "interrupt" });
  expect(await session.wait({ kind: "exit" })).toEqual({ exited: 7 });
  await session.do("close", { close_policy: "graceful" });
});

test("a sandboxed session in tmux that a signal ends says by which", async () => {
  const hosts = new Hosts(built);
  await hosts.start();
  const sandbox_profile = JSON.stringify({ write: [], network: false });
  const session = await hosts.session("exec sleep 600", { sandbox_profile });
  await session.do("signal", { signal: "terminate" });
  expect(await session.wait({ kind: "exit" })).toEqual({ signal: "SIGTERM" });
});

test("a close leaves nothing of a sandbox in tmux", async () => {
  const hosts = new Hosts(built);
  await hosts.start();
  const sandbox_profile = JSON.stringify({ write: [], network: false });
  const session = await hosts.session(
    "trap 'touch ended; exit' HUP; (trap '' HUP TERM; sleep 600) & echo ready; while :; do sleep 0.05; done",
    { sandbox_profile },
  );
  await session.readUntil("ready");
  const alive = () => readdirSync("/proc").filter((pid) => isIn(hosts.workspace, pid));
  expect(alive()).not.toEqual([]);
  await session.do("close", { close_policy: "graceful" });
  expect(alive()).toEqual([]);
  expect(existsSync(join(hosts.workspace, "ended"))).toBe(true);
});

/** Whether a process works in a folder. */
function isIn(folder: string, pid: string): boolean {
  try {
    return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === folder;
  } catch {
    return false;
  }
}
