import { Buffer } from "node:buffer";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { spawnPty } from "../../../src/host/pty/pty.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { until } from "../../processes/support.ts";
import { endAll, PATH, script, start } from "./support.ts";

afterEach(endAll);

const descriptors = () => readdirSync("/proc/self/fd").length;
const threads = () => readdirSync("/proc/self/task").length;

/** Children of this process that ended and were not waited for. */
function zombies(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, "latin1");
  return children
    .split(" ")
    .filter((pid) => pid !== "")
    .filter((pid) => {
      try {
        return / Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
      } catch {
        return false;
      }
    }).length;
}

describe("a program on a terminal", () => {
  test("has the size, the folder, the variables and the terminal that it was given", async () => {
    const terminal = script('stty size; pwd; echo "$PWD-$GIVEN-$HOME."; tty', {
      cols: 93,
      rows: 41,
      cwd: "/usr/bin",
      env: { PATH, GIVEN: "given" },
    });
    expect(await terminal.exited).toEqual({ code: 0, drained: true });
    expect(terminal.text.split("\r\n")).toEqual([
      "41 93",
      "/usr/bin",
      "/usr/bin-given-.",
      terminal.pty.tty,
      "",
    ]);
  });

  test("reads what is typed, and is told of a new size", async () => {
    const terminal = script(
      `trap 'stty size' WINCH; echo ready; read line; echo "<$line>"; while :; do sleep 0.02; done`,
    );
    await terminal.says("ready");
    expect(terminal.type("héllo\r")).toBe(7);
    await terminal.says("<héllo>");
    terminal.pty.resize(120, 50);
    await terminal.says("50 120");
  });

  test("is told with the name of the signal that ended it", async () => {
    const terminal = script("kill -SEGV $$");
    expect(await terminal.exited).toEqual({ signal: "SIGSEGV", drained: true });
  });

  test("sees no descriptor but 0, 1 and 2, with 300 open ones, gaps between them, and other terminals", async () => {
    const files = Array.from({ length: 300 }, () => openSync("/dev/null", "r"));
    // Its master has one of the highest numbers, and everything below is free afterwards.
    const high = script("echo ready; read line");
    await high.says("ready");
    for (const file of files) closeSync(file);
    const first = script("echo ready; read line");
    await first.says("ready");
    const terminal = script("ls /proc/self/fd");
    await terminal.exited;
    // 3 is the folder that ls reads.
    expect(terminal.text.split(/\s+/)).toEqual(["0", "1", "2", "3", ""]);
  });

  test("leaves neither descriptors nor threads nor zombies behind, after 300 of them", async () => {
    await script("true").exited;
    const before = { descriptors: descriptors(), threads: threads() };
    for (let round = 0; round < 30; round += 1) {
      await Promise.all(Array.from({ length: 10 }, () => script("echo").exited));
    }
    await until(() => threads() <= before.threads);
    expect(descriptors()).toBe(before.descriptors);
    expect(zombies()).toBe(0);
  });

  test("takes nothing any more once it has ended, and its descriptors are nobody's", async () => {
    const terminal = script("exit 3");
    expect(await terminal.exited).toEqual({ code: 3, drained: true });
    const files = Array.from({ length: 8 }, () => openSync("/dev/null", "r+"));
    expect(terminal.type("x")).toBe(0);
    terminal.pty.interrupt(Buffer.from("\x03"));
    terminal.pty.resize(10, 10);
    terminal.pty.pause();
    terminal.pty.resume();
    for (const file of files) closeSync(file);
    expect(terminal.pty.queued).toBe(0);
    expect(terminal.late).toBe(0);
  });
});

describe("what cannot be started", () => {
  const fails = (options: Partial<Parameters<typeof spawnPty>[0]>) => () =>
    spawnPty(
      {
        file: "/bin/sh",
        args: [],
        cwd: "/",
        env: { PATH },
        cols: 80,
        rows: 24,
        clock: systemClock,
        ...options,
      },
      { data() {}, exit() {} },
    );

  test.each([
    [{ cwd: "/nowhere" }, 'cwd must be a folder that can be entered, got "/nowhere"'],
    [{ cwd: "/etc/passwd" }, "it is no folder"],
    [{ file: "nothing-of-that-name" }, 'got "nothing-of-that-name" in /'],
    [{ file: "/etc/passwd" }, 'got "/etc/passwd"'],
    [{ file: "/bin" }, 'got "/bin"'],
    [{ file: "" }, "file must be a program"],
    [{ args: ["a\0b"] }, "must have no NUL"],
    [{ env: { "A=B": "c" } }, 'a variable must have a name without "=", got "A=B"'],
    [{ cols: 0 }, "cols must be an integer from 1 to 65535, got 0"],
    [{ rows: 1.5 }, "rows must be an integer"],
    [{ rows: 65_536 }, "rows must be an integer"],
  ])("is told in words before anything is started: %j", (options, message) => {
    const before = descriptors();
    expect(fails(options)).toThrow(message);
    expect(descriptors()).toBe(before);
  });

  test("a program that the kernel refuses ends with a code and its words", async () => {
    const terminal = start({ file: "/bin/sh", args: ["x".repeat(200_000)] });
    const { code } = await terminal.exited;
    expect(code).toBeGreaterThan(0);
    expect(terminal.text).toContain("Argument list too long");
  });
});
