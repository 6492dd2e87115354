import { describe, expect, test } from "vitest";
import { TOPIC_FIXTURES } from "../../src/fixtures.ts";
import {
  Capability,
  ERROR_CODES,
  ERROR_MEANINGS,
  isOpName,
  isRoleAllowed,
  isRowTopic,
  isValid,
  MAX_FRAME_BYTES,
  NAMESPACE_SCOPED_TOPICS,
  OP_ATTRIBUTES,
  OP_NAMES,
  OP_SCHEMAS,
  type OpAttributes,
  opErrors,
  PLAIN_TOPICS,
  PROTOCOL_VERSION,
  ROW_TOPICS,
  type RowTopicShape,
  SESSION_SCOPED_TOPICS,
  TOPIC_ATTRIBUTES,
  TOPIC_GRANULARITIES,
  TOPIC_SCHEMAS,
  Topic,
  type TopicAttributes,
  topicGranularity,
  topicKind,
} from "../../src/index.ts";
import { readJson } from "./corpus.ts";

const topics: [string, TopicAttributes][] = Object.entries(TOPIC_ATTRIBUTES);

test("the generation is 4, and a line is a mebibyte at most", () => {
  expect(PROTOCOL_VERSION).toBe(4);
  expect(MAX_FRAME_BYTES).toBe(1_048_576);
});

describe("an op", () => {
  test("is in the table of attributes and in that of schemas, or in neither", () => {
    expect(Object.keys(OP_SCHEMAS)).toEqual(OP_NAMES);
  });

  test("has schemas that carry its name", () => {
    for (const op of OP_NAMES) {
      expect(OP_SCHEMAS[op].request.$id).toBe(`${op}:request`);
      expect(OP_SCHEMAS[op].response.$id).toBe(`${op}:response`);
      expect(OP_SCHEMAS[op].request.allOf[0].properties.op.const).toBe(op);
    }
  });

  test.each([
    ["hello.user", ["invalid_args", "bad_request"]],
    ["hello.instance", ["invalid_args", "bad_request", "capability_unavailable"]],
    ["instance.ping", ["invalid_args", "hello_required"]],
    [
      "topic.subscribe",
      [
        "invalid_args",
        "topic_unknown",
        "forbidden",
        "capability_unavailable",
        "internal_error",
        "hello_required",
      ],
    ],
    ["topic.unsubscribe", ["invalid_args", "topic_unknown", "hello_required"]],
    [
      "terminal.send",
      [
        "invalid_args",
        "not_found",
        "capability_unavailable",
        "rate_limited",
        "internal_error",
        "hello_required",
        "forbidden",
        "instance_unreachable",
      ],
    ],
  ] as const)("%s answers its own codes and those that its attributes imply", (op, codes) => {
    expect(opErrors(op)).toEqual(codes);
  });

  test("greets without a greeting, and does nothing else without one", () => {
    const free = OP_NAMES.filter((op) => !OP_ATTRIBUTES[op].needs_hello);
    expect(free).toEqual(["hello.user", "hello.session", "hello.instance"]);
  });

  test("is for every role, but for those about terminals, which are for the user alone", () => {
    for (const op of OP_NAMES) {
      const isOnTerminals = op.startsWith("terminal.");
      expect(isRoleAllowed(op, "user")).toBe(true);
      expect(isRoleAllowed(op, "session")).toBe(!isOnTerminals);
      expect(isRoleAllowed(op, "instance")).toBe(!isOnTerminals);
    }
  });

  test("changes nothing where it is for those who may only look", () => {
    const attributes: [string, OpAttributes][] = Object.entries(OP_ATTRIBUTES);
    const looks = attributes.filter(([, { read_only }]) => read_only === undefined);
    expect(looks.map(([op]) => op)).toEqual([
      "hello.user",
      "hello.session",
      "hello.instance",
      "instance.ping",
      "topic.subscribe",
      "topic.unsubscribe",
      "terminal.capture",
      "terminal.gone",
    ]);
    const peeks = attributes.filter(([, { read_only }]) => read_only === "peek");
    expect(peeks.map(([op]) => op)).toEqual(["terminal.read"]);
  });

  test("is known by its exact name alone", () => {
    for (const name of ["hello", "hello_user", "constructor", "__proto__", "toString", ""]) {
      expect(isOpName(name), name).toBe(false);
    }
    expect(isOpName("hello.user")).toBe(true);
  });
});

