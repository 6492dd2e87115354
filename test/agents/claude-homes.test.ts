import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder, until } from "../inventory/unit/support.ts";
import { defaultHome, Observer, StateFolder, startAgent, stateOf } from "./claude/support.ts";

const newHome = () => join(temporaryFolder("termtopic-claude-home-"), "home");

describe("a config home is read", () => {
  test("when it is the user's own, also where that is not there", async () => {
    const observer = new Observer();
    await observer.until(({ kind }) => kind === "absent");
    expect(observer.finding(defaultHome())).toEqual({ kind: "absent" });
  });

  test("when it was given, however it is spelled", async () => {
    const folder = new StateFolder(newHome());
    const agent = await startAgent();
    folder.write(agent.pid, stateOf(agent));
    const observer = new Observer({ homes: [`${folder.home}/../home/`] });
    await observer.untilRun(agent.pid, { configDir: folder.home }, folder.home);
  });

  test("when a process of the harness is told of it", async () => {
    const folder = new StateFolder(newHome());
    const agent = await startAgent({ env: { CLAUDE_CONFIG_DIR: folder.home } });
    folder.write(agent.pid, stateOf(agent));
    const observer = new Observer();
    await observer.sweep();
    await observer.source.read();
    expect(observer.run(agent.pid, folder.home)?.configDir).toBe(folder.home);
  });

  test("when it is in the home folder of such a process", async () => {
    const home = newHome();
    const folder = new StateFolder(join(home, ".claude"));
    const agent = await startAgent({ env: { HOME: home, CLAUDE_CONFIG_DIR: "" } });
    folder.write(agent.pid, stateOf(agent));
    const observer = new Observer();
    await observer.sweep();
    await observer.untilRun(agent.pid, {}, folder.home);
  });

  test("when it is told from where such a process is", async () => {
    const folder = new StateFolder(newHome());
    const cwd = dirname(folder.home);
    const agent = await startAgent({ cwd, env: { CLAUDE_CONFIG_DIR: "home" } });
    folder.write(agent.pid, stateOf(agent));
    const observer = new Observer();
    await observer.sweep();
    await observer.untilRun(agent.pid, {}, folder.home);
  });

  test("not when some other program is told of it", async () => {
    const folder = new StateFolder(newHome());
    const agent = await startAgent({ name: "sleep", env: { CLAUDE_CONFIG_DIR: folder.home } });
    folder.write(agent.pid, stateOf(agent));
    const observer = new Observer();
    await observer.sweep();
    await observer.source.read();
    expect(observer.finding(folder.home)).toBeUndefined();
  });

  test("not when it is longer than any path", async () => {
    const home = `/${"x".repeat(100)}`.repeat(50);
    await startAgent({ env: { CLAUDE_CONFIG_DIR: home } });
    const observer = new Observer();
    await observer.sweep();
    await observer.source.read();
    expect(observer.finding(home)).toBeUndefined();
  });
});

describe("one home", () => {
  test("that is reached by two paths is one place", async () => {
    const folder = new StateFolder();
    const link = join(newHome(), "..", "link");
    symlinkSync(folder.home, link);
    const agent = await startAgent({ env: { CLAUDE_CONFIG_DIR: link } });
    folder.write(agent.pid, stateOf(agent));
    const observer = new Observer({ homes: [link] });
    await observer.sweep();
    await observer.source.read();
    expect(observer.run(agent.pid)).toBeDefined();
    expect(observer.finding(link)).toBeUndefined();
  });

  test("becomes two when a link to it is made to lead elsewhere", async () => {
    const [first, second] = [new StateFolder(newHome()), new StateFolder(newHome())];
    const [one, other] = await Promise.all([startAgent(), startAgent()]);
    first.write(one.pid, stateOf(one));
    second.write(other.pid, stateOf(other));
    const link = join(newHome(), "..", "link");
    symlinkSync(first.home, link);
    const observer = new Observer({ homes: [link] });
    await observer.untilRun(one.pid, {}, link);
    rmSync(link);
    symlinkSync(second.home, link);
    await observer.source.read();
    expect(observer.runs(link).map(({ pid }) => pid)).toEqual([other.pid]);
  });

  test("that nobody is told of any more is gone, after its runs", async () => {
    const folder = new StateFolder(newHome());
    const agent = await startAgent({ env: { CLAUDE_CONFIG_DIR: folder.home } });
    folder.write(agent.pid, stateOf(agent));
    const observer = new Observer();
    await observer.sweep();
    await observer.untilRun(agent.pid, {}, folder.home);
    const from = observer.readings.all.length;
    await agent.end();
    await observer.sweep();
    await observer.until(({ kind }) => kind === "gone", folder.home);
    const since = observer.readings.all.slice(from).filter(({ name }) => name === folder.home);
    expect(since.map(({ finding }) => finding)).toEqual([
      { kind: "rows", items: [] },
      { kind: "gone" },
    ]);
    folder.write(process.pid, "");
    await observer.source.read();
    expect(observer.readings.all.slice(from).filter(({ name }) => name === folder.home)).toEqual(
      since,
    );
  });

  test("stays while a run of it lives, whoever else was told of it", async () => {
    const folder = new StateFolder(newHome());
    const agent = await startAgent({ env: { CLAUDE_CONFIG_DIR: folder.home } });
    const hidden = await startAgent({ name: "something-else" });
    folder.write(hidden.pid, stateOf(hidden));
    const observer = new Observer();
    await observer.sweep();
    await observer.untilRun(hidden.pid, {}, folder.home);
    await agent.end();
    await observer.sweep();
    expect(observer.run(hidden.pid, folder.home)).toBeDefined();
    await hidden.end();
    await observer.sweep();
    await observer.until(({ kind }) => kind === "gone", folder.home);
  });

  test("that comes again is found again", async () => {
    const folder = new StateFolder(newHome());
    const start = () => startAgent({ env: { CLAUDE_CONFIG_DIR: folder.home } });
    const observer = new Observer();
    for (let round = 0; round < 3; round += 1) {
      const agent = await start();
      folder.write(agent.pid, stateOf(agent));
      await observer.sweep();
      await observer.untilRun(agent.pid, {}, folder.home);
      await agent.end();
      await observer.sweep();
      await observer.until(({ kind }) => kind === "gone", folder.home);
    }
  });
});

test("of very many homes some dozens are read, and those that are read stay", async () => {
  const top = newHome();
  mkdirSync(top);
  const agents = await Promise.all(
    Array.from({ length: 70 }, (_, index) =>
      startAgent({ env: { CLAUDE_CONFIG_DIR: join(top, `home ${index}`) } }),
    ),
  );
  const observer = new Observer();
  const open = () => {
    const last = new Map(observer.readings.all.map(({ name, finding }) => [name, finding]));
    return [...last].flatMap(([name, { kind }]) =>
      name?.startsWith(top) && kind !== "gone" ? name : [],
    );
  };
  await observer.sweep();
  await observer.source.read();
  const first = open();
  expect(first.length).toBeGreaterThan(40);
  expect(first.length).toBeLessThan(64);
  await observer.sweep();
  await observer.source.read();
  expect(open()).toEqual(first);
  // When some end, others take their places.
  await Promise.all(agents.slice(0, 20).map((agent) => agent.end()));
  await observer.sweep();
  await until(() => open().length === 50);
});
