import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ZellijSource } from "../../src/inventory/zellij.ts";
import { systemClock } from "../../src/time/clock.ts";
import { Listener, programNamed, StandIn, tableOfTest, temporaryFolder } from "./managers.ts";

/** Where servers of one version listen, and a command line that prints what it is told. */
function zellij() {
  const base = temporaryFolder();
  const folder = join(base, "0.44.2");
  mkdirSync(folder);
  const answer = join(base, "answer");
  const calls = join(base, "calls");
  const script = `echo "$ZELLIJ_SOCKET_DIR $*" >>${calls}; cat ${answer}`;
  const program = programNamed("zellij", script).path;
  writeFileSync(answer, "[]");
  const session = async (name: string) => {
    const socket = join(folder, name);
    const server = await StandIn.start("zellij", ["--server", socket]);
    await server.listen(socket);
    return { socket, server };
  };
  const source = new ZellijSource({ clock: systemClock, table: tableOfTest(), program });
  return {
    base,
    folder,
    calls,
    program,
    session,
    source,
    answers: (panes: readonly Readonly<Record<string, unknown>>[]) =>
      writeFileSync(answer, JSON.stringify(panes)),
    says: (script: string) => writeFileSync(program, `#!/bin/sh\n${script}\n`),
    listen: (...servers: StandIn[]) => new Listener(source, ...servers),
  };
}

const PANE = { is_plugin: false, exited: false, is_held: false, tab_name: "Tab #1" };

const pane = (number: number | string) => ({ ZELLIJ: "0", ZELLIJ_PANE_ID: String(number) });

describe("a session of zellij", () => {
  test("has its panes as terminals, with what their processes and the list of it tell", async () => {
    const { base, calls, session, answers, listen } = zellij();
    const { socket, server } = await session("main");
    const [one, two] = [await server.open(pane(0)), await server.open(pane(2))];
    const ended = { ...PANE, id: 1, exited: true, exit_status: 101, title: "cargo build" };
    answers([
      { ...PANE, id: 0, is_plugin: true, title: "tab-bar" },
      { ...PANE, id: 0, title: "/bin/bash", pane_content_rows: 26, pane_content_columns: 58 },
      { ...ended, terminal_command: "cargo build" },
      { ...PANE, id: 2, title: "sh", tab_name: "logs" },
    ]);
    const listener = listen(server);
    await listener.sees(() => listener.rows.some(({ title }) => title !== undefined));
    expect(listener.rows).toEqual([
      {
        id: "zellij:main/0",
        state: "running",
        rootPid: one.pid,
        tty: one.tty,
        name: "main:Tab #1.0",
        title: "/bin/bash",
        cols: 58,
        rows: 26,
      },
      {
        id: "zellij:main/1",
        state: "dead",
        command: ["cargo", "build"],
        name: "main:Tab #1.1",
        title: "cargo build",
        exitCode: 101,
      },
      {
        id: "zellij:main/2",
        state: "running",
        rootPid: two.pid,
        tty: two.tty,
        name: "main:logs.2",
        title: "sh",
      },
    ]);
    expect(listener.places).toEqual([{ name: socket, status: "ok", code: undefined }]);
    expect(readFileSync(calls, "utf8").split("\n")[0]).toBe(
      `${base} --session=main action list-panes --json`,
    );
  });

  test("states a pane before its list has come", async () => {
    const { session, says, listen } = zellij();
    const { server } = await session("main");
    const { pid, tty } = await server.open(pane(7));
    says("exec sleep 1000");
    const listener = listen(server);
    await listener.sees(() => listener.rows.length === 1);
    expect(listener.rows).toEqual([
      { id: "zellij:main/7", state: "running", rootPid: pid, tty, name: "main.7" },
    ]);
  });

  test("says how a pane ended that it still shows, and which process that was", async () => {
    const { session, answers, listen } = zellij();
    const { server } = await session("main");
    const opened = await server.open(pane(0));
    answers([{ ...PANE, id: 0 }]);
    const listener = listen(server);
    await listener.sees(() => listener.rows[0]?.name === "main:Tab #1.0");
    answers([{ ...PANE, id: 0, exited: true, exit_status: 3, is_held: true }]);
    await server.close(opened);
    await listener.sees(() => listener.rows[0]?.state === "dead");
    expect(listener.rows).toMatchObject([{ endedPid: opened.pid, exitCode: 3 }]);
    expect(listener.rows[0]).not.toHaveProperty("rootPid");
    const again = await server.open(pane(0));
    await listener.sees(() => listener.rows[0]?.rootPid === again.pid);
    expect(listener.rows).toMatchObject([{ id: "zellij:main/0", state: "running" }]);
  });

  test("loses a pane that is closed", async () => {
    const { session, answers, listen } = zellij();
    const { server } = await session("main");
    const [, second] = [await server.open(pane(0)), await server.open(pane(1))];
    answers([
      { ...PANE, id: 0 },
      { ...PANE, id: 1 },
    ]);
    const listener = listen(server);
    await listener.sees(() => listener.rows[1]?.name === "main:Tab #1.1");
    answers([{ ...PANE, id: 0 }]);
    await server.close(second);
    await listener.sees(() => listener.rows.length === 1);
  });

  test("names a pane by its process where that was told nothing", async () => {
    const { session, listen } = zellij();
    const { server } = await session("main");
    const { pid } = await server.open();
    const listener = listen(server);
    await listener.sees(() => listener.rows.length === 1);
    expect(listener.rows[0]?.id).toMatch(new RegExp(`^zellij:main/${pid}\\.\\d+$`));
  });

  test("goes with its server, and one that has exited is never spoken to", async () => {
    const { session, calls, listen } = zellij();
    const { server } = await session("main");
    await server.open(pane(0));
    const listener = listen(server);
    await listener.sees(() => listener.rows.length === 1 && existsSync(calls));
    await server.end();
    await listener.sees(() => listener.rows.length === 0);
    expect(listener.places).toEqual([{ name: undefined, status: "absent", code: undefined }]);
    const asked = readFileSync(calls, "utf8");
    let sights = 0;
    await listener.sees(() => ++sights > 5);
    expect(readFileSync(calls, "utf8")).toBe(asked);
  });

  test("that is renamed keeps its ids and is asked by its new name", async () => {
    const { session, answers, calls, folder, listen, source } = zellij();
    const { socket, server } = await session("main");
    await server.open(pane(0));
    answers([{ ...PANE, id: 0 }]);
    const listener = listen(server);
    await listener.sees(() => listener.rows[0]?.name === "main:Tab #1.0");
    renameSync(socket, join(folder, "work"));
    await source.read();
    expect(listener.rows).toMatchObject([{ id: "zellij:main/0", name: "work:Tab #1.0" }]);
    expect(readFileSync(calls, "utf8")).toContain("--session=work action");
  });

  test("that is started under the name of one that was renamed is another one", async () => {
    const { session, answers, folder, listen, source } = zellij();
    const first = await session("main");
    await first.server.open(pane(0));
    answers([{ ...PANE, id: 0 }]);
    renameSync(first.socket, join(folder, "work"));
    const second = await session("main");
    await second.server.open(pane(0));
    const listener = listen(first.server, second.server);
    await listener.sees(() => listener.rows.length === 2);
    await source.read();
    const named = listener.rows.map(({ id, name }) => `${id} ${name}`);
    expect(named).toEqual([
      "zellij:main/0 work:Tab #1.0",
      `zellij:main.${second.server.pid}/0 main:Tab #1.0`,
    ]);
  });
});

