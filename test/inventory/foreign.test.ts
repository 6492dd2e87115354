import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Discovery } from "../../src/inventory/tmux/discovery.ts";
import { createProcessTable } from "../../src/processes/index.ts";
import { systemClock } from "../../src/time/clock.ts";
import { actAs, NOBODY, PrivateTmux, sharedFolder, subscribe } from "./support.ts";

const IDLE = "exec cat";

describe.runIf(process.getuid?.() === 0)("another user's server", () => {
  test("is none of root's, though root could see it", async () => {
    const folder = sharedFolder();
    const tmux = new PrivateTmux(join(folder, "theirs"), NOBODY);
    tmux.run("new-session", "-d", "-s", "one", IDLE);
    const table = createProcessTable({ clock: systemClock });
    const everywhere = new Discovery(table, [], undefined);
    const sockets = (await everywhere.find(await table.sweep())).map(({ socket }) => socket);
    expect(sockets).not.toContain(tmux.socket);
  });

  test("is asked with our own program where it was named, never with its own", async () => {
    const tmux = new PrivateTmux(join(sharedFolder(), "theirs"), NOBODY);
    tmux.run("new-session", "-d", "-s", "one", IDLE);
    const table = createProcessTable({ clock: systemClock });
    const named = new Discovery(table, [], [tmux.socket]);
    expect(await named.find(await table.sweep())).toEqual([
      { socket: tmux.socket, reachable: true },
    ]);
    const subscriber = await subscribe([tmux.socket]);
    await subscriber.until(({ rows }) => rows[0]?.command[0] === "cat");
  });
});

describe.runIf(process.getuid?.() === 0)("a server that refuses us", () => {
  test("by the mode of its socket is failing, and its panes are stated by what they say of themselves", async () => {
    const tmux = new PrivateTmux(join(sharedFolder(), "closed"), NOBODY);
    tmux.run("new-session", "-d", "-s", "one", IDLE);
    tmux.run("split-window", "-d", "-t", "one", IDLE);
    chmodSync(tmux.socket, 0o000);
    actAs(NOBODY);
    const subscriber = await subscribe([tmux.socket]);
    await subscriber.until(({ sources }) => sources[0]?.status === "failing");
    expect(subscriber.sources).toMatchObject([{ error: { code: "permission_denied" } }]);
    expect(subscriber.rows.map(({ command }) => command)).toEqual([["cat"], ["cat"]]);
  });

  test("while it is known keeps its rows, and is well again once it may be asked", async () => {
    const tmux = new PrivateTmux(join(sharedFolder(), "closing"), NOBODY);
    tmux.run("new-session", "-d", "-s", "one", IDLE);
    actAs(NOBODY);
    const subscriber = await subscribe([tmux.socket]);
    await subscriber.until(
      ({ rows }) => rows[0]?.command[0] === "cat" && rows[0].name !== undefined,
    );
    const before = subscriber.rows;
    chmodSync(tmux.socket, 0o000);
    await subscriber.until(({ sources }) => sources[0]?.status === "failing");
    expect(subscriber.rows).toEqual(before);
    chmodSync(tmux.socket, 0o700);
    await subscriber.until(({ sources }) => sources[0]?.status === "ok");
    expect(subscriber.rows).toMatchObject([{ id: before[0]?.id, pid: before[0]?.pid }]);
  });

  test("by its access list is failing, not empty", async () => {
    const folder = sharedFolder();
    const tmux = new PrivateTmux(join(folder, "listed"));
    tmux.run("new-session", "-d", "-s", "one", IDLE);
    chmodSync(tmux.socket, 0o777);
    actAs(NOBODY);
    const subscriber = await subscribe([tmux.socket]);
    await subscriber.until(({ sources }) => sources[0]?.status === "failing");
    expect(subscriber.sources).toMatchObject([{ error: { code: "access_refused" } }]);
    expect(subscriber.rows).toEqual([]);
  });
});
