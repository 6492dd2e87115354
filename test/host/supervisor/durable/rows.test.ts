import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { TerminalInfo } from "../../../../src/contract/terminals.ts";
import { PROGRAM, Subscriber } from "../../../cli/support.ts";
import { type BuiltHost, buildHost } from "../../hostile/real-host.ts";
import { until } from "../../process/support.ts";
import { Hosts } from "./hosts.ts";

let built: BuiltHost;
beforeAll(async () => {
  built = await buildHost();
  return built.remove;
}, 60_000);

test("a session in tmux is one row of a publisher, that of its pane, before and after its host was killed", async () => {
  const hosts = new Hosts(built);
  const client = await hosts.start();
  const sessions = [await hosts.session("exec sleep 987654"), await hosts.session("exec cat")];
  const native = { ...hosts.command("exec cat"), backend: "native" };
  const { session_id } = (await client.operate(native)).success.start.session;

  const readyFile = join(hosts.place.folder, "ready.json");
  const sources = ["--source", "tmux", "--source", "pty", "--source", "tty"];
  const publisher = hosts.place.start(
    [process.execPath, PROGRAM, "serve"],
    ...["--port", "0", "--ready-file", readyFile, ...sources],
  );
  await publisher.listening;
  const ready = JSON.parse(await until(() => textOf(readyFile)));

  const ours = [
    `tmux:${encodeURIComponent(hosts.socket)}@`,
    ...[session_id, ...sessions.map(({ id }) => id)].map((id) => `pty:${id}`),
  ];

  /** All rows of this host's terminals, whoever states them. */
  async function rows(): Promise<TerminalInfo[]> {
    const publisher = { ready, token: "" };
    const subscriber = await Subscriber.overUnixSocket(
      publisher as Parameters<typeof Subscriber.overUnixSocket>[0],
    );
    const { data } = await subscriber.message(({ snapshot }) => snapshot === true);
    const all = (data?.terminals ?? []).filter((row): row is TerminalInfo => !("removed" in row));
    return all.filter(({ id }) => ours.some((begin) => id.startsWith(begin)));
  }
  const schemes = (found: readonly TerminalInfo[]) =>
    found.map(({ id }) => id.slice(0, id.indexOf(":"))).sort();

  const before = await until(async () => {
    const found = await rows();
    return found.length >= 3 ? found : undefined;
  });
  expect(schemes(before)).toEqual(["pty", "tmux", "tmux"]);
  expect(before.map(({ id }) => id)).toContain(`pty:${session_id}`);
  const inTmux = before.filter(({ id }) => id.startsWith("tmux:"));
  expect(inTmux.map(({ name }) => name).sort()).toEqual(
    sessions.map(({ id }) => `${id}:0.0`).sort(),
  );

  const programs = await until(async () => {
    const found = (await rows()).filter(({ id }) => id.startsWith("tmux:"));
    const commands = found.map(({ command }) => command.join(" ")).sort();
    return commands.includes("cat") && commands.includes("sleep 987654") ? found : undefined;
  });
  for (const { pid, root_pid } of programs) expect(root_pid).not.toBe(pid);

  await hosts.end();
  await hosts.start();
  const after = await until(async () => {
    const found = await rows();
    return found.length === 2 ? found : undefined;
  });
  expect(after.map(({ id, pid }) => `${id} ${pid}`).sort()).toEqual(
    programs.map(({ id, pid }) => `${id} ${pid}`).sort(),
  );
}, 60_000);

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8") || undefined;
  } catch {
    return undefined;
  }
}
