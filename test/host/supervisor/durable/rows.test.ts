import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, onTestFailed, test } from "vitest";
import type { TerminalInfo } from "../../../../src/contract/terminals.ts";
import { type Message, PROGRAM, Subscriber } from "../../../cli/support.ts";
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

  const subscriber = await Subscriber.overUnixSocket({ ready });

  /** All rows of this host's terminals, whoever states them, as they are by now. */
  function rows(): TerminalInfo[] {
    return folded(subscriber.messages).filter(({ id }) =>
      ours.some((begin) => id.startsWith(begin)),
    );
  }

  /** The rows once they are as `isSo` says. What they were last is told where that never comes. */
  async function rowsThat(isSo: (found: readonly TerminalInfo[]) => boolean) {
    onTestFailed(() => console.error("the rows were last", rows(), "the host said", hosts.said));
    return until(() => {
      const found = rows();
      return isSo(found) ? found : undefined;
    });
  }
  const schemes = (found: readonly TerminalInfo[]) =>
    found.map(({ id }) => id.slice(0, id.indexOf(":"))).sort();

  const before = await rowsThat((found) => found.length >= 3);
  expect(schemes(before)).toEqual(["pty", "tmux", "tmux"]);
  expect(before.map(({ id }) => id)).toContain(`pty:${session_id}`);
  expect(
    inTmuxOf(before)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(sessions.map(({ id }) => `${id}:0.0`).sort());

  const programs = inTmuxOf(
    await rowsThat((found) => {
      const commands = inTmuxOf(found).map(({ command }) => command.join(" "));
      return commands.includes("cat") && commands.includes("sleep 987654");
    }),
  );
  for (const { pid, root_pid } of programs) expect(root_pid).not.toBe(pid);

  await hosts.end();
  await hosts.start();
  const after = await rowsThat((found) => found.length === 2);
  expect(after.map(({ id, pid }) => `${id} ${pid}`).sort()).toEqual(
    programs.map(({ id, pid }) => `${id} ${pid}`).sort(),
  );
}, 60_000);

const inTmuxOf = (rows: readonly TerminalInfo[]) => rows.filter(({ id }) => id.startsWith("tmux:"));

/** The rows that all frames so far come to. */
function folded(messages: readonly Message[]): TerminalInfo[] {
  const rows = new Map<string, TerminalInfo>();
  for (const { snapshot, data } of messages) {
    if (snapshot === true) rows.clear();
    for (const row of data?.terminals ?? []) {
      if ("removed" in row) rows.delete(row.id);
      else rows.set(row.id, row);
    }
  }
  return [...rows.values()];
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8") || undefined;
  } catch {
    return undefined;
  }
}
