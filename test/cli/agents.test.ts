import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentInfo } from "../../src/contract/agents.ts";
import { AgentsFrame } from "../../src/contract/agents.ts";
import type { SourceInfo } from "../../src/contract/sources.ts";
import { TerminalInfo } from "../../src/contract/terminals.ts";
import { isValid } from "../../src/contract/validation.ts";
import { ImitatedClaude } from "./imitated.ts";
import { agent, NOW, sid, terminal } from "./rows.ts";
import { ScriptedPublisher } from "./scripted-publisher.ts";
import { COMMAND, Place, type Program } from "./support.ts";

interface Identity {
  readonly instance: string;
  readonly id: string;
}

interface Document {
  readonly terminals: readonly TerminalInfo[];
  readonly agents: readonly AgentInfo[];
  readonly starting: readonly Identity[];
  readonly attached: readonly (Identity & { sids: string[]; pids: number[] })[];
  readonly unattached: readonly Identity[];
  readonly agent_sources: readonly SourceInfo[];
  readonly agents_polled_at?: number;
}

const ls = async (place: Place, args: readonly string[]): Promise<Document> =>
  JSON.parse((await place.run(["ls", "--json", ...args])).stdout);

/** A watch with a command says that it knows what was there before. */
const listens = (program: Program) =>
  program.until(() => (/: runs cat when /.test(program.stderr) ? true : undefined));

