import { afterEach, describe, expect, test } from "vitest";
import { endAll, place, run, script } from "./support.ts";

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
