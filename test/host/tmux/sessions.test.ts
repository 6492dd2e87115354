import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { endAll, place, run, script, until } from "./support.ts";

afterEach(endAll);

describe("a program in a tmux session", () => {
  test("says what it says, and how it ended", async () => {
    const server = await place().server();
    const told = await script(server, "printf 'first\\nlast'; exit 3");
    expect(await told.exited).toEqual({ code: 3, drained: true });
    expect(told.text).toBe("first\r\nlast");
    expect(told.session.start).toBe(0);
  });

  test("that was ended by a signal says which", async () => {
    const server = await place().server();
    const told = await script(server, "echo there; kill -TERM $$");
    expect(await told.exited).toEqual({ signal: "SIGTERM", drained: true });
    expect(told.text).toBe("there\r\n");
  });

  test("that ends with a code above 128 was not ended by a signal", async () => {
    const server = await place().server();
    const told = await script(server, "exit 143");
    expect(await told.exited).toEqual({ code: 143, drained: true });
  });

  test("has its terminal as any other: keys interrupt it and what it left behind keeps nobody", async () => {
    const server = await place().server();
    const told = await script(server, "sleep 1000 & echo ready; tty; sleep 1000");
    await told.says(told.pty.tty);
    told.type("\x03");
    expect(await told.exited).toEqual({ signal: "SIGINT", drained: true });
  });

  test("runs jobs of its own where it is a shell for people", async () => {
    const server = await place().server();
    const told = await run(server, { file: "/bin/bash", args: ["--norc", "--noprofile", "-i"] });
    // Before its first prompt another may be in front.
    await told.says(/\$ |# /);
    told.type("sleep 1000\n");
    await told.says("sleep 1000");
    await until(() => isInFront(told.pty.pid) === false);
    told.type("\x1a");
    await told.says(/Stopped/);
    told.type("kill %1; fg; stty size; exit 4\n");
    expect(await told.exited).toEqual({ code: 4, drained: true });
    expect(told.text).toContain("24 80");
    expect(told.text).not.toContain("job control");
  });

  test("is the process that was asked for, with its own arguments, variables and folder", async () => {
    const hostile = [
      "a;",
      ";",
      "\\;",
      "#{pid}",
      "#(id)",
      "%H",
      "a'b\"c",
      "two\nlines",
      "-t",
      "--",
      "$HOME `id`",
      "é\u{1f600}ā",
      "",
      "~",
      "{",
      "}",
    ];
    const program = `process.stdout.write(JSON.stringify([process.argv.slice(1), process.cwd(), process.env, process.pid]))`;
    const server = await place("#{pid};%H 'x' \"y\"").server();
    const env = { PATH: "/usr/bin;#{x}", ODD: "a;\n'#{pid}'", "N-1%": "$x", PWD: "/usr" };
    const told = await run(server, {
      file: process.execPath,
      args: ["-e", program, "--", ...hostile],
      cwd: "/usr",
      env,
      cols: 4096,
    });
    await told.exited;
    const [args, cwd, seen, pid] = JSON.parse(told.text.replaceAll("\r\n", ""));
    expect(args).toEqual(hostile);
    expect(cwd).toBe("/usr");
    expect(seen).toEqual(env);
    expect(pid).toBe(told.pty.pid);
  });
});

/** Whether a process's group is the one in front of its terminal (proc(5), `/proc/pid/stat`). */
function isInFront(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const [, , group, , , front] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return group === front;
}