describe("agents in tmux", () => {
  test("ls says of each terminal whose it is, with and without a publisher", async () => {
    const place = new Place();
    place.session();
    const attached = await ImitatedClaude.begin(place);
    const starting = await ImitatedClaude.begin(place);
    attached.says({ sessionId: sid(1), status: "busy" });
    await place.serve();
    for (const args of [[], place.looking]) {
      const document = await ls(place, args);
      const idOf = (pid: number) => document.terminals.find((one) => one.pid === pid)?.id;
      expect(document.attached).toEqual([
        expect.objectContaining({ id: idOf(attached.pid), sids: [sid(1)], pids: [attached.pid] }),
      ]);
      expect(document.starting.map(({ id }) => id)).toEqual([idOf(starting.pid)]);
      expect(document.unattached).toHaveLength(1);
      expect(document.agents).toContainEqual(
        expect.objectContaining({ pid: attached.pid, terminal_id: idOf(attached.pid) }),
      );
      expect(document.agent_sources.map(({ scheme }) => scheme)).toContain("claude");
      expect(document.agents_polled_at).toBeGreaterThan(Date.now() - 60_000);
    }
    const { stdout } = await place.run(["ls"]);
    expect(stdout).toMatch(
      /^starting \(1\)\n[\s\S]*\n\nattached \(1\)\n[\s\S]*\n\nunattached \(1\)\n/,
    );
    expect(stdout).toMatch(/claude {2}0192f7c4 {2}busy/);
  });

  test("watch tells an agent's life, and runs commands at what a terminal becomes by it", async () => {
    const place = new Place();
    place.session();
    await place.serve();
    const lines = place.start(["watch"]);
    await lines.line(/listed/);
    const on = (state: string) => place.start(["watch", "--on", state, "--", "cat"]);
    const [starts, attaches, frees, waits] = ["starting", "attached", "unattached", "waiting"].map(
      on,
    );
    const all = [starts, attaches, frees, waits] as Program[];
    for (const program of all) await listens(program);
    const claude = await ImitatedClaude.begin(place);
    await starts?.line(/"command":\["claude"/);
    claude.says({ sessionId: sid(1), status: "busy" });
    await lines.line(/agent .*claude 0192f7c4-\S+ {2}attached {2}busy$/);
    claude.says({ status: "waiting", waitingFor: "permission to run Bash", statusUpdatedAt: NOW });
    await lines.line(/agent .*waiting for permission to run Bash$/);
    await waits?.line(/"waiting_for"/);
    claude.ends();
    await lines.line(/agent .*ended/);
    // The pane remains; whether it is known to be dead by then is a matter of milliseconds.
    await frees?.line(/"command":\["claude"/);
    const [row] = JSON.parse(`[${attaches?.stdout.trim()}]`);
    expect(isValid(TerminalInfo, row)).toBe(true);
    expect(row).toMatchObject({ pid: claude.pid, agents: [{ pid: claude.pid, sid: sid(1) }] });
    for (const program of [starts, attaches, waits]) expect(program?.lines).toHaveLength(1);
  });

  test("over a stop of the publisher an agent that goes on is told once", async () => {
    const place = new Place();
    place.session();
    const claude = await ImitatedClaude.begin(place);
    claude.says({ sessionId: sid(7), status: "busy" });
    const first = await place.serve();
    const watch = place.start(["watch"]);
    await watch.line(new RegExp(`agent .*${sid(7)} {2}listed {2}busy`));
    first.program.signal("SIGTERM");
    await watch.line(/gone .*instance_stopped/);
    await first.program.ended;
    await place.serve();
    await watch.until(() => (/up to date\n/.test(watch.stderr) ? true : undefined));
    claude.says({ status: "idle" });
    await watch.line(new RegExp(`agent .*${sid(7)} {2}idle`));
    expect(watch.lines.filter((line) => line.includes(sid(7)))).toHaveLength(2);
  });

  test("agents are also found where the options say", async () => {
    const place = new Place();
    place.session();
    const claude = await ImitatedClaude.begin(place);
    const agents = [agent({ instance: "f".repeat(32), pid: claude.pid, sid: sid(8) })];
    const upstream = await ScriptedPublisher.listen({ agents, instance: "f".repeat(32) });
    const taken = await ls(place, [...place.looking, "--agents-from", upstream.endpoint]);
    expect(taken.attached).toEqual([
      expect.objectContaining({ sids: [sid(8)], pids: [claude.pid] }),
    ]);
    const named = await ls(place, [...place.looking, "--agent-command", "cat"]);
    expect(named).toMatchObject({ attached: [{ sids: [] }], starting: [{}], unattached: [] });
    const home = join(place.folder, "elsewhere");
    claude.says({ sessionId: sid(9) }, home);
    expect((await ls(place, place.looking)).attached).toEqual([]);
    const given = await ls(place, [...place.looking, "--claude-home", home]);
    expect(given.attached).toEqual([expect.objectContaining({ sids: [sid(9)] })]);
    const mistyped = await place.run(["ls", ...place.looking, "--claude-home", `${home}s`]);
    expect(mistyped.stdout).toContain(`no folder of Claude Code was found at ${home}s\n`);
  });

  test("explain says how a row came to be, and finds it by the pid of a process in it", async () => {
    const place = new Place();
    place.session();
    const claude = await ImitatedClaude.begin(place);
    claude.says({ sessionId: sid(1), status: "busy" });
    const explain = (text: string, ...args: string[]) =>
      place.run(["explain", text, ...place.looking, ...args]);
    const { code, stdout } = await explain(String(claude.pid));
    expect(code).toBe(0);
    expect(stdout).toContain(`whose    attached to ${sid(1)}`);
    expect(stdout).toContain("chosen by  rule 1: an agent's run, the only run in it");
    expect(stdout).toMatch(/claude 1000 +chosen, started by the manager, recognised as claude/);
    const { stdout: text } = await explain("work:0.0", "--json");
    expect(JSON.parse(text)).toMatchObject({
      terminal: { command: ["cat"] },
      section: "unattached",
      rule: { name: "root", number: 3 },
      source: { scheme: "tmux", status: "ok" },
      processes: [{ argv: ["cat"], root: true, chosen: true, foreground: true }],
    });
  });

  test("explain says where the running publisher, which looks elsewhere, states otherwise", async () => {
    const place = new Place();
    place.session();
    const claude = await ImitatedClaude.begin(place);
    const home = join(place.folder, "elsewhere");
    claude.says({ sessionId: sid(1) }, home);
    const { ready } = await place.serve();
    const explain = (...args: string[]) =>
      place.run(["explain", String(claude.pid), ...place.looking, ...args]);
    const given = await explain("--claude-home", home);
    expect(given).toMatchObject({ code: 0, stderr: "" });
    expect(given.stdout).toContain(`whose    attached to ${sid(1)}`);
    expect(given.stdout.trimEnd().split("\n").at(-1)).toBe(
      `the publisher (pid ${ready.pid}), which may have been given other options, states it as starting`,
    );
    const { stdout: text } = await explain("--claude-home", home, "--json");
    expect(JSON.parse(text)).toMatchObject({
      section: "attached",
      publisher: { pid: ready.pid, terminal: { pid: claude.pid }, section: "starting", sids: [] },
    });
    const alike = await explain();
    expect(alike).toMatchObject({ code: 0, stderr: "" });
    expect(alike.stdout).toContain("whose    starting");
    expect(alike.stdout).not.toContain("the publisher");
    const { stdout: same } = await explain("--json");
    expect(JSON.parse(same)).not.toHaveProperty("publisher");
  });

  test("explain says in plain words that there is no such terminal, or more than one", async () => {
    const place = new Place();
    place.session();
    const other = new Place();
    other.session();
    const explain = (text: string) =>
      place.run(["explain", text, ...place.looking, "--tmux-socket", other.sockets]);
    const none = await explain("nothing");
    expect([none.code, none.stdout]).toEqual([1, ""]);
    expect(none.stderr).toMatch(
      /^termtopic: no terminal has "nothing" as its id, short id, name or device/,
    );
    const several = await explain("work:0.0");
    expect([several.code, several.stdout]).toEqual([1, ""]);
    expect(several.stderr).toMatch(
      /"work:0.0" may be any of 2 terminals: tmux:\S+ \(work:0.0\), tmux:\S+ \(work:0.0\)\n$/,
    );
    const outside = await explain(String(process.pid));
    expect(outside).toMatchObject({ code: 1, stdout: "" });
    expect(outside.stderr).toMatch(new RegExp(`process ${process.pid} \\(.*\\) is in no terminal`));
  });
});

describe("a publisher that tells of no agents", () => {
  const shell = terminal({ id: "t:1" });
  const claude = terminal({ id: "t:2", name: "work:0.1", command: ["claude"], pid: 11 });
  const url = (publisher: ScriptedPublisher) => ["--url", publisher.endpoint];

  test.each([
    [
      "capability_unavailable",
      "the publisher does not give them: capability_unavailable: not here",
    ],
    ["internal_error", "the publisher does not give them: internal_error: not here"],
    [undefined, "the publisher does not observe them"],
  ])("is listed all the same (%s)", async (refusal, why) => {
    const agents = refusal ?? [];
    const publisher = await ScriptedPublisher.listen({ terminals: [shell, claude], agents });
    if (refusal === undefined) publisher.agentsPolledAt = undefined;
    const place = new Place();
    const { code, stdout, stderr } = await place.run(["ls", ...url(publisher)]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^starting \(1\)\n[\s\S]*\n\nunattached \(1\)\n/);
    expect(stdout).toContain(`\n\nagents are not known: ${why}\n`);
    const document = await ls(place, url(publisher));
    expect(document).toMatchObject({ starting: [{ id: "t:2" }], unattached: [{ id: "t:1" }] });
    expect(document).not.toHaveProperty("agents_polled_at");
  });

  test("is watched all the same, and that is said once", async () => {
    const terminals = [shell];
    const publisher = await ScriptedPublisher.listen({ terminals, agents: "forbidden" });
    const watch = new Place().start(["watch", ...url(publisher)]);
    await watch.line(/listed/);
    await watch.until(() => (/agents are not known/.test(watch.stderr) ? true : undefined));
    publisher.change("terminals", [claude]);
    await watch.line(/opened .*t:2/);
    expect(watch.stderr).toBe(
      "termtopic: agents are not known: the publisher does not give them: forbidden: not here\n",
    );
  });

  test("can be waited at for terminals' own states, but not for what agents make of them", async () => {
    const publisher = await ScriptedPublisher.listen({ terminals: [shell], agents: "forbidden" });
    const place = new Place();
    const on = (state: string) =>
      place.start(["watch", ...url(publisher), "--on", state, "--", "cat"]);
    const { code, stderr } = await on("waiting").ended;
    expect(code).toBe(1);
    expect(stderr).toBe(
      "termtopic: --on waiting needs a publisher that knows agents: the publisher does not give them: forbidden: not here\n",
    );
    const dead = on("dead");
    await listens(dead);
    publisher.change("terminals", [{ ...claude, state: "dead" }]);
    await dead.line(/"id":"t:2","state":"dead"/);
  });
});

describe("a publisher of both", () => {
  test("watch --json prints the frames of both topics", async () => {
    const publisher = await ScriptedPublisher.listen({
      terminals: [terminal()],
      agents: [agent()],
    });
    const watch = new Place().start(["watch", "--json", "--url", publisher.endpoint]);
    await watch.line(/"topic":"terminals"/);
    const frame = await watch.line(/"topic":"agents"/);
    expect(isValid(AgentsFrame, JSON.parse(frame))).toBe(true);
    publisher.change("agents", []);
    await watch.line(/"agents":\[\]/);
  });

  test("what was there before enters nothing, in whatever order its frames come", async () => {
    const terminals = [terminal({ pid: 20, command: ["claude"] })];
    const publisher = await ScriptedPublisher.listen({ terminals, agents: [agent()] });
    const watch = new Place().start([
      "watch",
      "--url",
      publisher.endpoint,
      "--on",
      "attached",
      "--",
      "cat",
    ]);
    await listens(watch);
    const second = terminal({ id: "t:2", pid: 21, command: ["claude"] });
    publisher.change("agents", [agent({ pid: 21, sid: sid(2) })]);
    publisher.change("terminals", [second]);
    const row = JSON.parse(await watch.line(/./));
    expect(row).toEqual({ ...second, agents: [agent({ pid: 21, sid: sid(2) })] });
    expect(watch.lines).toHaveLength(1);
  });

  test("the live tables show agents, and one that waits stands out", async () => {
    const terminals = [terminal({ pid: 20, command: ["claude"] })];
    const publisher = await ScriptedPublisher.listen({ terminals, agents: [agent()] });
    const place = new Place();
    const shown = place.onTerminal(
      `stty cols 120 rows 12; exec ${COMMAND} watch --url ${publisher.endpoint}`,
    );
    await shown.until(() => /attached \(1\)/.exec(shown.stdout) ?? undefined);
    // Nothing is shown before whose terminals are is known.
    expect(shown.stdout).not.toContain("unattached");
    publisher.change("agents", [agent({ status: "waiting", waiting_for: "a word" })]);
    await shown.until(() => /\x1b\[33mwaiting.*\x1b\[33ma word/.exec(shown.stdout) ?? undefined);
    publisher.change("agents", [{ instance: agent().instance, pid: 20, removed: true }]);
    await shown.until(() => /starting \(1\)/.exec(shown.stdout) ?? undefined);
    shown.child.stdin?.write("\x03");
    expect((await shown.ended).code).toBe(0);
  });
});
