import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { TmuxServer, TmuxUnavailable } from "../../../src/host/tmux/tmux.ts";
import { findTmux } from "../../../src/host/tmux/version.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { endAll, place, script } from "./support.ts";

const before = { ...process.env };
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  endAll();
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe("the tmux server of a host", () => {
  test("is its user's alone, as are all its files", async () => {
    const made = place();
    const told = await script(await made.server(), "echo there; read never");
    await told.says("there");
    const log = join(made.folder, "logs", told.session.id);
    expect([made.folder, join(made.folder, "logs"), log].map(modeOf)).toEqual([
      "700",
      "700",
      "700",
    ]);
    const files = [made.socket, join(log, "out.0"), join(log, "facts"), join(log, "writer")];
    expect(files.map(modeOf)).toEqual(["600", "600", "600", "600"]);
  });

  test("knows nothing of the environment that the host was started in, nor do its programs", async () => {
    Object.assign(process.env, {
      SECRET_TOKEN: "s3cret",
      TMUX: "/tmp/tmux-0/default,1,0",
      TMUX_PANE: "%7",
      TMUX_TMPDIR: "/nowhere",
      TERM_PROGRAM: "other",
      NODE_OPTIONS: "--no-warnings",
    });
    const made = place();
    const env = { PATH: before["PATH"] ?? "", TERM: "xterm-256color" };
    const told = await script(await made.server(), "echo there; env; echo over; read never", {
      env,
    });
    const said = await told.says("over");
    expect(said).not.toMatch(/s3cret|TMUX|TERMTOPIC|TERM_PROGRAM|NODE_OPTIONS/);
    const server = readFileSync(`/proc/${made.pid}/environ`, "latin1").split("\0").filter(Boolean);
    const names = server.map((variable) => variable.split("=")[0]).sort();
    expect(names).toEqual(["HOME", "LC_CTYPE", "PATH", "SHELL", "TERMTOPIC_TMUX_FOLDER"]);
    expect(made.ask("show-environment", "-g")).not.toMatch(/s3cret|%7|nowhere/);
    // What started the program had its variables in it.
    expect(() => statSync(join(made.folder, "logs", told.session.id, "launch"))).toThrow(/ENOENT/);
  });

  test("reads nobody's configuration and has no client", async () => {
    const made = place();
    const home = join(dirname(made.folder), "home");
    mkdirSync(home);
    writeFileSync(join(home, ".tmux.conf"), "set -g status on\nset -g @read yes\n");
    process.env["HOME"] = home;
    const told = await script(await made.server(), "stty size; read never", { rows: 11, cols: 44 });
    await told.says("11 44");
    expect(made.ask("show-options", "-g")).not.toContain("@read");
    expect(made.ask("list-clients")).toBe("");
    expect(
      made.ask("display-message", "-p", "-t", `=${told.session.id}:`, "#{session_attached}"),
    ).toBe("0");
  });

  test("is not started by looking for it", async () => {
    const made = place();
    const server = await made.server();
    expect(await server.list()).toEqual([]);
    expect(() => statSync(made.socket)).toThrow(/ENOENT/);
  });

  test("is refused in words where its folder is open to others, or its path too long", async () => {
    const made = place();
    await made.server();
    chmodSync(made.folder, 0o755);
    await expect(made.server()).rejects.toThrow(/must be closed to others.*chmod 700/);
    await expect(made.server()).rejects.toThrow(TmuxUnavailable);
    const folder = join(made.folder, "x".repeat(100));
    await expect(TmuxServer.find({ folder, clock: systemClock })).rejects.toThrow(
      /at most 107 bytes.*Choose a shorter runtime folder/,
    );
  });

  test.each([
    ["tmux 3.3a", true],
    ["tmux 3.2", true],
    ["tmux next-3.6", true],
    ["tmux 4.0", true],
    ["tmux master", true],
    ["tmux 3.1c", false],
    ["tmux 2.9", false],
    ["no tmux at all", false],
  ])("of the version %j is taken: %j", async (said, isTaken) => {
    const folder = dirname(place().folder);
    const program = join(folder, "tmux");
    writeFileSync(program, `#!/bin/sh\necho '${said}'\n`, { mode: 0o755 });
    const found = findTmux(`${folder}:/usr/bin:/bin`);
    if (isTaken) expect(await found).toBe(program);
    else await expect(found).rejects.toThrow(/tmux must be 3\.2 or newer, .* says .*Install tmux/);
  });

  test("is refused in words where there is no tmux", async () => {
    await expect(findTmux("/nowhere")).rejects.toThrow(
      /There is no tmux on the PATH\. Install tmux/,
    );
  });
});
