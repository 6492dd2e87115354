import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { SourceInfo } from "../../src/contract/sources.ts";
import type { TerminalInfo } from "../../src/contract/terminals.ts";
import { COMMAND, Place, PROGRAM } from "./support.ts";

interface Document {
  readonly terminals: readonly TerminalInfo[];
  readonly sources: readonly SourceInfo[];
  readonly polled_at?: number;
}

const look = (place: Place) => ["ls", ...place.looking];

/** What was printed, without agents that run on this host meanwhile, such as those of other tests. */
const withoutAgents = (text: string) =>
  text.replace(/\nagents in none of these terminals (?:.+\n)+(?:\n(?=no tmux))?/, "");

async function documentOf(place: Place, args: readonly string[]): Promise<Document> {
  const { code, stdout, stderr } = await place.run([...args, "--json"]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout.split("\n")).toHaveLength(2);
  return JSON.parse(stdout);
}

describe("where the rows come from", () => {
  test("with and without a publisher the rows are the same", async () => {
    const place = new Place();
    place.session();
    place.tmux("split-window", "-d", "exec sleep 1000");
    await place.serve();
    const asked = await documentOf(place, ["ls"]);
    const looked = await documentOf(place, look(place));
    expect(asked.terminals.map(({ command }) => command)).toEqual([["cat"], ["sleep", "1000"]]);
    // The wall clock of a start is worked out by each process anew, to within milliseconds.
    const steady = ({ terminals }: Document) =>
      terminals.map(({ started_at: _started, activity_at: _activity, ...row }) => row);
    expect(steady(looked)).toEqual(steady(asked));
    for (const { sources, polled_at } of [asked, looked]) {
      expect(sources).toEqual([
        expect.objectContaining({ scheme: "tmux", name: join(place.sockets, "a"), status: "ok" }),
      ]);
      expect(polled_at).toBeGreaterThan(Date.now() - 60_000);
    }
  });

  test("a publisher elsewhere is asked by its address, with the token in a file or in the fragment", async () => {
    const place = new Place();
    place.session();
    const { ready, token } = await place.serve();
    const elsewhere = new Place();
    const file = join(elsewhere.folder, "token");
    writeFileSync(file, `${token}\n`);
    const byFile = ["ls", "--url", ready.endpoint, "--token-file", file];
    const byFragment = ["ls", "--url", `${ready.endpoint}#token=${token}`];
    for (const args of [byFile, byFragment]) {
      expect((await documentOf(elsewhere, args)).terminals).toHaveLength(1);
    }
    const refused = await elsewhere.run(["ls", "--url", ready.endpoint]);
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toContain("--token-file");
  });

  test("a publisher that is not there is told", async () => {
    const unused = createServer().listen(0, "127.0.0.1");
    await once(unused, "listening");
    const { port } = unused.address() as { port: number };
    unused.close();
    await once(unused, "close");
    const { code, stdout, stderr } = await new Place().run([
      "ls",
      "--url",
      `http://127.0.0.1:${port}`,
    ]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`the publisher at http://127.0.0.1:${port}/ does not answer`);
  });

  test("one that is stuck is told, and a look of our own does instead", async () => {
    const place = new Place();
    place.session();
    const publisher = await place.serve();
    publisher.program.signal("SIGSTOP");
    const { code, stdout, stderr } = await place.run(["ls"]);
    expect(code).toBe(0);
    expect(stdout).toContain("work:0.0");
    expect(stderr).toContain(`pid ${publisher.ready.pid}`);
    expect(stderr).toContain("also at those that the publisher may have been told to leave out");
  });

  test("a server that does not answer is unknown, not empty", async () => {
    const place = new Place();
    place.session();
    const pid = Number(place.tmux("display-message", "-p", "#{pid}"));
    process.kill(pid, "SIGSTOP");
    try {
      const { code, stdout } = await place.run(look(place));
      expect(code).toBe(0);
      expect(stdout).toContain("/0");
      expect(stdout).toMatch(/tmux .*\/a could not be read/);
    } finally {
      process.kill(pid, "SIGCONT");
    }
  });

  test("it leaves nothing behind", async () => {
    const place = new Place();
    await place.run(look(place));
    await expect(place.run(["url"])).resolves.toMatchObject({ code: 1 });
    expect(() => mkdirSync(place.state)).not.toThrow();
  });
});

describe("what a person sees", () => {
  test("that there are no terminals", async () => {
    const place = new Place();
    const { code, stdout } = await place.run(look(place));
    expect([code, withoutAgents(stdout)]).toEqual([
      0,
      `There are no terminals there.\nno tmux server was found at ${place.sockets}\n`,
    ]);
    expect((await documentOf(place, look(place))).terminals).toEqual([]);
    const { stdout: some } = await place.run(["ls", "--source", "wezterm", "--source", "kitty"]);
    // Whoever runs this may have them.
    expect(some).not.toContain("There are no terminals.\n");
  });

  test("names, folders and commands with controls stay within their cells", async () => {
    const place = new Place();
    const folder = join(place.folder, "odd\x1b[2J\n\tname");
    mkdirSync(folder);
    place.tmux("new-session", "-d", "-s", "one", "-x", "80", "-y", "24", "-c", folder, "exec cat");
    place.tmux(
      "new-window",
      "-d",
      `exec bash -c "exec -a $'evil\\e[31m\\n\\xc2\\x9b2J' sleep 1000"`,
    );
    place.tmux("select-pane", "-t", "one:0.0", "-T", "title\x1b]0;x\x07");
    const stdout = withoutAgents((await place.run(look(place))).stdout);
    const lines = stdout.split("\n");
    expect(lines).toHaveLength(5);
    for (const line of lines) expect(line).not.toMatch(/\p{Cc}/u);
    expect(stdout).toMatch(/odd \[2J name/);
    expect(stdout).toMatch(/evil \[31m 2J/);
    const json = await place.run([...look(place), "--json"]);
    expect(json.stdout.trimEnd()).not.toMatch(/\p{Cc}/u);
    const cwds = (JSON.parse(json.stdout) as Document).terminals.map(({ cwd }) => cwd);
    expect(cwds).toContain(folder);
  });

  test("colour and a table of the terminal's width only on a terminal", async () => {
    const place = new Place();
    place.session();
    const line = `stty cols 60; exec ${COMMAND} ls ${place.looking.join(" ")}`;
    const shown = (await place.onTerminal(line).ended).stdout;
    expect(shown).toContain("\x1b[");
    const plain = (await place.onTerminal(line, { NO_COLOR: "1" }).ended).stdout;
    expect(plain).not.toContain("\x1b");
    expect(plain).toContain("work:0.0");
    const widths = plain.split(/\r?\n/).map(({ length }) => length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(60);
    // What other programs take for a wish for colours is none of the user's.
    const piped = await place.run(look(place), { env: { CI: "1", TERM: "xterm" } });
    expect(piped.stdout).not.toContain("\x1b");
  });

  test("a reader that has seen enough ends it without a word", async () => {
    const place = new Place();
    place.session();
    const child = spawn(process.execPath, [PROGRAM, ...look(place)], {
      env: place.env as NodeJS.ProcessEnv,
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let told = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      told += text;
    });
    child.stdout.destroy();
    const [code] = await once(child, "close");
    expect([code, told]).toEqual([0, ""]);
  });
});
