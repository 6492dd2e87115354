import { join } from "node:path";
import { expect, test } from "vitest";
import { LOCAL_HELLO, TerminalAction } from "../../../src/host/supervisor/index.ts";
import { readJson } from "../dialect-schemas.ts";
import { until } from "../process/support.ts";
import { type Client, type Served, serveSupervisor } from "./served-supervisor.ts";
import { faultsOfAnswer } from "./strict.ts";

const match = (pattern: string) => ({
  return_when: { kind: "match", pattern },
  wait_ceiling_ms: 60_000,
});
const MONITOR = {
  condition: { kind: "output_contains", pattern: "ready" },
  notify: { kind: "on_match" },
  lifetime: { kind: "until_session_end" },
};
const COMMAND =
  "stty -echo; trap '' INT; printf 'a\\033[1;31mb\\033[m世e\\u0301 ready.'; read line; printf \"got $line.\"; sleep 600";

/** One life of a session, and what was answered to each operation of it. */
async function lifeOf(served: Served, client: Client): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>();
  const ask = async (name: string, operation: object) => {
    client.begin(operation);
    const answer = await client.next();
    answers.set(name, answer);
    return answer.output?.structured;
  };
  const more = { initial_monitors: [MONITOR], rows: 2, columns: 20, ...match("ready.") };
  const { success } = await ask("start", served.start(COMMAND, more));
  const { session_id } = success.start.session;
  const of = { session_id };
  const inspect = { action: "inspect", ...of, max_events: 16 };
  await until(async () => {
    const { events } = (await client.operate(inspect)).success.inspect;
    return events.length === 1;
  });
  await ask("read", { action: "read", ...of, cursor_segment: 1, cursor_offset: 0 });
  await ask("screen", { action: "screen", ...of });
  const change = { kind: "pause", monitor_id: "monitor-1" };
  await ask("monitor", { action: "monitor", ...of, operation: change });
  await ask("inspect", inspect);
  await ask("write", { action: "write", ...of, write: { kind: "text", text: "it\r" } });
  await ask("wait", { action: "wait", ...of, ...match("got it.") });
  await ask("resize", { action: "resize", ...of, rows: 30, columns: 100 });
  await ask("signal", { action: "signal", ...of, signal: "interrupt" });
  await ask("list", { action: "list" });
  await ask("close", { action: "close", ...of, close_policy: "force" });
  await ask("refused", { action: "screen", ...of });
  await ask("failure", { ...inspect, max_events: 0 });
  answers.set("hello", await client.ask({ kind: "hello", hello: LOCAL_HELLO }));
  answers.set("pong", await client.ask({ kind: "ping" }));
  answers.set("cancelled", await client.ask({ kind: "cancel", request_id: "0".repeat(32) }));
  return answers;
}

/** An answer as it is whoever asks: without what is another each time. */
function timeless(answer: unknown, { workspace }: Served): Record<string, unknown> {
  const text = JSON.stringify(answer)
    .replaceAll(workspace, "/work")
    .replaceAll(/[0-9a-f]{32}/g, "0123456789abcdef0123456789abcdef")
    .replaceAll(/(created_at_ms\\?":)\d+/g, "$11764547200000");
  const plain = JSON.parse(text);
  const { output } = plain;
  return output
    ? { ...plain, output: { ...output, original_bytes: Buffer.byteLength(output.content) } }
    : plain;
}

test("every operation has an answer among the fixtures, and each is what the host answers", async () => {
  const served = await serveSupervisor();
  const answers = await lifeOf(served, served.connect());
  const names = TerminalAction.anyOf.map(({ const: name }) => name);
  expect([...answers.keys()]).toEqual(expect.arrayContaining(names));
  for (const [name, answer] of answers) {
    expect(faultsOfAnswer(answer), name).toEqual([]);
    const json = `${JSON.stringify(timeless(answer, served), null, 2)}\n`;
    const file = join("fixtures/supervisor/valid/HostResponse", `${name}.json`);
    await expect(json).toMatchFileSnapshot(join(process.cwd(), file));
  }
});

test("an answer is found that has a field which its schema does not state, however deep", () => {
  expect(faultsOfAnswer({ kind: "pong", more: 1 })).not.toEqual([]);
  const answer = readJson("fixtures/supervisor/valid/HostResponse/screen.json");
  expect(faultsOfAnswer(answer)).toEqual([]);
  answer.output.structured.success.screen.session.output_cursor.more = 1;
  expect(faultsOfAnswer(answer)).not.toEqual([]);
});
