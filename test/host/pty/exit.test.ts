import { afterEach, describe, expect, test } from "vitest";
import { endings, SHAPES } from "./endings.ts";
import { endAll, endProcess, script } from "./support.ts";

afterEach(endAll);

describe("the end of a program", () => {
  test.each(Object.keys(SHAPES) as (keyof typeof SHAPES)[])(
    "loses no byte of 100 endings, 8 at once: %s",
    async (shape) => {
      const found = await endings(shape, 100);
      expect(found.length).toBe(100);
      expect(found.filter(({ lost, drained, late }) => lost > 0 || !drained || late > 0)).toEqual(
        [],
      );
    },
  );

  test.each(["-ixany", "raw ixon -ixany"])(
    "is told though its output was stopped by Ctrl-S, with nothing lost: stty %s",
    async (settings) => {
      const terminal = script(`stty -echo ${settings}; echo before; sleep 30; read line`);
      await terminal.says("before");
      terminal.type("\x13");
      // The rest fills what the kernel holds for a program that does not read.
      terminal.type("x\r".repeat(10_000));
      const began = performance.now();
      process.kill(terminal.pty.pid, "SIGKILL");
      expect(await terminal.exited).toEqual({ signal: "SIGKILL", drained: true });
      expect(performance.now() - began).toBeLessThan(900);
      expect(terminal.text).toMatch(/^before\r?\n$/);
    },
  );

  test("is told though another program floods the same terminal", async () => {
    const terminal = script("trap '' HUP; yes & echo pid=$!. ; echo LAST; exec sleep 0.1");
    await terminal.says("LAST");
    const pid = Number(/pid=(\d+)\./.exec(terminal.text)?.[1]);
    try {
      const began = performance.now();
      expect(await terminal.exited).toEqual({ code: 0, drained: true });
      expect(performance.now() - began).toBeLessThan(1_100);
      expect(terminal.late).toBe(0);
    } finally {
      endProcess(pid);
    }
  });

  test("comes with the program's own, however long others still hold the terminal", async () => {
    const terminal = script("trap '' HUP; sleep 30 & echo pid=$!.; exit 4");
    expect(await terminal.exited).toEqual({ code: 4, drained: true });
    endProcess(Number(/pid=(\d+)\./.exec(terminal.text)?.[1]));
  });

  test("shows nothing of the marker, whatever the terminal's settings", async () => {
    for (const settings of ["olcuc -ocrnl", "-opost", "raw", "tostop", "tab3 onlret"]) {
      const terminal = script(`stty ${settings}; printf 'END'`);
      expect(await terminal.exited).toEqual({ code: 0, drained: true });
      expect(terminal.text).toBe("END");
    }
  });
});