describe("a topic", () => {
  test("is in the tables of names, attributes, schemas and fixtures, or in none", () => {
    const names = [...PLAIN_TOPICS, ...SESSION_SCOPED_TOPICS, ...NAMESPACE_SCOPED_TOPICS].sort();
    expect(Object.keys(TOPIC_ATTRIBUTES).sort()).toEqual(names);
    expect(Object.keys(TOPIC_SCHEMAS).sort()).toEqual(names);
    expect(Object.keys(TOPIC_FIXTURES).sort()).toEqual(names);
  });

  test("has a schema that carries its name, and a fixture of its kind", () => {
    for (const [kind, frame] of Object.entries(TOPIC_FIXTURES)) {
      expect(TOPIC_SCHEMAS[kind as keyof typeof TOPIC_SCHEMAS].$id).toBe(`topic:${kind}`);
      expect(topicKind(frame.topic)).toBe(kind);
      expect(isValid(Topic, frame.topic), frame.topic).toBe(true);
    }
  });

  test("opens with a snapshot unless it is made of events", () => {
    expect("snapshot" in TOPIC_FIXTURES.notify).toBe(false);
    for (const [kind, { granularity }] of topics) {
      expect(TOPIC_GRANULARITIES).toContain(granularity);
      expect(granularity === "event", kind).toBe(kind === "notify");
    }
  });

  test("of terminals and of agents is for the user alone", () => {
    for (const kind of ["terminals", "terminals.usage", "agents"] as const) {
      expect(TOPIC_ATTRIBUTES[kind]).toEqual({ roles: ["user"], granularity: "element" });
    }
  });

  test("needs nothing but a capability of the closed set", () => {
    for (const [kind, { capability }] of topics) {
      if (capability !== undefined) expect(isValid(Capability, capability), kind).toBe(true);
    }
  });

  test("with rows states where they are, and what tells two of them apart", () => {
    const shapes: [string, RowTopicShape][] = Object.entries(ROW_TOPICS);
    for (const [kind, { field, key }] of shapes) {
      const frame = TOPIC_FIXTURES[kind as keyof typeof ROW_TOPICS];
      const rows = field === undefined ? frame.data : (frame.data as never)[field];
      expect(rows, kind).toBeInstanceOf(Array);
      for (const row of rows as object[]) {
        for (const part of key ?? []) expect(row, kind).toHaveProperty(part);
      }
      const { granularity } = TOPIC_ATTRIBUTES[kind as keyof typeof ROW_TOPICS];
      expect(key === undefined, kind).toBe(granularity === "per_instance_whole");
      expect(isRowTopic(kind)).toBe(true);
    }
    for (const name of ["kv:notes", "transcript", "terminals:x", "toString"]) {
      expect(isRowTopic(name), name).toBe(false);
    }
  });

  test("is told by the part of its name before the colon", () => {
    expect(topicKind("kv:notes")).toBe("kv");
    expect(topicKind("terminals.usage")).toBe("terminals.usage");
    expect(topicGranularity("transcript:x")).toBe("append");
    for (const name of ["", ":", "sessions", "constructor", "__proto__", "terminal", "kv.x"]) {
      expect(topicKind(name), name).toBeUndefined();
      expect(topicGranularity(name), name).toBeUndefined();
    }
  });
});

test("an error code is in the table of meanings, the schema and a fixture", () => {
  expect(ERROR_CODES).toEqual(Object.keys(ERROR_MEANINGS));
  expect((readJson("schemas/error-code.json") as { enum: string[] }).enum).toEqual(ERROR_CODES);
  for (const code of ERROR_CODES) {
    expect(readJson(`fixtures/valid/ErrorCode/${code.replaceAll("_", "-")}.json`)).toBe(code);
  }
});
