import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { CodexSource } from "../../src/agents/codex.ts";
import { starting, terminalsOf } from "../../src/contract/derivations.ts";
import { createProcessTable } from "../../src/processes/index.ts";
import { systemClock } from "../../src/time/clock.ts";
import { PrivateTmux, subscribe, temporaryFolder } from "../inventory/support.ts";
import { threadId } from "./codex/support.ts";

describe.skipIf(process.platform !== "linux")("the terminal of a Codex", () => {
  test("is starting, then its session's as soon as the thread is open, then a shell's again", async () => {
    const home = temporaryFolder();
    const program = join(home, "codex");
    copyFileSync("/bin/sh", program);
    mkdirSync(join(home, ".codex", "thread-writer-locks"), { recursive: true });
    const lock = join(home, ".codex", "thread-writer-locks", `${threadId(1)}.lock`);
    const tmux = new PrivateTmux(join(home, "tmux"));
    tmux.run("new-session", "-d", "-s", "x", "/bin/sh");
    const table = createProcessTable({ clock: systemClock });
    onTestFinished(() => table.close());
    const codex = new CodexSource({ clock: systemClock, table });
    const subscriber = await subscribe([tmux.socket], { agentSources: [codex] });
    const type = (text: string) => tmux.run("send-keys", "-t", "x", text, "Enter");
    const states = () => starting(subscriber.rows, subscriber.agents);
    type(`HOME=${home} ${program} -c 'read x; exec 7>>${lock}; read x'`);
    await subscriber.until(() => states().length === 1);
    type("");
    await subscriber.until(
      () => terminalsOf(threadId(1), subscriber.agents, subscriber.rows).length === 1,
    );
    expect(states()).toEqual([]);
    const [terminal] = subscriber.rows;
    const run = subscriber.agents.find(({ sid }) => sid === threadId(1));
    expect(run).toMatchObject({ pid: terminal?.pid, terminal_id: terminal?.id });
    type("");
    const isOver = () => subscriber.agents.every(({ sid }) => sid !== threadId(1));
    await subscriber.until(() => isOver() && subscriber.rows[0]?.command[0] === "/bin/sh");
  });
});
