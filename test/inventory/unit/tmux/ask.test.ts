import { execFileSync } from "node:child_process";
import { closeSync, openSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Answer, ask } from "../../../../src/inventory/tmux/ask.ts";
import { LISTING_COMMAND } from "../../../../src/inventory/tmux/listing.ts";
import { temporaryFolder, until } from "../support.ts";
import { isRunning, numberIn, program, startServer } from "./support.ts";

const never = new AbortController().signal;

/** Long enough for a program to begin, short enough to wait for. */
const SOON_MS = 250;

const asking = (
  path: string,
  command: string[] = [],
  deadlineMs?: number,
  signal = never,
): Promise<Answer> => ask({ program: path, socket: "/the socket" }, command, signal, deadlineMs);

describe("asking a tmux server", () => {
  test("gives the client what makes its answer readable and starts no server, and the command as it is", async () => {
    const echo = program(`printf '%s\\n' "$@"`);
    const { stdout } = await asking(echo, ["list-panes", "-F", "a b\n'$x"]);
    expect(stdout.toString()).toBe("-u\n-N\n-S\n/the socket\nlist-panes\n-F\na b\n'$x\n");
  });

  test("answers with the exit code, the bytes as they are, and the error output", async () => {
    const speak = program(`printf '\\377\\000a\\n'; echo ' no current target' >&2; exit 1`);
    expect(await asking(speak)).toEqual({
      exitCode: 1,
      stdout: Buffer.from([0xff, 0, 0x61, 0x0a]),
      stderr: "no current target",
    });
  });

  test("passes on no variable of ours that could point the client elsewhere", async () => {
    vi.stubEnv("TMUX", "/tmp/elsewhere,1,0");
    vi.stubEnv("TMUX_PANE", "%1");
    vi.stubEnv("TMUX_TMPDIR", "/elsewhere");
    vi.stubEnv("LC_ALL", "C");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { stdout } = await asking(program("exec /usr/bin/env; pwd"));
    const names = stdout
      .toString()
      .split("\n")
      .map((line) => line.split("=")[0] ?? "");
    const ofTheShell = ["PWD", "OLDPWD", "SHLVL", "_", ""];
    expect(names.filter((name) => !ofTheShell.includes(name)).sort()).toEqual(["HOME", "PATH"]);
    expect(stdout.toString()).toMatch(/^PWD=\/$/m);
  });

  test("lists the panes of a real server", async () => {
    const { socket, command } = await startServer();
    await command("split-window", "-d", "cat");
    const answer = await ask({ program: "tmux", socket }, LISTING_COMMAND, never);
    expect(answer).toMatchObject({ exitCode: 0, stderr: "" });
    expect(answer.stdout.toString().trim().split("\n")).toHaveLength(2);
  });

  test.each([["list-panes", ...LISTING_COMMAND.slice(1)], ["new-session", "-d"], ["start-server"]])(
    "never starts a server, not even by %s",
    async (...command) => {
      const folder = temporaryFolder();
      const socket = join(folder, "none");
      const answer = await ask({ program: "tmux", socket }, command, never);
      expect(answer).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(socket) });
      expect(readdirSync(folder)).toEqual([]);
    },
  );
});

describe("a client that does not end by itself", () => {
  test("is killed at the deadline, even if it ignores to be asked", async () => {
    const file = join(temporaryFolder(), "pid");
    const stubborn = program(`trap '' TERM HUP INT; echo $$ >${file}; echo half; exec sleep 1000`);
    const answer = await asking(stubborn, [], SOON_MS);
    expect(answer).toMatchObject({ exitCode: undefined, ended: "deadline" });
    const pid = await numberIn(file);
    await until(() => !isRunning(pid));
  });

  test("is killed with what it started, which would keep its output open", async () => {
    const file = join(temporaryFolder(), "pid");
    const wrapper = program(`sleep 1000 & echo $! >${file}; wait`);
    expect(await asking(wrapper, [], SOON_MS)).toMatchObject({ ended: "deadline" });
    const pid = await numberIn(file);
    await until(() => !isRunning(pid));
  });

  test("is not waited for longer because somebody who got away keeps its output open", async () => {
    const file = join(temporaryFolder(), "pid");
    const wrapper = program(`setsid sh -c 'echo $$ >${file}; exec sleep 1000'`);
    onTestFinished(async () => void process.kill(await numberIn(file), "SIGKILL"));
    expect(await asking(wrapper, [], SOON_MS)).toMatchObject({ ended: "deadline" });
  });

  test("is killed when it says more than is read", async () => {
    const answer = await asking(program("exec yes"));
    expect(answer.ended).toBe("too_long");
    expect(answer.stdout.length).toBeLessThanOrEqual(16 * 1_048_576);
  });

  test("is killed at once when nobody wants its answer any more", async () => {
    const file = join(temporaryFolder(), "pid");
    const stop = new AbortController();
    const slow = program(`echo $$ >${file}; exec sleep 1000`);
    const asked = asking(slow, [], 60_000, stop.signal);
    const pid = await numberIn(file);
    stop.abort();
    expect(await asked).toMatchObject({ exitCode: undefined, ended: "deadline" });
    expect(isRunning(pid)).toBe(false);
    expect(await asking(slow, [], 60_000, stop.signal)).toMatchObject({ ended: "deadline" });
  });

  test("leaves nobody listening for its end", async () => {
    const stop = new AbortController();
    const remove = vi.spyOn(stop.signal, "removeEventListener");
    await asking(program("exit 0"), [], 60_000, stop.signal);
    expect(remove).toHaveBeenCalledTimes(1);
  });

  test("is one that was killed by somebody else, too", async () => {
    const answer = await asking(program("kill -KILL $$"));
    expect(answer).toMatchObject({ exitCode: undefined, stderr: "" });
    expect(answer).not.toHaveProperty("ended");
  });
});

describe("a client that cannot be started", () => {
  test("is missing where there is no such program", async () => {
    expect(await asking(join(temporaryFolder(), "none"))).toMatchObject({ ended: "missing" });
    expect(await asking("no-such-program-of-termtopic")).toMatchObject({ ended: "missing" });
  });

  test("is refused where the program cannot be run, whatever the reason", async () => {
    const folder = temporaryFolder();
    const text = join(folder, "text");
    writeFileSync(text, "no program");
    for (const path of [folder, text, join(text, "tmux"), `/${"x".repeat(5_000)}`, "a\0b"]) {
      expect(await asking(path)).toMatchObject({ ended: "refused", exitCode: undefined });
    }
    expect((await asking(text)).stderr).toContain("EACCES");
  });

  test("says so where no descriptor is left, and nothing else breaks", async () => {
    const limit = (soft: string) =>
      execFileSync("prlimit", ["--pid", `${process.pid}`, `--nofile=${soft}:`]);
    const before = /Max open files\s+(\d+)/.exec(
      execFileSync("cat", [`/proc/${process.pid}/limits`], { encoding: "utf8" }),
    )?.[1];
    limit("200");
    const taken: number[] = [];
    try {
      for (;;) taken.push(openSync("/dev/null", "r"));
    } catch {
      expect(await asking("/bin/true")).toMatchObject({ ended: "no_descriptors" });
    } finally {
      for (const descriptor of taken) closeSync(descriptor);
      limit(before ?? "1024");
    }
  });
});
