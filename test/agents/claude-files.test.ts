import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  Observer,
  refuse,
  runsIn,
  StateFolder,
  sid,
  startAgent,
  stateOf,
  table,
} from "./claude/support.ts";

/** What may be found under the name of a state file without being one, by how it comes there. */
const ODD: Readonly<Record<string, (path: string, whole: string) => void>> = {
  empty: (path) => writeFileSync(path, ""),
  "cut in the middle": (path, whole) => writeFileSync(path, whole.slice(0, whole.length / 2)),
  "cut before its end": (path, whole) => writeFileSync(path, whole.slice(0, -1)),
  "followed by the end of a longer one": (path, whole) => writeFileSync(path, `${whole}"}`),
  "zeros, as after a power failure": (path) => writeFileSync(path, Buffer.alloc(500)),
  "no text": (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0x7b, 0x00])),
  "no JSON": (path) => writeFileSync(path, "session: 1\n"),
  "JSON of another kind": (path) => writeFileSync(path, "[1]"),
  "of a program that says other things": (path) => writeFileSync(path, '{"name":"termtopic"}'),
  "without a session": (path, whole) => writeFileSync(path, whole.replace("sessionId", "session")),
  "nested 30 000 deep": (path) => writeFileSync(path, "[".repeat(30_000)),
  "larger than any": (path, whole) => writeFileSync(path, whole + " ".repeat(70_000)),
  "as large as a disk": (path) => hole(path, 2 ** 40),
  "a FIFO": (path) => execFileSync("mkfifo", [path]),
  "a link that leads nowhere": (path) => symlinkSync("/nowhere/at/all", path),
  "a link to itself": (path) => symlinkSync(path, path),
  "a link to a device": (path) => symlinkSync("/dev/zero", path),
};

/** A file system gives no room to what was never written. */
function hole(path: string, bytes: number): void {
  const descriptor = openSync(path, "w");
  ftruncateSync(descriptor, bytes);
  closeSync(descriptor);
}

describe("a state file that is", () => {
  test.each(Object.entries(ODD))(
    "%s leaves its run as it was and harms no other",
    async (_name, make) => {
      const folder = new StateFolder();
      const [agent, other, never] = await Promise.all([startAgent(), startAgent(), startAgent()]);
      folder.write(agent.pid, stateOf(agent));
      folder.write(other.pid, stateOf(other));
      make(folder.file(never.pid), stateOf(never));
      const observer = new Observer();
      await observer.untilRun(agent.pid);
      const from = observer.readings.all.length;
      const odd = join(folder.home, "odd");
      make(odd, stateOf(agent));
      renameSync(odd, folder.file(agent.pid));
      folder.write(other.pid, stateOf(other, { status: "busy" }));
      await observer.untilRun(other.pid, { status: "busy" });
      await observer.source.read();
      observer.source.tick();
      for (const { finding } of observer.readings.all.slice(from)) {
        expect(runsIn(finding).map(({ pid }) => pid)).toContain(agent.pid);
      }
      expect(observer.run(never.pid)).toBeUndefined();
      folder.remove(agent.pid);
      await observer.untilNoRun(agent.pid);
      expect(observer.run(other.pid)).toBeDefined();
    },
  );

  test("a folder leaves the run as it was that is stated, and harms no other", async () => {
    const folder = new StateFolder();
    const [agent, never] = await Promise.all([startAgent(), startAgent()]);
    mkdirSync(folder.file(never.pid));
    folder.write(agent.pid, stateOf(agent));
    const observer = new Observer();
    await observer.untilRun(agent.pid);
    folder.remove(agent.pid);
    mkdirSync(folder.file(agent.pid));
    await observer.source.read();
    expect(observer.runs().map(({ pid }) => pid)).toEqual([agent.pid]);
  });

  test("not to be opened by us leaves its run as it was", async () => {
    const folder = new StateFolder();
    const agent = await startAgent();
    folder.write(agent.pid, stateOf(agent));
    const observer = new Observer();
    await observer.untilRun(agent.pid);
    refuse(folder.file(agent.pid));
    await observer.source.read();
    expect(observer.finding()).toMatchObject({ kind: "rows", items: [{ pid: agent.pid }] });
  });
});

test("files that were left behind in great numbers hide no run", async () => {
  const folder = new StateFolder();
  for (let pid = 5_000_000; pid < 5_002_000; pid += 1) folder.write(pid, "x");
  const agent = await startAgent();
  folder.write(agent.pid, stateOf(agent));
  const observer = new Observer();
  await observer.untilRun(agent.pid);
  await observer.source.read();
  expect(observer.runs()).toHaveLength(1);
});

