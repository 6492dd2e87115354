import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isSubAgent } from "../../../src/agents/codex/origin.ts";
import { Origins } from "../../../src/agents/codex/origins.ts";
import { temporaryFolder } from "../../inventory/unit/support.ts";

function recorded(text: string | Buffer): string {
  const path = join(temporaryFolder(), "rollout.jsonl");
  writeFileSync(path, text);
  return path;
}

const meta = (payload: unknown) => `${JSON.stringify({ type: "session_meta", payload })}\n`;

describe("a thread is a sub-agent's", () => {
  test.each([
    { subagent: { thread_spawn: { parent_thread_id: "x" } } },
    { subagent: "review" },
    { subagent: { other: "guardian" } },
    { sub_agent: "review" },
  ])("where its record says that it comes from %j", async (source) => {
    expect(await isSubAgent(recorded(`${meta({ id: "x", source })}{"more": 1}\n`))).toBe(true);
  });

  test.each([
    ["a person's", meta({ id: "x", source: "cli" })],
    ["a program's", meta({ id: "x", source: { custom: "subagent" } })],
    ["said nothing of", meta({ id: "x" })],
    ["said so only in a text", meta({ cwd: '{"source":{"subagent":1}}', source: "cli" })],
    ["of another shape", "[1]\n"],
    ["no JSON", "\u0000\u0001 {\n"],
    ["empty lines", "\n\n"],
    ["a null", '{"payload":null}\n'],
  ])("and not where it is %s", async (_, text) => {
    expect(await isSubAgent(recorded(text))).toBe(false);
  });

  test("or not is not known before its first line is written", async () => {
    expect(await isSubAgent(recorded(""))).toBeUndefined();
    expect(await isSubAgent(recorded(meta({ source: "cli" }).slice(0, 20)))).toBeUndefined();
  });

  test("also where its first line is longer than is read", async () => {
    const long = "x".repeat(200_000);
    const fields = { id: "x", cwd: '"source":{"subagent"' };
    const sub = { ...fields, source: { subagent: "review" }, base_instructions: long };
    expect(await isSubAgent(recorded(meta(sub)))).toBe(true);
    expect(await isSubAgent(recorded(meta({ ...sub, source: "cli" })))).toBe(false);
    expect(await isSubAgent(recorded(Buffer.alloc(1_000_000)))).toBe(false);
  });

  test("and not where the path leads to no file", async () => {
    const folder = temporaryFolder();
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    mkdirSync(join(folder, "folder"));
    for (const path of [pipe, join(folder, "folder"), join(folder, "gone")]) {
      expect(await isSubAgent(path)).toBe(false);
    }
  });
});

describe("what is known of threads' records", () => {
  /** Readings that the test answers. */
  function answered() {
    const asked: { rollout: string; answer: (is: boolean | undefined) => void }[] = [];
    let learned = 0;
    const origins = new Origins(
      () => {
        learned += 1;
      },
      (rollout) => new Promise((answer) => asked.push({ rollout, answer })),
    );
    const answer = (index: number, is: boolean | undefined) => asked[index]?.answer(is);
    return { origins, asked, answer, learned: () => learned };
  }

  test("is asked for once, one record after the other", async () => {
    const { origins, asked, answer, learned } = answered();
    expect(origins.isSubAgent("a")).toBeUndefined();
    expect(origins.isSubAgent("b")).toBeUndefined();
    expect(origins.isSubAgent("a")).toBeUndefined();
    expect(asked.map(({ rollout }) => rollout)).toEqual(["a"]);
    answer(0, true);
    await Promise.resolve().then(() => {});
    expect(asked.map(({ rollout }) => rollout)).toEqual(["a", "b"]);
    answer(1, false);
    await origins.settled();
    expect([origins.isSubAgent("a"), origins.isSubAgent("b")]).toEqual([true, false]);
    expect(learned()).toBe(1);
    expect(asked.length).toBe(2);
  });

  test("is asked for again where it could not be said", async () => {
    const { origins, asked, answer, learned } = answered();
    origins.isSubAgent("a");
    answer(0, undefined);
    await origins.settled();
    expect([asked.length, learned()]).toEqual([1, 0]);
    expect(origins.isSubAgent("a")).toBeUndefined();
    answer(1, true);
    await origins.settled();
    expect(origins.isSubAgent("a")).toBe(true);
    expect(asked.length).toBe(2);
  });

  test("is forgotten of those that nobody has open, also while they are read", async () => {
    const { origins, answer, asked } = answered();
    origins.isSubAgent("a");
    origins.keep(new Set());
    answer(0, true);
    await origins.settled();
    expect(origins.isSubAgent("a")).toBeUndefined();
    expect(asked.length).toBe(2);
  });
});
