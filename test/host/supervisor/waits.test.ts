import { expect, test } from "vitest";
import { onEachBackend } from "./backends.ts";
import { type Client, serveSupervisor } from "./served-supervisor.ts";

const CEILING = { wait_ceiling_ms: 60_000 };
const EXIT = { return_when: { kind: "exit" }, ...CEILING };
const match = (pattern: string) => ({ return_when: { kind: "match", pattern }, ...CEILING });

async function session(command: string, more: object = {}) {
  const served = await serveSupervisor();
  const client = served.connect();
  const { start } = (await client.operate(served.start(command, more))).success;
  const session_id: string = start.session.session_id;
  return { served, client, session_id, outcome: start.outcome };
}

const outcomeOf = async (client: Client, session_id: string, wait: object) =>
  (await client.operate({ action: "wait", session_id, ...wait })).success.wait.outcome;

onEachBackend(() => {
  test("started is met at once, and yields the exit once the program has ended", async () => {
    const { client, session_id, outcome } = await session("read line; exit 5");
    expect(outcome).toEqual({ started: {} });
    const started = { return_when: { kind: "started" }, ...CEILING };
    expect(await outcomeOf(client, session_id, started)).toEqual({ started: {} });
    const write = { kind: "keys", keys: ["enter"] };
    await client.operate({ action: "write", session_id, write });
    expect(await outcomeOf(client, session_id, EXIT)).toEqual({ exited: 5 });
    expect(await outcomeOf(client, session_id, started)).toEqual({ exited: 5 });
  });

  test("the end goes before the condition", async () => {
    const { client, session_id } = await session("echo wanted", EXIT);
    expect(await outcomeOf(client, session_id, match("wanted"))).toEqual({ exited: 0 });
    const quiet = { return_when: { kind: "quiet", duration_ms: 1 }, ...CEILING };
    expect(await outcomeOf(client, session_id, quiet)).toEqual({ exited: 0 });
  });

  test("the condition goes before the ceiling, which is an outcome and no error", async () => {
    const { client, session_id } = await session("echo wanted; sleep 600", match("wanted"));
    const short = { ...match("never"), wait_ceiling_ms: 1 };
    expect(await outcomeOf(client, session_id, short)).toEqual({ safety_ceiling: {} });
  });

  test("an exit is told when the last output can be read", async () => {
    const { client, session_id } = await session("seq 1 20000", EXIT);
    const { inspect } = (await client.operate({ action: "inspect", session_id, max_events: 1 }))
      .success;
    expect(inspect.session.output_cursor.offset).toBe(128_894);
  });

  test("match is of the text that a reader sees, across colours, and of the bytes as they came", async () => {
    const command = "printf 'a\\033[31mb\\033[0mc'; sleep 600";
    expect((await session(command, match("abc"))).outcome).toEqual({ condition_met: {} });
    expect((await session(command, match("\x1b[31mb"))).outcome).toEqual({ condition_met: {} });
  });

  test("match is literal", async () => {
    const command = "printf 'x.*(+[z'; sleep 600";
    const { client, session_id, outcome } = await session(command, match(".*(+["));
    expect(outcome).toEqual({ condition_met: {} });
    const other = { ...match("x.z"), wait_ceiling_ms: 50 };
    expect(await outcomeOf(client, session_id, other)).toEqual({ safety_ceiling: {} });
  });

  test("what was read before does not match, and what was not does", async () => {
    const { client, session_id } = await session("echo wanted; sleep 600", match("wanted"));
    expect(await outcomeOf(client, session_id, match("wanted"))).toEqual({ condition_met: {} });
    await client.operate({ action: "read", session_id, cursor_segment: 1, cursor_offset: 0 });
    const again = { ...match("wanted"), wait_ceiling_ms: 50 };
    expect(await outcomeOf(client, session_id, again)).toEqual({ safety_ceiling: {} });
  });

  test("a match may be cut anywhere by the pieces in which output comes", async () => {
    const command = "for c in w a n t e d; do printf $c; sleep 0.01; done; sleep 600";
    expect((await session(command, match("wanted"))).outcome).toEqual({ condition_met: {} });
  });

  test("quiet counts from the last output, also from what came before the wait", async () => {
    const quiet = { return_when: { kind: "quiet", duration_ms: 100 }, ...CEILING };
    const { client, session_id, outcome } = await session("echo hi; sleep 600", quiet);
    expect(outcome).toEqual({ condition_met: {} });
    // So long ago already, or the ceiling would come first.
    const now = { ...quiet, wait_ceiling_ms: 1 };
    expect(await outcomeOf(client, session_id, now)).toEqual({ condition_met: {} });
  });

  test("100 waits on one session all end with it", async () => {
    const { served, client, session_id } = await session("sleep 600");
    const clients = Array.from({ length: 100 }, () => served.connect());
    const waits = clients.map((one) => outcomeOf(one, session_id, EXIT));
    await client.operate({ action: "signal", session_id, signal: "kill" });
    expect(new Set((await Promise.all(waits)).map((one) => JSON.stringify(one)))).toEqual(
      new Set(['{"signal":"SIGKILL"}']),
    );
  });
});
