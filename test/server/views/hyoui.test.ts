import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openHyouiView } from "../../../src/acting/views/hyoui.ts";
import type { TerminalInfo } from "../../../src/contract/terminals.ts";
import { FakeClock } from "../../lib/fake-clock.ts";
import { temporaryFolder } from "../support.ts";
import { rowOf, Seen, stage } from "./support.ts";

interface Scene {
  /** What `hyoui` does. Default: says that it is there, and what is typed. */
  readonly script?: string;
  /** What runs in the session, as its variables say. Default: nobody may read them. */
  readonly inside?: Readonly<Record<string, string>>;
  readonly row?: Partial<TerminalInfo>;
  /** Default true. */
  readonly isInstalled?: boolean;
  /** Why no host is to be had. */
  readonly hostFault?: string;
}

/** A host whose hyoui keeps what it was called with, and a publisher that lists a session of it. */
async function hyoui({ script, inside, row, isInstalled = true, hostFault }: Scene = {}) {
  const folder = await temporaryFolder();
  const bin = join(folder, "bin");
  const calls = join(folder, "calls");
  mkdirSync(bin);
  const text = `#!/bin/sh\necho "$*" >>'${calls}'\n${script ?? "echo here; exec cat"}\n`;
  if (isInstalled) writeFileSync(join(bin, "hyoui"), text, { mode: 0o755 });
  const table = {
    read: () => undefined,
    environment: () => (inside === undefined ? undefined : new Map(Object.entries(inside))),
  };
  const clock = new FakeClock();
  const staged = await stage({
    row: (id) => ({ ...rowOf(id), pid: 4242, ...row }),
    baseEnvironment: { PATH: `${bin}:/usr/bin:/bin`, HOME: folder, SHELL: "/bin/sh" },
    schemes: (path) => ({
      hyoui: openHyouiView({
        ...{ table, clock },
        reach: async () => {
          if (hostFault !== undefined) throw new Error(hostFault);
          return path;
        },
      }),
    }),
  });
  const asked = () => (existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : []);
  return { ...staged, asked, clock, terminals: staged.host.host.terminals };
}

describe("a view of a session of hyoui", () => {
  test("is its own attach command, which goes with the viewer", async () => {
    const { server, asked, terminals } = await hyoui({ row: { name: "work" } });
    const seen = new Seen(server, "hyoui:a%20b");
    await seen.says("here");
    expect(asked()).toEqual(["attach a b"]);
    expect(seen.terminal).toEqual({
      ...{ id: "hyoui:a%20b", name: "work", title: "", cols: 80, rows: 24 },
    });
    seen.type("typed\n");
    await seen.says("typed\r\ntyped");
    const [terminal] = terminals.all;
    const gone = new Promise<void>((resolve) => {
      terminal?.changed.on(() => {
        if (terminal.state === "closed") resolve();
      });
    });
    seen.viewer.leave();
    await gone;
    expect(terminals.all).toEqual([]);
  });

  test("has a terminal of its own for each who looks, in the size that was listed", async () => {
    const { server, terminals } = await hyoui({ row: { cols: 100, rows: 30 } });
    const both = [new Seen(server, "hyoui:one"), new Seen(server, "hyoui:one")];
    for (const seen of both) await seen.says("here");
    expect(terminals.all).toHaveLength(2);
    expect(both[0]?.terminal).toMatchObject({ id: "hyoui:one", cols: 100, rows: 30 });
  });

  test("that only looks attaches so", async () => {
    const { server, asked } = await hyoui();
    const seen = new Seen(server, "hyoui:one", { readOnly: true });
    await seen.says("here");
    seen.type("typed\n");
    await seen.until(() => seen.told.length > 1);
    expect(asked()).toEqual(["attach one --observer"]);
    expect(seen.output).not.toContain("typed");
  });

  test("is of the namespace that what runs in it is in, or that its id has", async () => {
    const inside = { HYOUI_SESSION_ID: "w1", HYOUI_NAMESPACE: "workers" };
    const known = await hyoui({ inside });
    await new Seen(known.server, "hyoui:w1").says("here");
    expect(known.asked()).toEqual(["attach w1 --namespace=workers"]);
    const unread = await hyoui();
    await new Seen(unread.server, "hyoui:default/w1").says("here");
    expect(unread.asked()).toEqual(["attach w1 --namespace=default"]);
  });

  test("is refused where something else runs there by now, and nothing is started", async () => {
    const { server, asked } = await hyoui({ inside: { HYOUI_SESSION_ID: "other" } });
    const seen = new Seen(server, "hyoui:one");
    await seen.ended();
    expect(seen.error).toMatchObject({ reason: "gone", code: 4404 });
    expect(asked()).toEqual([]);
  });

  test("is refused where the attach command fails at once, after its last words", async () => {
    const { server, terminals } = await hyoui({ script: "echo no such session; exit 3" });
    const seen = new Seen(server, "hyoui:one");
    await seen.ended();
    expect(seen.output).toContain("no such session");
    expect(seen.terminal?.exited).toEqual({ code: 3 });
    expect(seen.error).toMatchObject({ reason: "refused", code: 4403 });
    expect(seen.error?.message).toContain("`hyoui attach one` has ended with 3");
    expect(terminals.running).toBe(0);
  });

  test("is refused where there is no hyoui", async () => {
    const { server } = await hyoui({ isInstalled: false });
    const seen = new Seen(server, "hyoui:one");
    await seen.ended();
    expect(seen.error).toMatchObject({ reason: "refused", code: 4403 });
    expect(seen.error?.message).toContain("hyoui");
  });

  test.each([
    ["was attached to it for a while", 3, 2_000],
    ["has nothing to complain of", 0, 0],
  ])("is lost with an attach command that %s, for who looks anew is told", async (_, code, ms) => {
    const { server, clock } = await hyoui({ script: `echo here; read line; exit ${code}` });
    const seen = new Seen(server, "hyoui:one");
    await seen.says("here");
    await clock.advance(ms);
    seen.type("\n");
    await seen.ended();
    expect(seen.error).toMatchObject({ reason: "lost", code: 4503 });
  });

  test("closes no session", async () => {
    const { server } = await hyoui();
    const seen = new Seen(server, "hyoui:one");
    await seen.says("here");
    seen.viewer.close({ force: true });
    await seen.until(() => seen.told.length > 1);
    expect(seen.told[1]).toMatch(/^error cannot close hyoui:one.*hyoui attach one/);
    seen.type("still\n");
    await seen.says("still\r\nstill");
  });

  test("is lost where no host is to be had, and says why", async () => {
    const { server } = await hyoui({ hostFault: "there is no room for a host" });
    const seen = new Seen(server, "hyoui:one");
    await seen.ended();
    expect(seen.error).toMatchObject({ reason: "lost", message: "there is no room for a host" });
  });
});
