import { readFileSync } from "node:fs";
import { KindGuard, type TSchema } from "@sinclair/typebox";
import { describe, expect, test } from "vitest";
import * as limits from "../../../src/host/channel/limits.ts";
import { CALLS, EVENTS, REQUESTS } from "../../../src/host/channel/messages.ts";

const page = readFileSync("docs/channel.md", "utf8");

const section = (title: string) => page.split(`\n## ${title}\n`)[1]?.split("\n## ")[0] ?? "";

/** The rows of a section's table: the name, and the fields in the second column. */
function stated(title: string): Record<string, string[]> {
  const rows = [...section(title).matchAll(/^\| `(\w+)` \| (.*?) ?\|/gm)];
  const fields = (text: string) => [...text.matchAll(/`(\w+\??)`/g)].map(([, name = ""]) => name);
  return Object.fromEntries(
    rows
      .filter(([, name]) => name !== "type" && name !== "op")
      .map(([, name = "", text = ""]) => [name, fields(text).sort()]),
  );
}

/** The fields of each shape but those that all have. */
function meant(shapes: Record<string, TSchema>): Record<string, string[]> {
  const fieldsOf = (shape: TSchema): string[] => {
    if (KindGuard.IsUnion(shape)) return shape.anyOf.flatMap(fieldsOf);
    if (!KindGuard.IsObject(shape)) return [];
    return Object.keys(shape.properties)
      .filter((name) => !["type", "op", "sessionId"].includes(name) || isOwn(shape, name))
      .map((name) => (shape.required?.includes(name) === true ? name : `${name}?`));
  };
  return Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => [name, [...new Set(fieldsOf(shape))].sort()]),
  );
}

/** A request's session is a field of its own; every call has one. */
const isOwn = (shape: TSchema, name: string) =>
  name === "sessionId" && KindGuard.IsObject(shape) && "type" in shape.properties;

describe("docs/channel.md", () => {
  test.each<[string, Record<string, TSchema>]>([
    ["Requests", REQUESTS],
    ["Calls", CALLS],
    ["Events", EVENTS],
  ])("states the %s and their fields as the schemas do", (title, shapes) => {
    expect(stated(title)).toEqual(meant(shapes));
  });

  test("states the limits that the code has", () => {
    const text = `${section("Frames")}${section("Limits")}`;
    const spelled = (count: number) => count.toLocaleString("en").replaceAll(",", " ");
    const { MAX_FRAME, MAX_CELLS, MAX_CELLS_ACROSS, MAX_WAIT_MS, READ_TEXT_LIMIT } = limits;
    for (const count of [MAX_FRAME, MAX_CELLS, MAX_CELLS_ACROSS, MAX_WAIT_MS, READ_TEXT_LIMIT]) {
      expect(text).toContain(spelled(count));
    }
    expect(text).toContain(`${spelled(limits.TERMINAL_OUTPUT_WINDOW)} bytes`);
    expect(text).toContain(`${limits.MAX_BACKLOG / 1024 / 1024} MiB (\`MAX_BACKLOG\`)`);
    expect(text).toContain(
      `${limits.MAX_REQUEST_BYTES / 1024 / 1024} MiB and ${spelled(limits.MAX_REQUEST_PARTS)} values`,
    );
  });
});
