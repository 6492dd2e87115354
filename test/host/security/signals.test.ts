import { afterEach, expect, test, vi } from "vitest";
import { serveHost } from "../channel/served-host.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** The kernel's no to a signal for a group of processes. Nobody says it to root, so it is said in its place. */
function refuseGroups(code: string): { readonly sent: [number, unknown][] } {
  const sent: [number, unknown][] = [];
  const kill = process.kill.bind(process);
  vi.spyOn(process, "kill").mockImplementation((pid, signal) => {
    if (pid >= 0) return kill(pid, signal);
    sent.push([pid, signal]);
    throw Object.assign(new Error(`kill ${code}`), { code });
  });
  return { sent };
}

const signal = { op: "signal", sessionId: "s", target: "1" } as const;

test.each([
  ["EPERM", "permission denied"],
  ["EINVAL", "kill EINVAL"],
])(
  "a signal that may not be sent is refused in words (%s), and nothing else ends",
  async (code, why) => {
    const served = await serveHost();
    const client = await served.connect();
    await client.script("s", "trap 'exit 7' TERM; echo ready; read end");
    const wait = { until: "match", pattern: "ready", timeoutMs: 10_000 } as const;
    await client.read({ sessionId: "s", target: "1", wait });
    const { sent } = refuseGroups(code);
    await expect(client.call({ ...signal, signal: "SIGTERM" })).rejects.toThrow(
      `SIGTERM could not be sent to the job in front: ${why}`,
    );
    const [terminal] = served.host.terminals.all;
    expect(sent).toEqual([[-(terminal?.pid ?? 0), "SIGTERM"]]);
    expect(() => terminal && served.host.signal(terminal, "SIGTERM")).toThrow(
      expect.objectContaining({ name: "HostError", code: "refused" }),
    );
    expect(terminal?.state).toBe("running");
    expect(client.isClosed).toBe(false);
    vi.restoreAllMocks();
    await client.call({ ...signal, signal: "SIGTERM" });
    const { terminal: ended } = await client.read({
      sessionId: "s",
      target: "1",
      wait: { until: "exit", timeoutMs: 10_000 },
    });
    expect(ended.exited).toEqual({ code: 7 });
  },
);

test("a job that ended before its signal came is no fault", async () => {
  const served = await serveHost();
  const client = await served.connect();
  await client.script("s", "read end");
  const { sent } = refuseGroups("ESRCH");
  expect(await client.call({ ...signal, signal: "SIGTERM" })).toEqual({ kind: "done" });
  expect(sent).toHaveLength(1);
});

test("a signal goes to nobody who has the number of a program that ended", async () => {
  const served = await serveHost();
  const client = await served.connect();
  await client.script("s", "exit 0");
  const wait = { until: "exit", timeoutMs: 10_000 } as const;
  await client.read({ sessionId: "s", target: "1", wait });
  const { sent } = refuseGroups("EPERM");
  await expect(client.call({ ...signal, signal: "SIGKILL" })).rejects.toThrow("has ended");
  expect(sent).toEqual([]);
});
