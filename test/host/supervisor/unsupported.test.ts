import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { serveSupervisor } from "./served-supervisor.ts";

afterEach(() => void vi.unstubAllEnvs());

test.each([
  ["there is no tmux", undefined, "There is no tmux"],
  ["tmux is older than 3.2", "echo tmux 3.1c", "3.2 or newer"],
  ["tmux says what it is in no way that is known", "echo hello", "3.2 or newer"],
  ["tmux cannot say what it is", "exit 1", "3.2 or newer"],
])(
  "a start on the backend tmux is refused as unsupported_host where %s, and starts nothing",
  async (_, script, words) => {
    const served = await serveSupervisor();
    const programs = join(served.folder, "programs");
    mkdirSync(programs);
    if (script !== undefined) {
      writeFileSync(join(programs, "tmux"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    }
    vi.stubEnv("PATH", programs);
    const client = served.connect();
    const start = served.start("sleep 600", { backend: "tmux" });
    expect((await client.operate(start)).failure).toMatchObject({
      action: "start",
      code: "unsupported_host",
      session_id: null,
      retryable: false,
      message: expect.stringContaining(words),
    });
    expect(served.host.terminals.all).toEqual([]);
    const native = served.start("sleep 600", { backend: "native" });
    expect((await client.operate(native)).success.start.session.backend).toBe("native");
  },
);

test("a screen that cannot be read is refused as screen_unavailable, and the session goes on", async () => {
  const served = await serveSupervisor();
  const client = served.connect();
  const { session_id } = (await client.operate(served.start("sleep 600"))).success.start.session;
  const terminal = served.host.terminals.get(session_id);
  if (terminal === undefined) throw new Error("no terminal");
  vi.spyOn(terminal.screen, "cells").mockRejectedValue(new Error("the screen was lost"));
  expect((await client.operate({ action: "screen", session_id })).failure).toMatchObject({
    action: "screen",
    code: "screen_unavailable",
    session_id,
    retryable: false,
    message: expect.stringContaining("the screen was lost"),
  });
  vi.restoreAllMocks();
  expect((await client.operate({ action: "screen", session_id })).success.screen).toBeDefined();
});
