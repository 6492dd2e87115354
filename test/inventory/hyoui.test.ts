import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { HyouiSource } from "../../src/inventory/hyoui.ts";
import { systemClock } from "../../src/time/clock.ts";
import { Listener, StandIn, tableOfTest, temporaryFolder, until } from "./managers.ts";
import { kernelWatches } from "./unit/support.ts";
import { isRunning, numberIn } from "./unit/tmux/support.ts";

/** A hyoui that prints what it is told, with a home of its own. */
function hyoui({ installed = true } = {}) {
  const home = temporaryFolder();
  const bin = join(home, "bin");
  mkdirSync(bin);
  const [program, answer, calls] = [join(bin, "hyoui"), join(home, "answer"), join(home, "calls")];
  const says = (script: string) =>
    writeFileSync(program, `#!/bin/sh\necho "$@" >>${calls}\n${script}\n`, { mode: 0o755 });
  const environment = { PATH: `${bin}:/usr/bin:/bin`, HOME: home, TMPDIR: home };
  if (installed) says(`cat ${answer}`);
  writeFileSync(answer, "");
  return {
    home,
    program,
    says,
    answers: (...lines: readonly object[]) =>
      writeFileSync(answer, lines.map((line) => `${JSON.stringify(line)}\n`).join("")),
    asked: () => (existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : []),
    source: (more: Readonly<Record<string, string>> = {}) =>
      new HyouiSource({ clock: systemClock, environment: { ...environment, ...more } }),
    print: (text: string | Buffer) => writeFileSync(answer, text),
  };
}

const RUNNING = { session: "one", status: "live", child_state: "running" };

describe("hyoui that is installed", () => {
  test("is asked for the sessions of all namespaces, soon after the start", async () => {
    const { print, asked, source } = hyoui();
    const recorded = new URL("./recorded/hyoui-namespaces.jsonl", import.meta.url);
    print(readFileSync(recorded));
    const listener = new Listener(source());
    await listener.until(() => listener.rows.length === 4);
    expect(listener.places).toEqual([{ name: undefined, status: "ok", code: undefined }]);
    expect(listener.rows.map(({ id }) => id)).toEqual([
      "hyoui:run-4242",
      "hyoui:w1",
      "hyoui:default/w1",
      "hyoui:old",
    ]);
    expect(asked()[0]).toBe("list --format=jsonl --all-namespaces");
  });

  test("has no sessions where it lists none, whatever it warns of", async () => {
    const { says, source } = hyoui();
    says("echo 'hyoui: ignored: x.sock' >&2");
    const listener = new Listener(source());
    await listener.until(() => listener.places[0]?.status === "ok");
    expect(listener.rows).toEqual([]);
  });

  test("is asked plainly for good where it refuses to show all namespaces", async () => {
    const { says, asked, source } = hyoui();
    const line = JSON.stringify(RUNNING);
    says(`case "$*" in *all*) echo 'unknown option' >&2; exit 2;; esac; echo '${line}'`);
    const hosts = source();
    const listener = new Listener(hosts);
    await listener.until(() => listener.rows.length === 1);
    const before = asked();
    expect(before.slice(0, 2)).toEqual([
      "list --format=jsonl --all-namespaces",
      "list --format=jsonl",
    ]);
    await hosts.read();
    expect(asked().filter((call) => call.includes("all"))).toHaveLength(1);
  });

  test("is given where its sockets are and nothing else of ours", async () => {
    const { home, says, source } = hyoui();
    // It may be run again while its file is read.
    const file = join(home, "env");
    says(`env >${file}.$$ && mv ${file}.$$ ${file}`);
    const state = join(home, "state");
    const listener = new Listener(
      source({ HYOUI_STATE_DIR: state, HYOUI_SESSION_ID: "ours", HYOUI_LOCK_TOKEN: "secret" }),
    );
    await listener.until(() => listener.places[0]?.status === "ok");
    const env = readFileSync(file, "utf8");
    expect(env).toContain(`HYOUI_STATE_DIR=${state}\n`);
    expect(env).not.toMatch(/ours|secret/);
  });

  test.each([
    ["its state folder", (home: string) => join(home, ".local/state/hyoui")],
    ["the newest folder", (home: string) => join(home, ".local/state/hyoui/sessions")],
    ["a namespace's folder", (home: string) => join(home, ".local/state/hyoui/work")],
    ["the temporary folder", (home: string) => join(home, `hyoui-${process.geteuid?.()}`)],
  ])(
    "is asked again when a socket comes or goes in %s, also one that is made later",
    async (_, of) => {
      const { home, answers, source } = hyoui();
      const listener = new Listener(source());
      await listener.until(() => listener.places[0]?.status === "ok");
      const folder = of(home);
      answers(RUNNING);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "one.sock"), "");
      await listener.until(() => listener.rows.length === 1);
      answers();
      rmSync(join(folder, "one.sock"));
      await listener.until(() => listener.rows.length === 0);
    },
  );

  test("is not asked for locks that come and go as it lists", async () => {
    const { home, answers, asked, source } = hyoui();
    const folder = join(home, ".local/state/hyoui");
    mkdirSync(folder, { recursive: true });
    const hosts = source();
    const listener = new Listener(hosts);
    await listener.until(() => listener.places[0]?.status === "ok");
    // The last question of the start is the one for what no watch announced.
    await until(() => asked().length >= 2);
    await hosts.read();
    const before = asked().length;
    for (let lock = 0; lock < 20; lock += 1) {
      writeFileSync(join(folder, "one.lock"), "");
      rmSync(join(folder, "one.lock"));
    }
    answers(RUNNING);
    writeFileSync(join(folder, "one.sock"), "");
    await listener.until(() => listener.rows.length === 1);
    expect(asked().length).toBeLessThanOrEqual(before + 3);
  });
});

