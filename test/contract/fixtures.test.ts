import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { schemaName } from "../../scripts/schemas.mjs";
import * as fixtures from "../../src/fixtures.ts";
import { OP_NAMES, OP_SCHEMAS, TOPIC_SCHEMAS } from "../../src/index.ts";
import { invalidCases, readJson, schemas, validCases } from "./corpus.ts";
import { allFields, fieldsOf } from "./fields.ts";
import { judges, ownJudges, standalone } from "./judges.ts";

const typesWith = (cases: readonly { type: string }[]) => [
  ...new Set(cases.map(({ type }) => type)),
];

describe.each(judges)("$name", ({ fits, errors }) => {
  test("accepts every valid case", () => {
    const refused = validCases.filter(({ type, value }) => !fits(type, value));
    expect(refused.map(({ file, type, value }) => [file, errors(type, value)])).toEqual([]);
    const told = validCases.filter(({ type, value }) => errors(type, value).length > 0);
    expect(told.map(({ file }) => file)).toEqual([]);
  });

  test("refuses every invalid case, at the path that the case states", () => {
    for (const { file, type, value, path } of invalidCases) {
      expect(fits(type, value), file).toBe(false);
      expect(
        errors(type, value).map((error) => error.path),
        file,
      ).toContain(path);
    }
  });

  test("tells every fault in words", () => {
    for (const { file, type, value } of invalidCases) {
      for (const { message } of errors(type, value)) expect(message, file).not.toBe("");
    }
  });
});

test.each(ownJudges)("$name tells no other path than the one at fault", ({ errors }) => {
  for (const { file, type, value, path } of invalidCases) {
    expect(new Set(errors(type, value).map((error) => error.path)), file).toEqual(new Set([path]));
  }
});

test("the four validators agree on values that nobody chose", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...validCases),
      fc.infiniteStream(fc.nat()),
      fc.jsonValue(),
      (given, picks, wild) => {
        const value = mutated(given.value, picks, wild);
        const verdicts = judges.map(({ fits }) => fits(given.type, value));
        expect(new Set(verdicts).size, `${given.type}: ${JSON.stringify(value)}`).toBe(1);
      },
    ),
    { numRuns: 3_000 },
  );
});

/** The value with one part of it, chosen by the numbers, put in place of by another. */
function mutated(value: unknown, picks: Iterator<number>, wild: unknown): unknown {
  const pick = picks.next().value;
  if (typeof value !== "object" || value === null || pick % 4 === 0) return wild;
  const keys = Object.keys(value);
  const key = keys[Math.floor(pick / 4) % keys.length];
  if (key === undefined) return wild;
  const copy: Record<string, unknown> = structuredClone(value) as Record<string, unknown>;
  if (pick % 4 === 1) {
    if (Array.isArray(copy)) copy.splice(Number(key), 1);
    else delete copy[key];
  } else {
    copy[key] = mutated(copy[key], picks, wild);
  }
  return copy;
}

test("every schema has valid and invalid cases, and every case a schema", () => {
  const names = [...schemas.keys()].sort();
  expect(typesWith(validCases).sort()).toEqual(names);
  expect(typesWith(invalidCases).sort()).toEqual(names);
});

test("every schema has a function of its name in the standalone validator", () => {
  expect([...standalone.SCHEMA_NAMES].sort()).toEqual([...schemas.keys()].sort());
});

test("every field is present in a valid case, and absent from one where it is optional", () => {
  const present = new Set<string>();
  const absent = new Set<string>();
  for (const { type, value } of validCases) {
    for (const { field, stated } of fieldsOf(type, value)) (stated ? present : absent).add(field);
  }
  const fields = allFields();
  expect(fields.filter(({ field }) => !present.has(field)).map(({ field }) => field)).toEqual([]);
  const alwaysThere = fields.filter(({ field, optional }) => optional && !absent.has(field));
  expect(alwaysThere.map(({ field }) => field)).toEqual([]);
});

test("every invalid case says why", () => {
  for (const { file, why } of invalidCases) expect(why, file).toMatch(/\w+ \w+/);
});

test("every op has a request and a reply that fit its schemas", () => {
  expect(Object.keys(fixtures.OP_FIXTURES)).toEqual(OP_NAMES);
  for (const op of OP_NAMES) {
    for (const part of ["request", "response"] as const) {
      const type = schemaName(OP_SCHEMAS[op][part].$id ?? "");
      expect(validCases, type).toContainEqual(
        expect.objectContaining({ type, value: fixtures.OP_FIXTURES[op][part] }),
      );
    }
  }
});

test("every topic has a frame that fits its schema", () => {
  expect(Object.keys(fixtures.TOPIC_FIXTURES).sort()).toEqual(Object.keys(TOPIC_SCHEMAS).sort());
  for (const [kind, frame] of Object.entries(fixtures.TOPIC_FIXTURES)) {
    const type = schemaName(`topic:${kind}`);
    expect(validCases, type).toContainEqual(expect.objectContaining({ type, value: frame }));
  }
});

test.each([
  [fixtures.TERMINALS_FRAME, "TerminalsFrame/snapshot"],
  [fixtures.TERMINALS_CHANGE_FRAME, "TerminalsFrame/change"],
  [fixtures.TERMINALS_ADDITIONS_FRAME, "TerminalsFrame/snapshot-with-additions"],
  [fixtures.TERMINALS_BOOKMARK_FRAME, "TerminalsFrame/bookmark"],
  [fixtures.AGENTS_FRAME, "AgentsFrame/snapshot"],
  [fixtures.AGENTS_CHANGE_FRAME, "AgentsFrame/change"],
  [fixtures.TERMINALS_USAGE_FRAME, "TerminalsUsageFrame/snapshot"],
  [fixtures.TERMINALS_USAGE_CHANGE_FRAME, "TerminalsUsageFrame/change"],
  [fixtures.RESTARTING_EVENT, "RestartingEvent/restarting"],
  [fixtures.ERROR_RESPONSE, "ErrorResponse/paired"],
])("the exported constant equals valid/$1.json", (value, file) => {
  expect(value).toEqual(readJson(`fixtures/valid/${file}.json`));
});

test("the fixtures of the original contract are a snapshot of two terminals and the removal of one", () => {
  const { TERMINALS_FRAME, TERMINALS_CHANGE_FRAME, FIXTURE_NOW, FIXTURE_INSTANCE } = fixtures;
  const instance = FIXTURE_INSTANCE;
  expect(FIXTURE_NOW).toBe(1_757_300_000_000);
  const [claude, shell] = TERMINALS_FRAME.data.terminals;
  expect(TERMINALS_FRAME).toEqual({
    ev: "topic",
    topic: "terminals",
    snapshot: true,
    instance,
    data: { terminals: [claude, shell], polled_at: FIXTURE_NOW },
  });
  const common = { instance, state: "running", cwd: expect.stringMatching(/^\//) };
  expect(claude).toEqual({
    ...common,
    id: "hyoui:%17",
    command: ["claude", "--continue"],
    pid: 4821,
    started_at: FIXTURE_NOW - 600_000,
  });
  expect(shell).toEqual({
    ...common,
    id: "hyoui:%31",
    command: ["zsh", "-i"],
    pid: 5177,
    started_at: FIXTURE_NOW - 120_000,
  });
  expect(TERMINALS_CHANGE_FRAME).toEqual({
    ev: "topic",
    topic: "terminals",
    instance,
    data: {
      terminals: [{ instance, id: "hyoui:%31", removed: true }],
      polled_at: FIXTURE_NOW + 5_000,
    },
  });
});
