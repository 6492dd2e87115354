import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { TerminalBackend } from "../../../src/host/supervisor/operation.ts";
import { type BuiltHost, buildHost, RealHost } from "../hostile/real-host.ts";
import { endTmux, idOf } from "./backends.ts";

const PROGRAM = join(import.meta.dirname, "../program/seed-supervisor.mjs");

let built: BuiltHost;
beforeAll(async () => {
  built = await buildHost();
});
afterAll(() => built.remove());

/** Runs the program to its end; what it printed, by step. */
async function run(path: string, workspace: string, backend: string) {
  const child = spawn(process.execPath, [PROGRAM, path, workspace, backend], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  }
  await once(child, "close");
  const lines = texts.stdout.trim().split("\n");
  return { stderr: texts.stderr, steps: lines.map((line) => JSON.parse(line || "{}")) };
}

test.each<TerminalBackend>(["native", "tmux"])(
  "a client that knows nothing but the dialect's text can do everything on the backend %s",
  async (backend) => {
    const { place } = await RealHost.start(built);
    onTestFinished(() => endTmux(join(dirname(place.places.supervisor), "tmux/tmux.sock")));
    const workspace = join(realpathSync(place.folder), "work");
    mkdirSync(workspace);
    expect((await place.host())?.supervisor).toBe(place.places.supervisor);
    const { stderr, steps } = await run(place.places.supervisor, workspace, backend);
    expect(stderr).toBe("");
    expect(steps).toEqual([
      { step: "negotiated", refused: "incompatible_protocol" },
      {
        step: "started",
        session_id: expect.stringMatching(idOf(backend)),
        outcome: { condition_met: {} },
      },
      { step: "read", text: "ready> " },
      { step: "monitored", monitor_id: "monitor-2" },
      {
        step: "written",
        accepted: [5, 1],
        outcomes: [{ condition_met: {} }, { condition_met: {} }],
      },
      { step: "quiet", outcome: { condition_met: {} } },
      {
        step: "inspected",
        events: [
          [1, "monitor-1", "matched"],
          [2, "monitor-2", "matched"],
        ],
        states: [
          { monitor_id: "monitor-1", state: "matched" },
          { monitor_id: "monitor-2", state: "matched" },
        ],
      },
      { step: "acknowledged", left: 0 },
      { step: "removed", reasons: ["paused", "resumed", "removed"] },
      {
        step: "resized",
        dimensions: { rows: 30, columns: 100 },
        shown: { rows: 30, columns: 100 },
        top: "ready> first",
      },
      { step: "cancelled", outcome: { cancelled: {} } },
      { step: "signalled", outcome: { signal: "SIGTERM" }, lifecycle: "exited" },
      {
        step: "closed",
        policy: "force",
        lifecycle: "closed",
        refused: "invalid_lifecycle",
        inspected: "closed",
      },
    ]);
  },
);
