import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { KittySource } from "../../src/inventory/kitty.ts";
import { systemClock } from "../../src/time/clock.ts";
import {
  Listener,
  type OpenedTerminal,
  programNamed,
  StandIn,
  tableOfTest,
  temporaryFolder,
  until,
} from "./managers.ts";
import { isRunning, numberIn } from "./unit/tmux/support.ts";

/** A stand-in for a kitty that listens, with a `kitten` that prints what it is told. */
async function kitty({ listens = true } = {}) {
  const folder = temporaryFolder();
  const socket = join(folder, "socket");
  const manager = await StandIn.start("kitty");
  if (listens) await manager.listen(socket);
  const address = `unix:${socket}`;
  const env = { KITTY_PID: String(manager.pid), KITTY_LISTEN_ON: address };
  const answer = join(folder, "answer");
  const calls = join(folder, "calls");
  const script = `echo "$@" >>${calls}; env >${calls}.env; cat ${answer}`;
  return {
    folder,
    socket,
    address,
    manager,
    env,
    calls,
    kitten: programNamed("kitten", script).path,
    answers: (text: string) => writeFileSync(answer, text),
    open: () => manager.open({ ...env, KITTY_WINDOW_ID: "1" }),
  };
}

const source = (program: string) =>
  new KittySource({ clock: systemClock, table: tableOfTest(), program });

/** What kitty lists, with these windows. */
function listing(...windows: readonly (OpenedTerminal & { readonly id: number })[]): string {
  const [system] = JSON.parse(
    readFileSync(new URL("./recorded/kitty-ls.json", import.meta.url), "utf8"),
  );
  const [example] = system.tabs[0].windows;
  const listed = windows.map(({ id, pid }) => ({ ...example, id, pid }));
  return JSON.stringify([{ ...system, tabs: [{ ...system.tabs[0], windows: listed }] }]);
}

describe("a kitty that listens", () => {
  test("has its windows as terminals, asked for without a password over its own socket", async () => {
    const { manager, address, kitten, answers, open, calls } = await kitty();
    const window = await open();
    answers(listing({ id: 3, ...window }));
    const listener = new Listener(source(kitten), manager);
    await listener.sees(() => listener.rows.length === 1);
    expect(listener.rows).toEqual([
      {
        id: `kitty:${manager.key}/3`,
        state: "running",
        rootPid: window.pid,
        tty: window.tty,
        command: ["/bin/bash", "--posix"],
        cwd: "/tmp",
        name: "1:1.3",
        title: "/tmp",
        cols: 71,
        rows: 22,
      },
    ]);
    expect(listener.places).toEqual([{ name: address, status: "ok", code: undefined }]);
    expect(readFileSync(calls, "utf8").split("\n")[0]).toBe(
      `@ --to ${address} --use-password never ls`,
    );
    expect(readFileSync(`${calls}.env`, "utf8")).not.toMatch(/^KITTY_/m);
  });

  test("is asked again when its windows differ, and not while they are the same", async () => {
    const { kitten, answers, open, calls, manager } = await kitty();
    const first = await open();
    answers(listing({ id: 1, ...first }));
    const listener = new Listener(source(kitten), manager);
    await listener.sees(() => listener.rows.length === 1);
    const asked = () => readFileSync(calls, "utf8").trim().split("\n").length;
    const before = asked();
    let sights = 0;
    await listener.sees(() => ++sights > 5);
    expect(asked()).toBe(before);
    const second = await open();
    answers(listing({ id: 1, ...first }, { id: 2, ...second }));
    await listener.sees(() => listener.rows.length === 2);
    await manager.close(second);
    answers(listing({ id: 1, ...first }));
    await listener.sees(() => listener.rows.length === 1);
  });

  test("is gone with its windows when it ends, and then there is none", async () => {
    const { kitten, answers, open, manager } = await kitty();
    answers(listing({ id: 1, ...(await open()) }));
    const listener = new Listener(source(kitten), manager);
    await listener.sees(() => listener.rows.length === 1);
    await manager.end();
    await listener.sees(() => listener.rows.length === 0);
    expect(listener.places).toEqual([{ name: undefined, status: "absent", code: undefined }]);
  });

  test("manages its windows while it answers", async () => {
    const { kitten, answers, open, manager } = await kitty();
    answers(listing({ id: 1, ...(await open()) }));
    const asked = source(kitten);
    const listener = new Listener(asked, manager);
    await listener.sees(() => listener.rows.length === 1);
    const process = tableOfTest().read(manager.pid);
    expect(process !== undefined && asked.manages(process)).toBe(true);
    answers("garbage");
    await listener.sees(() => {
      void asked.read();
      return listener.places[0]?.status === "failing";
    });
    expect(listener.places[0]?.code).toBe("unreadable_answer");
    expect(process !== undefined && asked.manages(process)).toBe(false);
    expect(listener.rows).toHaveLength(1);
  });
});

