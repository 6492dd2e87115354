import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Answer, type ProgramRun, runProgram } from "../../src/sources/run-program.ts";
import { temporaryFolder, until } from "../inventory/unit/support.ts";
import { isRunning, numberIn, program } from "../inventory/unit/tmux/support.ts";

const never = new AbortController().signal;

function running(path: string, fields: Partial<ProgramRun> = {}): Promise<Answer> {
  const run = {
    program: path,
    args: [],
    environment: { PATH: process.env["PATH"] },
    deadlineMs: 60_000,
    limitBytes: 1_000_000,
  };
  return runProgram({ ...run, ...fields }, never);
}

describe("a program that is run", () => {
  test("is looked for in the path of its own environment", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "manager"), "#!/bin/sh\necho found\n", { mode: 0o755 });
    const { stdout } = await running("manager", { environment: { PATH: folder } });
    expect(stdout.toString()).toBe("found\n");
    expect(await running("manager", { environment: { PATH: "/nowhere" } })).toMatchObject({
      ended: "missing",
    });
  });

  test("gets the arguments and variables that are given, no other and no input", async () => {
    const environment = { PATH: process.env["PATH"], GIVEN: "a b", LEFT_OUT: undefined };
    const script = program(`printf '%s|' "$@"; cat; exec /usr/bin/env`);
    const { stdout } = await running(script, { args: ["", "two words", "$x"], environment });
    const [args, ...variables] = stdout.toString().split(/(?<=\|)(?=\w+=)/);
    expect(args).toBe("|two words|$x|");
    expect(variables.join("")).toContain("GIVEN=a b\n");
    expect(variables.join("")).not.toContain("LEFT_OUT");
    expect(variables.join("")).not.toContain("HOME=");
  });

  test("is called as it is told", async () => {
    const { stdout } = await running("/bin/sh", { argv0: "other", args: ["-c", "echo $0"] });
    expect(stdout.toString()).toBe("other\n");
  });

  test("is killed once both its outputs together are longer than is read", async () => {
    const talk = "head -c 600 /dev/zero; head -c 600 /dev/zero >&2; exec sleep 1000";
    const answer = await running(program(talk), { limitBytes: 1_000 });
    expect(answer.ended).toBe("too_long");
    expect(answer.stdout.length + answer.stderr.length).toBeLessThanOrEqual(1_000);
  });

  test("is killed at its deadline with all that it started", async () => {
    const pids = join(temporaryFolder(), "pid");
    const script = program(`sleep 1000 & echo $! >${pids}; wait`);
    const answer = running(script, { deadlineMs: 500 });
    expect(await answer).toMatchObject({ ended: "deadline", exitCode: undefined });
    const child = await numberIn(pids);
    await until(() => !isRunning(child));
  });
});
