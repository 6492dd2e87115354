import { afterEach, describe, expect, test } from "vitest";
import { table } from "../process/support.ts";
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
    await told.says(/\$ |# /);
    told.type("sleep 1000\n");
    // A key that stops it does nothing before it is a program of its own.
    await until(() => inFront(told.pty.pid) === "sleep");
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

/** The name of the process whose group is the one in front of a process's terminal. */
function inFront(pid: number): string | undefined {
  const { foregroundGroup = 0 } = table.read(pid) ?? {};
  return table.read(foregroundGroup)?.name;
}
