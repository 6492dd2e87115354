import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as limits from "../../../src/host/supervisor/limits.ts";
import { FailureCode, TerminalFailureCode } from "../../../src/host/supervisor/messages.ts";
import { OPERATIONS } from "../../../src/host/supervisor/operation.ts";

const page = readFileSync("docs/supervisor.md", "utf8");

test("docs/supervisor.md states the operations and their fields as the schemas do", () => {
  const section = page.split("\n## Operations\n")[1] ?? "";
  const rows = [...section.matchAll(/^\| `(\w+)` \| (.*?) \|/gm)].filter(
    ([, name]) => name !== "action",
  );
  const stated = rows.map(([, name, fields = ""]) => [
    name,
    [...fields.matchAll(/`(\w+\??)`/g)].map(([, field]) => field),
  ]);
  const meant = Object.entries(OPERATIONS).map(([name, { properties, required }]) => [
    name,
    Object.keys(properties)
      .filter((field) => field !== "action")
      .map((field) => (required?.some((one) => one === field) ? field : `${field}?`)),
  ]);
  expect(stated).toEqual(meant);
});

test("docs/supervisor.md states when each code of a failure is answered", () => {
  const [table = ""] = page.split("\n| `code` | when |\n")[1]?.split("\n\n") ?? [];
  const stated = [...table.matchAll(/^\| (`[^|]*`) \| /gm)].flatMap(([, codes = ""]) =>
    [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => code),
  );
  expect(stated).toEqual(TerminalFailureCode.anyOf.map(({ const: code }) => code));
  for (const { const: code } of FailureCode.anyOf) expect(page).toContain(`\`${code}\``);
});

test("docs/supervisor.md states the limits that the code has", () => {
  const spelled = (count: number) => count.toLocaleString("en").replaceAll(",", " ");
  for (const count of [
    limits.MAXIMUM_FRAME_BYTES,
    limits.MAX_REQUEST_PARTS,
    limits.MAX_CELLS,
    limits.MAX_ACROSS,
    limits.READ_PAGE_BYTES,
    limits.MAX_PATTERN_BYTES,
    limits.MAX_TEXT_BYTES,
    limits.MAX_KEYS,
  ]) {
    expect(page).toContain(spelled(count));
  }
  expect(page).toContain(`At most ${limits.MAX_OPERATIONS} operations`);
  expect(page).toContain(`${limits.MAX_SESSIONS} sessions`);
  expect(page).toContain(`${limits.HISTORY_BYTES / 1024 / 1024} MiB of output`);
  expect(page).toContain(`1 to ${limits.MAX_INSPECTED_EVENTS}`);
  expect(page).toContain(`${limits.TOMBSTONE_MS / 60_000} minutes`);
  expect(page).toContain(`last ${limits.MAX_TOMBSTONES} closed`);
});
