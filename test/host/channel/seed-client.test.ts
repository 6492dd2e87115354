import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { serveHost } from "./served-host.ts";

const PROGRAM = join(import.meta.dirname, "../program/seed-client.mjs");

/** Runs the program to its end; what it printed, by step. */
async function run(served: Awaited<ReturnType<typeof serveHost>>) {
  const child = spawn(process.execPath, [PROGRAM, served.path, served.folder], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  }
  void served.shutdown.then(async () => {
    await served.host.closeAll();
    await Promise.all(served.connections.map((connection) => connection.finish()));
  });
  const [code] = await once(child, "close");
  const steps = texts.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line || "{}") as Record<string, unknown>);
  return { code, stderr: texts.stderr, steps };
}

test("a client that knows nothing but the dialect's text can do everything", async () => {
  const served = await serveHost();
  const { code, stderr, steps } = await run(served);
  expect(stderr).toBe("");
  const [hello, opened, acknowledged, read, captured, cancelled, busy, exited, down] = steps;
  expect(hello).toMatchObject({ type: "hello", version: "1.2.3", running: 0, pid: process.pid });
  expect(opened).toMatchObject({ step: "opened", told: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(acknowledged).toEqual({ step: "acknowledged", enough: true });
  expect(read).toMatchObject({ step: "read", skipped: 0 });
  expect(captured?.["text"]).toMatch(/from-command\n(.*\n)*sent\n/);
  expect(cancelled).toMatchObject({ id: 11, error: "the call was cancelled" });
  expect(busy).toMatchObject({ type: "busy", program: expect.stringMatching(/^(sh|sleep)$/) });
  expect(exited).toEqual({ step: "exited", waited: "exit", exited: { code: 3 } });
  expect(down).toEqual({ step: "shut down" });
  expect(code).toBe(0);
});
