import { execFileSync, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import type { SourceInfo } from "../../src/contract/sources.ts";
import { onEnd, PrivateTmux, temporaryFolder } from "../inventory/support.ts";

/** Runs a command where no watch is to be had: in a user name space of its own whose limit of inotify
 * instances is none. Nobody else's limit changes. */
const WITHOUT_WATCHES = 'echo 0 > /proc/sys/user/max_inotify_instances && exec "$@"';
const wrap = (command: readonly string[]) => ["-Ur", "sh", "-c", WITHOUT_WATCHES, "sh", ...command];

const isAllowed = spawnSync("unshare", wrap(["true"])).status === 0;

const PROGRAM = join(import.meta.dirname, "../../dist/cli/main.js");

test.runIf(isAllowed)(
  "without watches terminals are read every second, and the sources say so",
  async () => {
    const folder = temporaryFolder();
    const tmux = new PrivateTmux(join(folder, "s"));
    tmux.run("new-session", "-d", "-s", "one", "exec cat");
    const env = {
      ...process.env,
      TERMTOPIC_STATE_DIR: join(folder, "state"),
      TERMTOPIC_RUNTIME_DIR: join(folder, "run"),
    };
    const options = ["--port", "0", "--source", "tmux", "--tmux-socket", tmux.socket];
    const serve = [PROGRAM, "serve", ...options];
    const publisher = spawn("unshare", wrap([process.execPath, ...serve]), {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    onEnd(() => publisher.kill("SIGTERM"));
    await new Promise((listening) => publisher.stdout.once("data", listening));
    const watch = spawn(process.execPath, [PROGRAM, "watch", "--json"], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    onEnd(() => watch.kill("SIGTERM"));
    let splits = 0;
    for await (const line of createInterface({ input: watch.stdout })) {
      const { topic, snapshot, data } = JSON.parse(line) as {
        topic: string;
        snapshot?: true;
        data: { terminals: { id: string }[]; sources?: SourceInfo[] };
      };
      if (topic !== "terminals") continue;
      if (snapshot) {
        expect(data.sources).toMatchObject([{ status: "ok", error: { code: "polling" } }]);
        execFileSync("tmux", ["-S", tmux.socket, "split-window", "-d", "exec cat"]);
        splits += 1;
      } else if (data.terminals.some(({ id }) => id.endsWith("/1"))) break;
    }
    expect(splits).toBe(1);
  },
);
