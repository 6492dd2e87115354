import { expect, test } from "vitest";
import { MAX_FRAME_BYTES } from "../../src/contract/envelope.ts";
import { dispatch, MAX_REQUEST_ID, type Standing } from "../../src/server/dispatch.ts";
import { INSTANCE, OTHER_INSTANCE } from "./support.ts";

const anonymous: Standing = {
  role: undefined,
  instance: INSTANCE,
  capabilities: [],
  isReadOnly: false,
  actsElsewhere: false,
};
const user: Standing = { ...anonymous, role: "user" };

function judged(value: unknown, standing = user) {
  const line = Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
  const verdict = dispatch(line, standing);
  return "refusal" in verdict ? [verdict.refusal.code, verdict.requestId] : [verdict.op];
}

const ping = { op: "instance.ping", request_id: "1" };
const foreign = { to_instance: OTHER_INSTANCE };
const looping = { hops: [OTHER_INSTANCE, INSTANCE] };

test.each([
  ["an array, before its missing op", [], ["bad_request", undefined]],
  ["null", null, ["bad_request", undefined]],
  ["no op, before no request_id", {}, ["bad_request", undefined]],
  ["no op, with the request_id it had", { request_id: "7" }, ["bad_request", "7"]],
  ["an op that is no string", { op: 1, request_id: "7" }, ["bad_request", "7"]],
  ["no request_id, before an unknown op", { op: "x.y" }, ["bad_request", undefined]],
  ["an empty request_id", { ...ping, request_id: "" }, ["bad_request", undefined]],
  ["a request_id that is a number", { ...ping, request_id: 1 }, ["bad_request", undefined]],
  [
    "an unknown op, before a fault of its envelope",
    { op: "x.y", request_id: "7", hops: 1 },
    ["unknown_op", "7"],
  ],
  ["a name of Object.prototype", { op: "constructor", request_id: "7" }, ["unknown_op", "7"]],
])("%s", (_, value, verdict) => {
  expect(judged(value)).toEqual(verdict);
});

test("the schema comes before the greeting", () => {
  expect(judged({ op: "topic.subscribe", request_id: "1", topic: "nope" }, anonymous)).toEqual([
    "invalid_args",
    "1",
  ]);
});

test("the greeting comes before forwarding", () => {
  expect(judged({ ...ping, ...foreign }, anonymous)).toEqual(["hello_required", "1"]);
});

test("the schema comes before forwarding", () => {
  expect(judged({ ...ping, to_instance: "x", ...looping })).toEqual(["invalid_args", "1"]);
});

test("a request for another instance, or that has been here, is unreachable", () => {
  expect(judged({ ...ping, ...foreign })).toEqual(["instance_unreachable", "1"]);
  expect(judged({ ...ping, ...looping })).toEqual(["instance_unreachable", "1"]);
  expect(judged({ ...ping, to_instance: INSTANCE, hops: [OTHER_INSTANCE] })).toEqual([ping.op]);
});

test("a greeting needs no greeting", () => {
  const hello = { op: "hello.user", request_id: "1", protocol_version: 4 };
  expect(judged(hello, anonymous)).toEqual(["hello.user"]);
  expect(judged({ ...hello, ...foreign }, anonymous)).toEqual(["instance_unreachable", "1"]);
});

test("unknown fields pass", () => {
  expect(judged({ ...ping, later: { anything: [1] } })).toEqual([ping.op]);
});

test("faults of the arguments are told with their paths", () => {
  const line = JSON.stringify({
    op: "hello.user",
    request_id: "1",
    protocol_version: "4",
    hops: 1,
  });
  const verdict = dispatch(Buffer.from(line), user);
  const msg = "refusal" in verdict ? verdict.refusal.msg : "";
  const parts = msg.split("; ");
  expect(parts.length).toBeGreaterThanOrEqual(2);
  for (const part of parts) expect(part).toMatch(/^\/(protocol_version|hops): \S/);
});

const toldOf = (value: object) => {
  const verdict = dispatch(Buffer.from(JSON.stringify(value)), user);
  return "refusal" in verdict ? verdict.refusal.msg : "";
};

test("a fault of the request itself is told of `/`, and a topic that is none without the pattern of all", () => {
  expect(toldOf({ op: "hello.user", request_id: "1" })).toBe("/: Expected `protocol_version`");
  const subscribe = { op: "topic.subscribe", request_id: "1" };
  expect(toldOf(subscribe)).toBe("/: Expected `topic`");
  for (const topic of ["terminal", 7]) {
    expect(toldOf({ ...subscribe, topic })).toBe(
      "/topic: Expected the name of a topic of this generation",
    );
  }
});

test("no fault is told at length", () => {
  const mesh = { ver: 1, iss: "x", aud: "x", id: INSTANCE, kid: "x" };
  const msg = toldOf({ op: "hello.instance", request_id: "1", protocol_version: 4, mesh });
  for (const part of msg.split("; ")) expect(part.length).toBeLessThan(150);
  expect(msg).toMatch(/^\/mesh\/iss: \S/);
});

test("a request_id of MAX_REQUEST_ID passes, a longer one is none", () => {
  const longest = "x".repeat(MAX_REQUEST_ID);
  expect(judged({ ...ping, request_id: longest })).toEqual([ping.op]);
  expect(judged({ ...ping, request_id: `${longest}x` })).toEqual(["bad_request", undefined]);
});

test("no message grows with what was sent", () => {
  const long = "\u0001".repeat(100_000);
  const verdict = dispatch(Buffer.from(JSON.stringify({ op: long, request_id: "1" })), user);
  expect("refusal" in verdict && verdict.refusal.msg.length).toBeLessThan(1_000);
});

test("a line that nests as deep as it can is answered", () => {
  const depth = MAX_FRAME_BYTES / 2;
  expect(judged("[".repeat(depth) + "]".repeat(depth))[0]).toBe("bad_request");
  const nested = `{"op":"instance.ping","request_id":"1","x":${"[".repeat(9_999)}${"]".repeat(9_999)}}`;
  expect(judged(nested)).toEqual([ping.op]);
});

test("a connection that may only look is refused what acts, after its role and before all else", () => {
  const looking: Standing = { ...user, isReadOnly: true };
  const id = "pty:a";
  const send = { op: "terminal.send", request_id: "1", id, keys: ["x"] };
  const read = { op: "terminal.read", request_id: "1", id };
  expect(judged(send)).toEqual(["terminal.send"]);
  expect(judged(send, looking)).toEqual(["forbidden", "1"]);
  expect(judged({ ...send, to_instance: OTHER_INSTANCE }, looking)).toEqual(["forbidden", "1"]);
  expect(judged({ ...send, keys: "x" }, looking)).toEqual(["invalid_args", "1"]);
  expect(judged(send, { ...looking, role: undefined })).toEqual(["hello_required", "1"]);
  expect(judged(read, looking)).toEqual(["forbidden", "1"]);
  expect(judged({ ...read, peek: false }, looking)).toEqual(["forbidden", "1"]);
  expect(judged({ ...read, peek: true }, looking)).toEqual(["terminal.read"]);
  expect(judged({ ...read, op: "terminal.capture" }, looking)).toEqual(["terminal.capture"]);
  expect(judged({ op: "topic.subscribe", request_id: "1", topic: "terminals" }, looking)).toEqual([
    "topic.subscribe",
  ]);
});
