import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { onEachBackend } from "./backends.ts";
import { EXIT, match, SupervisedSession } from "./supervised-session.ts";

/** A shell at work: a job of its own group in front, and another in the background. Each says what it is told. */
const TREE = `
job() { trap "echo $1 hup" HUP; trap "echo $1 int" INT; trap "echo $1 quit" QUIT; trap "echo $1 term" TERM
  echo $1 ready; while :; do sleep 0.02; done; }
trap "" HUP INT QUIT TERM
set -m
job behind &
while ! [ -e go ]; do sleep 0.02; done
(job front)
`;

async function tree(): Promise<SupervisedSession> {
  const session = await SupervisedSession.start(TREE, match("behind ready"));
  writeFileSync(`${session.served.workspace}/go`, "");
  await session.output((text) => text.includes("front ready"));
  return session;
}

onEachBackend(() => {
  test("interrupt and quit go to the job in front alone, hangup and terminate to everything that runs in the session", async () => {
    const session = await tree();
    for (const [signal, told] of [
      ["interrupt", "front int"],
      ["quit", "front quit"],
      ["hangup", "front hup"],
      ["terminate", "front term"],
    ] as const) {
      const { success } = await session.do("signal", { signal });
      expect(success.signal).toMatchObject({ signal, session: { lifecycle: "running" } });
      await session.output((text) => text.includes(told));
    }
    // Of several signals a shell tells the others before that.
    const all = await session.output((text) => text.includes("behind term"));
    const behind = [...all.matchAll(/behind (\w+)/g)].map(([, word]) => word);
    expect(behind).toEqual(["ready", "hup", "term"]);
  });

  test("kill ends everything that runs in the session", async () => {
    const session = await tree();
    await session.do("signal", { signal: "kill" });
    expect(await session.wait(EXIT)).toEqual({ signal: "SIGKILL" });
  });

  test.each([
    ["hangup", "SIGHUP"],
    ["terminate", "SIGTERM"],
    ["kill", "SIGKILL"],
  ])("what %s ends is told by the name %s", async (signal, name) => {
    const session = await SupervisedSession.start("exec sleep 600");
    await session.do("signal", { signal });
    expect(await session.wait(EXIT)).toEqual({ signal: name });
  });

  test("a signal that the dialect does not have is no request", async () => {
    const session = await SupervisedSession.start("sleep 600");
    expect(await session.do("signal", { signal: "SIGSTOP" })).toMatchObject({
      kind: "failure",
      code: "invalid_request",
    });
  });
});
