import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MonitorCondition, MonitorNotify } from "../../../src/host/monitors/definition.ts";
import * as limits from "../../../src/host/monitors/limits.ts";

const page = readFileSync("docs/monitors.md", "utf8");

test("docs/monitors.md states the conditions and their fields as the schemas do", () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| ((?:`\w+`(?:, )?)*) ?\| /gm)];
  const stated = rows.map(([, kind, fields = ""]) => [
    kind,
    [...fields.matchAll(/`(\w+)`/g)].map(([, field]) => field),
  ]);
  const meant = MonitorCondition.anyOf.map(({ properties }) => [
    properties.kind.const,
    Object.keys(properties).filter((field) => field !== "kind"),
  ]);
  expect(stated).toEqual(meant);
});

test("docs/monitors.md states every kind of notification, and the limits that the code has", () => {
  for (const { properties } of MonitorNotify.anyOf) {
    expect(page).toContain(`\`${properties.kind.const}\``);
  }
  const spelled = (count: number) => count.toLocaleString("en").replaceAll(",", " ");
  for (const words of [
    `at most ${limits.MAX_MONITORS} monitors`,
    `last ${spelled(limits.MAX_EVENTS)} events`,
    `${limits.MIN_INTERVAL_MS} to ${spelled(limits.MAX_INTERVAL_MS)} ms`,
    `at most ${limits.MAX_LIFETIME_MS / 86_400_000} days`,
    `1 to ${spelled(limits.MAX_CHECKS)}`,
    `at most ${limits.MAX_PATTERN_BYTES} bytes, hosts, URLs and paths ${spelled(limits.MAX_PLACE_BYTES)}`,
    `commands ${spelled(limits.MAX_COMMAND_BYTES)}`,
    `at most ${limits.MAX_PROBES} are under way`,
    `after ${limits.PROBE_LIMIT_MS / 1_000} s`,
    `at most ${limits.PROBE_ANSWER_BYTES / 1024} KiB`,
    `first ${limits.MAX_ADDRESSES} addresses`,
    `within ${limits.CONNECT_LIMIT_MS} ms`,
    `${limits.HTTP_SILENCE_MS} ms of silence`,
  ]) {
    expect(page).toContain(words);
  }
});