describe("a folder of state files that cannot be read", () => {
  test("counts as failing and keeps the runs whose processes live", async () => {
    const folder = new StateFolder();
    const [agent, ended] = await Promise.all([startAgent(), startAgent()]);
    for (const one of [agent, ended]) folder.write(one.pid, stateOf(one));
    const observer = new Observer();
    await observer.untilRun(ended.pid);
    renameSync(folder.path, join(folder.home, "away"));
    writeFileSync(folder.path, "");
    await observer.until(({ kind }) => kind === "failing");
    expect(observer.finding()).toMatchObject({ fault: { code: "not_a_folder" } });
    expect(observer.runs()).toHaveLength(2);
    await ended.end();
    observer.source.tick();
    expect(observer.runs().map(({ pid }) => pid)).toEqual([agent.pid]);
    rmSync(folder.path);
    renameSync(join(folder.home, "away"), folder.path);
    await observer.until((finding) => finding.kind === "rows" && finding.items.length === 1);
  });

  test("says so where it is not for us, and is read again as soon as it is", async () => {
    const folder = new StateFolder();
    const agent = await startAgent();
    folder.write(agent.pid, stateOf(agent));
    const observer = new Observer();
    await observer.untilRun(agent.pid);
    refuse(folder.path);
    await observer.source.read();
    expect(observer.finding()).toMatchObject({
      kind: "failing",
      fault: { code: "permission_denied" },
    });
    expect(observer.runs()).toHaveLength(1);
    process.seteuid?.(process.getuid?.() ?? 0);
    chmodSync(folder.path, 0o755);
    observer.source.tick();
    await observer.until(({ kind }) => kind === "rows");
  });
});

test("among 1 000 odd files ten agents whose files are rewritten all the time never lose a row", async () => {
  const folder = new StateFolder();
  const agents = await Promise.all(Array.from({ length: 10 }, () => startAgent()));
  for (const agent of agents) folder.write(agent.pid, stateOf(agent));
  const observer = new Observer();
  await observer.sweep();
  await observer.until((finding) => runsIn(finding).length === 10);
  const from = observer.readings.all.length;

  const odd = [...Object.values(ODD), (path: string) => mkdirSync(path)];
  const files = agents.map(({ pid }) => openSync(folder.file(pid), "r+"));
  // Files of processes that live and are no agents, and of numbers that nobody has.
  const numbers = [...(await table.sweep()).all()].map(({ pid }) => pid);
  const living = numbers.filter((pid) => !agents.some((agent) => agent.pid === pid));
  for (let made = 0; made < 1_000; made += 1) {
    const pid = living[made] ?? 5_000_000 + made;
    odd[made % odd.length]?.(folder.file(pid), stateOf({ pid, startTick: "1" }));
    for (const [index, descriptor] of files.entries()) {
      const one = agents[index];
      if (one === undefined || (index + made) % 2 === 0) continue;
      const text = stateOf(one, { status: `busy ${made}`, waitingFor: "x".repeat(made % 50) });
      ftruncateSync(descriptor, 0);
      // Some are looked at just now.
      if (made % 11 === index) await new Promise((turn) => setTimeout(turn, 1));
      const half = Math.floor(text.length / 2);
      writeSync(descriptor, text.slice(0, half), 0);
      if (made % 7 === index) await new Promise((turn) => setImmediate(turn));
      writeSync(descriptor, text.slice(half), half);
    }
    if (made % 100 === 0) await observer.sweep();
    if (made % 100 === 50) await observer.source.read();
    if (made % 30 === 0) observer.source.tick();
  }
  for (const descriptor of files) closeSync(descriptor);
  for (const agent of agents) {
    folder.write(agent.pid, stateOf(agent, { status: "idle" }));
    await observer.untilRun(agent.pid, { status: "idle", sid: sid(agent.pid) });
  }

  const here = observer.readings.all.slice(from).filter(({ name }) => name === folder.home);
  expect(here.length).toBeGreaterThan(100);
  const pids = agents.map(({ pid }) => pid).sort((a, b) => a - b);
  for (const { finding } of here) {
    expect(finding.kind).toBe("rows");
    expect(runsIn(finding).map(({ pid }) => pid)).toEqual(pids);
  }
}, 60_000);