describe("a zellij that does not list its panes", () => {
  test.each([
    "error: Found argument 'list-panes' which wasn't expected, or isn't valid in this context",
    "error: unrecognized subcommand 'list-panes'",
  ])("is asked once where it is too old: %s", async (text) => {
    const { session, calls, says, listen, source } = zellij();
    const { server } = await session("main");
    await server.open(pane(0));
    says(`echo x >>${calls}; cat >&2 <<'END'\n${text}\nEND\nexit 2`);
    const listener = listen(server);
    await listener.sees(() => listener.places[0]?.code === "no_lists");
    await source.read();
    await source.read();
    expect(readFileSync(calls, "utf8")).toBe("x\n");
    expect(listener.places[0]?.status).toBe("ok");
    expect(listener.rows).toMatchObject([{ id: "zellij:main/0", state: "running" }]);
  });

  test.each([
    ["no_answer", "exec sleep 1000"],
    ["failed", "echo 'There is no active session!' >&2; exit 1"],
    ["unreadable_answer", "echo '{}'"],
    ["answer_too_long", "exec head -c 20000000 /dev/zero"],
  ])(
    "is failing (%s) where it runs %j, and its panes are known all the same",
    async (code, script) => {
      const { session, says, listen, source } = zellij();
      const { server } = await session("main");
      await server.open(pane(0));
      says(script);
      const listener = listen(server);
      await listener.sees(() => listener.places[0]?.status === "failing");
      expect(listener.places[0]?.code).toBe(code);
      await server.open(pane(1));
      await listener.sees(() => listener.rows.length === 2);
      const process = tableOfTest().read(server.pid);
      expect(process !== undefined && source.manages(process)).toBe(true);
    },
  );

  test("because its socket was deleted is not asked, and its panes are known all the same", async () => {
    const { session, calls, listen, source } = zellij();
    const { socket, server } = await session("main");
    await server.open(pane(0));
    renameSync(socket, join(temporaryFolder(), "elsewhere"));
    const listener = listen(server);
    await listener.sees(() => listener.places[0]?.code === "no_socket");
    await source.read();
    expect(listener.rows).toMatchObject([{ id: "zellij:main/0" }]);
    expect(existsSync(calls)).toBe(false);
  });

  test("but a client of one is no session", async () => {
    const { calls, listen } = zellij();
    const client = await StandIn.start("zellij", ["attach", "main"]);
    await client.open(pane(0));
    const listener = listen(client);
    let sights = 0;
    await listener.sees(() => ++sights > 3);
    expect(listener.places).toMatchObject([{ status: "absent" }]);
    expect(existsSync(calls)).toBe(false);
  });
});