describe("a kitty that cannot be asked", () => {
  test("is none where its windows were told of no socket, and nothing is run", async () => {
    const { kitten, manager, calls } = await kitty();
    await manager.open({ KITTY_PID: String(manager.pid) });
    const listener = new Listener(source(kitten), manager);
    let sights = 0;
    await listener.sees(() => ++sights > 5);
    expect(listener.places).toEqual([{ name: undefined, status: "absent", code: undefined }]);
    expect(() => readFileSync(calls)).toThrow();
  });

  test.each([
    ["another kitty's", (address: string) => ({ KITTY_PID: "1", KITTY_LISTEN_ON: address })],
    ["one of the network", () => ({ KITTY_LISTEN_ON: "tcp:localhost:1234" })],
    ["a relative one", () => ({ KITTY_LISTEN_ON: "unix:socket" })],
  ])("is none where its windows were told of %s", async (_, told) => {
    const { kitten, manager, address } = await kitty();
    await manager.open({ KITTY_PID: String(manager.pid), ...told(address) });
    const listener = new Listener(source(kitten), manager);
    let sights = 0;
    await listener.sees(() => ++sights > 3);
    expect(listener.places).toMatchObject([{ name: undefined, status: "absent" }]);
  });

  test("is failing where somebody else listens on its socket, and nothing is run", async () => {
    const { kitten, manager, open, socket, calls } = await kitty({ listens: false });
    await open();
    const stranger = createServer();
    await new Promise<void>((resolve) => stranger.listen(socket, resolve));
    onTestFinished(() => void stranger.close());
    const listener = new Listener(source(kitten), manager);
    await listener.sees(() => listener.places[0]?.status === "failing");
    expect(listener.places[0]?.code).toBe("no_socket");
    expect(() => readFileSync(calls)).toThrow();
  });

  test("is none where it does not let itself be", async () => {
    const { kitten, manager, open } = await kitty();
    await open();
    const denied = "Remote control is disabled. Add allow_remote_control to your kitty.conf";
    writeFileSync(kitten, `#!/bin/sh\necho '${denied}' >&2\nexit 1\n`);
    const asked = source(kitten);
    const listener = new Listener(asked, manager);
    await listener.sees(() => listener.places[0]?.status === "absent");
    const process = tableOfTest().read(manager.pid);
    expect(process !== undefined && asked.manages(process)).toBe(false);
  });

  test("is failing where its kitten hangs, which is killed when the source stops", async () => {
    const { folder, kitten, manager, open } = await kitty();
    await open();
    const pid = join(folder, "pid");
    writeFileSync(kitten, `#!/bin/sh\necho $$ >${pid}\nexec sleep 1000\n`);
    const asked = source(kitten);
    const listener = new Listener(asked, manager);
    await listener.sees(() => listener.places[0]?.status === "failing");
    expect(listener.places[0]?.code).toBe("no_answer");
    const hung = await numberIn(pid);
    await until(() => !isRunning(hung));
    rmSync(pid);
    asked.stop();
    const again = new Listener(asked, manager);
    await again.sees(() => again.places[0]?.status === "starting");
    const stopped = await numberIn(pid);
    asked.stop();
    await until(() => !isRunning(stopped));
  });
});
