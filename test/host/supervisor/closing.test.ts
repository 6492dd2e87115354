import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { systemClock } from "../../../src/time/clock.ts";
import { isAlive, until } from "../process/support.ts";
import { onEachBackend } from "./backends.ts";
import { codeOf, EXIT, match, SupervisedSession } from "./supervised-session.ts";

/** What only SIGKILL ends. */
const STUBBORN = "trap '' HUP TERM; echo ready; while :; do sleep 0.05; done";

/** On it no patience is ever over. */
const patientClock = { ...systemClock, monotonic: () => 0 };

onEachBackend(() => {
  test("a close by force that comes while a graceful one waits ends at once what that would wait for", async () => {
    const session = await SupervisedSession.start(STUBBORN, match("ready"), {
      clock: patientClock,
    });
    const { client, served, id } = session;
    const pid = session.terminal.pid ?? 0;
    const patient = served.connect();
    patient.begin({ action: "close", session_id: id, close_policy: "graceful" });
    await patient.ask({ kind: "ping" });
    const forced = await session.do("close", { close_policy: "force" }, client);
    expect(forced.success.close).toMatchObject({
      policy: "force",
      session: { lifecycle: "closed" },
    });
    const graceful = await patient.result();
    expect(graceful.success.close).toMatchObject({
      policy: "graceful",
      session: { lifecycle: "closed" },
    });
    expect(isAlive(pid)).toBe(false);
  });

  test("a graceful close that comes while one by force is at work waits for the same end", async () => {
    const session = await SupervisedSession.start(STUBBORN, match("ready"), {
      clock: patientClock,
    });
    session.client.begin({ action: "close", session_id: session.id, close_policy: "force" });
    session.client.begin({ action: "close", session_id: session.id, close_policy: "graceful" });
    expect((await session.client.result()).success.close.policy).toBe("force");
    expect((await session.client.result()).success.close).toMatchObject({
      policy: "graceful",
      session: { lifecycle: "closed" },
    });
  });

  test("a graceful close lets a program end in its own way, and ends what does not by SIGKILL in the end", async () => {
    const command =
      "trap 'echo bye > farewell; exit' HUP; echo ready; while :; do sleep 0.05; done";
    const polite = await SupervisedSession.start(command, match("ready"));
    expect((await polite.do("close", { close_policy: "graceful" })).success.close.policy).toBe(
      "graceful",
    );
    expect(existsSync(`${polite.served.workspace}/farewell`)).toBe(true);
    const stubborn = await SupervisedSession.start(STUBBORN, match("ready"));
    const pid = stubborn.terminal.pid ?? 0;
    await stubborn.do("close", { close_policy: "graceful" });
    expect(isAlive(pid)).toBe(false);
  });

  test("a session whose program has ended is closed with what that has left behind", async () => {
    const command =
      "(trap '' HUP; echo $BASHPID > pid; exec sleep 600) & while [ ! -s pid ]; do sleep 0.01; done";
    const session = await SupervisedSession.start(command, EXIT);
    const pid = Number(readFileSync(`${session.served.workspace}/pid`, "utf8"));
    expect(isAlive(pid)).toBe(true);
    const { close } = (await session.do("close", { close_policy: "force" })).success;
    expect(close.session.lifecycle).toBe("closed");
    await until(() => (isAlive(pid) ? undefined : true));
  });

  test("a close of what is closed is refused as invalid_lifecycle, whatever the policy", async () => {
    const session = await SupervisedSession.start("sleep 600");
    await session.do("close", { close_policy: "force" });
    for (const close_policy of ["graceful", "force"]) {
      expect(codeOf(await session.do("close", { close_policy }))).toBe("invalid_lifecycle");
    }
  });
});

test("a wait on a session that is closed without an end ends as the signal closed", async () => {
  // Nothing can end it; the time that is waited for its end is over soon.
  const pty = {
    pid: 0,
    tty: "/dev/null",
    queued: 0,
    write: (bytes: Uint8Array) => bytes.length,
    interrupt() {},
    resize() {},
    pause() {},
    resume() {},
  };
  const clock = {
    ...systemClock,
    schedule: (ms: number, task: () => void) => systemClock.schedule(ms === 2_000 ? 1 : ms, task),
  };
  const session = await SupervisedSession.start("sleep 600", {}, { clock, spawn: () => pty });
  const waiting = session.served.connect();
  waiting.begin({ action: "wait", session_id: session.id, ...EXIT });
  await waiting.ask({ kind: "ping" });
  await session.do("close", { close_policy: "force" });
  expect((await waiting.result()).success.wait.outcome).toEqual({ signal: "closed" });
});
