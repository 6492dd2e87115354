import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseSessions } from "../../../../src/inventory/hyoui/sessions.ts";
import { HyouiTerminals } from "../../../../src/inventory/hyoui/terminals.ts";
import { documents, isStateable, recorded } from "../listings.ts";

const now = () => 0;

const parsed = (text: string) => parseSessions(Buffer.from(text), now);

async function terminalsOf(text: string | Buffer) {
  const sessions = await parseSessions(Buffer.from(text), now);
  return sessions && new HyouiTerminals().of(sessions);
}

describe("a list of hyoui", () => {
  test("of the generation with namespaces states its sessions", async () => {
    expect(await terminalsOf(recorded("hyoui-namespaces.jsonl"))).toEqual([
      {
        id: "hyoui:run-4242",
        state: "running",
        rootPid: 4250,
        rootStartedAt: 1_790_000_000_000,
        command: ["claude", "--continue"],
        cwd: "/srv/app",
        viewers: 1,
      },
      {
        id: "hyoui:w1",
        state: "stopped",
        rootPid: 4300,
        rootStartedAt: 1_790_000_005_000,
        command: ["bash", "-l"],
        cwd: "/srv/app",
        name: "workers",
        viewers: 0,
      },
      {
        id: "hyoui:default/w1",
        state: "running",
        rootPid: 4310,
        rootStartedAt: 1_790_000_006_000,
        command: ["htop"],
        cwd: "/",
        viewers: 2,
      },
      { id: "hyoui:old", state: "stale" },
    ]);
  });

  test("of the generation with tags states its sessions", async () => {
    expect(await terminalsOf(recorded("hyoui-tags.jsonl"))).toMatchObject([
      {
        id: "hyoui:0f0e0d0c-0b0a-4908-8706-050403020100",
        name: "env=prod scratch team=infra & co",
      },
      { id: "hyoui:1f0e0d0c-0b0a-4908-8706-050403020100", state: "exited" },
      { id: "hyoui:2f0e0d0c-0b0a-4908-8706-050403020100", state: "no-response" },
    ]);
  });

  test.each([
    ["session_id for the session", { session_id: "a", status: "live" }, { session: "a" }],
    ["a daemon's state for the child's", { session: "a", status: "live" }, { state: "live" }],
    ["arguments that are none", { argv: ["a", 1, null, "b"] }, { command: ["a", "b"] }],
    ["no arguments", { argv: undefined }, { command: undefined }],
    ["a pid that is none", { child_pid: 0 }, { childPid: undefined }],
    ["a pid that is a text", { child_pid: "7" }, { childPid: undefined }],
    ["a pid that is no integer", { child_pid: 7.5 }, { childPid: undefined }],
    ["clients that are a list", { clients: [] }, { clients: undefined }],
    ["a time that is none", { started_unix_ms: 0 }, { startedAt: undefined }],
    ["tags that are no texts", { tags: { a: 1, b: "c" } }, { tags: ["b=c"] }],
    ["the default namespace", { namespace: "default" }, { namespace: undefined }],
  ])("may have %s", async (_, fields, expected) => {
    const line = { session: "s", child_state: "running", ...fields };
    if ("session_id" in fields) Reflect.deleteProperty(line, "session");
    if ("status" in fields) Reflect.deleteProperty(line, "child_state");
    expect((await parsed(JSON.stringify(line)))?.[0]).toMatchObject(expected);
  });

  test.each([
    ["it is no JSON", "warning: something"],
    ["it is half of one", '{"session":"x","status":'],
    ["it is no object", '["session"]'],
    ["it has no session", '{"status":"live"}'],
    ["its session is empty", '{"session":"","status":"live"}'],
    ["its session is no name", `{"session":"${"x".repeat(300)}","status":"live"}`],
    ["it has no state", '{"session":"x"}'],
    ["its state is no word", '{"session":"x","status":"\\u001b[31mlive"}'],
  ])("loses a line alone where %s", async (_, line) => {
    const good = '{"session":"good","status":"live"}';
    expect((await parsed(`${good}\n${line}\n${good}2\n`))?.map(({ session }) => session)).toEqual([
      "good",
    ]);
    expect(await parsed(line)).toBeUndefined();
  });

  test("is empty where nothing is said, and blank lines are nothing", async () => {
    expect(await parsed("")).toEqual([]);
    expect(await parsed("\n \r\n")).toEqual([]);
  });

  test("states a session once, by the line that has a process", async () => {
    const stale = '{"session":"s","status":"stale"}';
    const live = '{"session":"s","child_state":"running","child_pid":7}';
    for (const text of [`${stale}\n${live}`, `${live}\n${stale}`]) {
      expect(await terminalsOf(text)).toMatchObject([{ id: "hyoui:s", rootPid: 7 }]);
    }
  });

  test("whatever it says states valid terminals, each once", async () => {
    const names = ["session", "session_id", "child_state", "status", "child_pid", "argv", "cwd"];
    const more = ["namespace", "tags", "clients", "started_unix_ms"];
    const lines = fc.array(documents([...names, ...more]), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(lines, async (texts) => {
        const terminals = (await terminalsOf(texts.join("\n"))) ?? [];
        expect(terminals.every(isStateable)).toBe(true);
        expect(new Set(terminals.map(({ id }) => id)).size).toBe(terminals.length);
      }),
    );
  });
});

describe("what a session is called in ids", () => {
  const session = (name: string, namespace?: string) =>
    JSON.stringify({ session: name, status: "live", ...(namespace && { namespace }) });

  test("stays while it is listed, whoever of the same name comes before it", async () => {
    const terminals = new HyouiTerminals();
    const ids = async (...lines: string[]) => {
      const sessions = await parsed(lines.join("\n"));
      return terminals.of(sessions ?? []).map(({ id }) => id);
    };
    expect(await ids(session("a", "work"))).toEqual(["hyoui:a"]);
    expect(await ids(session("a"), session("a", "work"))).toEqual(["hyoui:default/a", "hyoui:a"]);
    expect(await ids(session("a"))).toEqual(["hyoui:default/a"]);
    expect(await ids()).toEqual([]);
    expect(await ids(session("a"))).toEqual(["hyoui:a"]);
  });

  test("is encoded", async () => {
    expect(await terminalsOf(session("a b/%é"))).toMatchObject([{ id: "hyoui:a%20b%2F%25%C3%A9" }]);
  });
});