describe("hyoui that is not installed", () => {
  test("is absent, nothing is watched, and it is found once it is", async () => {
    const { home, says, source } = hyoui({ installed: false });
    const watches = kernelWatches();
    const hosts = source();
    const listener = new Listener(hosts);
    await listener.until(() => listener.places[0]?.status === "absent");
    await hosts.read();
    expect(listener.places).toEqual([{ name: undefined, status: "absent", code: undefined }]);
    expect(kernelWatches()).toBe(watches);
    says(`echo '${JSON.stringify(RUNNING)}'`);
    await hosts.read();
    expect(listener.rows.map(({ id }) => id)).toEqual(["hyoui:one"]);
    rmSync(join(home, "bin/hyoui"));
    await hosts.read();
    expect(listener.places[0]?.status).toBe("absent");
    expect(listener.rows).toEqual([]);
    expect(kernelWatches()).toBe(watches);
  });
});

describe("hyoui that fails", () => {
  test.each([
    ["failed", "echo 'cannot open' >&2; exit 1"],
    ["failed", "exit 70"],
    ["failed", "kill -KILL $$"],
    ["no_answer", "echo '{}'; exec sleep 1000"],
    ["unreadable_answer", "echo garbage; echo more"],
    ["answer_too_long", "exec head -c 20000000 /dev/zero"],
  ])(
    "(%s) because it runs %j keeps its terminals, and is well again by itself",
    async (code, script) => {
      const { says, answers, home, source } = hyoui();
      answers(RUNNING);
      const hosts = source();
      const listener = new Listener(hosts);
      await listener.until(() => listener.rows.length === 1);
      const before = listener.rows;
      says(script);
      void hosts.read();
      await listener.until(() => listener.places[0]?.status === "failing");
      expect(listener.places[0]?.code).toBe(code);
      expect(listener.rows).toEqual(before);
      says(`cat ${join(home, "answer")}`);
      await listener.sees(() => {
        hosts.tick();
        return listener.places[0]?.status === "ok";
      });
      expect(listener.rows).toEqual(before);
    },
  );

  test("because it cannot be run counts as missing where the system says so", async () => {
    const { program, source } = hyoui();
    writeFileSync(program, "#!/no/such/interpreter\n");
    const listener = new Listener(source());
    await listener.until(() => listener.places[0]?.status === "absent");
  });

  test("is killed when the source stops, and nothing is watched any more", async () => {
    const { home, says, source } = hyoui();
    const watches = kernelWatches();
    const pid = join(home, "pid");
    says(`echo $$ >${pid}; exec sleep 1000`);
    const hosts = source();
    const listener = new Listener(hosts);
    const hung = await numberIn(pid);
    hosts.stop();
    await until(() => !isRunning(hung));
    expect(listener.readings).toEqual([]);
    expect(kernelWatches()).toBe(watches);
  });
});

describe("a daemon of hyoui", () => {
  const daemon = async (...sessions: readonly Readonly<Record<string, unknown>>[]) => {
    const { answers, source } = hyoui();
    const standIn = await StandIn.start("hyoui", ["run", "--detached"]);
    const terminal = await standIn.open({ HYOUI_SESSION_ID: "one" });
    answers(...sessions.map((session) => ({ child_pid: terminal.pid, ...session })));
    const hosts = source();
    const listener = new Listener(hosts, standIn);
    const manages = () => {
      const process = tableOfTest().read(standIn.pid);
      return process !== undefined && hosts.manages(process);
    };
    return { standIn, terminal, answers, listener, hosts, manages };
  };

  test("whose session is listed manages what it opens", async () => {
    const { listener, hosts, manages, terminal } = await daemon(RUNNING);
    await listener.sees(() => listener.rows.length === 1);
    await hosts.read();
    expect(manages()).toBe(true);
    expect(listener.rows[0]?.rootPid).toBe(terminal.pid);
  });

  test("whose session is not listed does not, nor does any while hyoui fails", async () => {
    const { listener, hosts, manages } = await daemon({ ...RUNNING, child_pid: 1 });
    await listener.sees(() => listener.rows.length === 1);
    await hosts.read();
    expect(manages()).toBe(false);
  });

  test("that opens another terminal is a reason to ask", async () => {
    const { standIn, listener, hosts, answers } = await daemon(RUNNING);
    await listener.sees(() => listener.rows.length === 1);
    // What the start asks for again for want of certainty is over.
    await hosts.read();
    const second = await standIn.open({ HYOUI_SESSION_ID: "two" });
    answers(RUNNING, { ...RUNNING, session: "two", child_pid: second.pid });
    await listener.sees(() => listener.rows.length === 2);
  });
});
