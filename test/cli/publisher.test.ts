import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { claim, runningPublisher } from "../../src/cli/publisher.ts";
import { createProcessTable } from "../../src/processes/index.ts";
import { systemClock } from "../../src/time/clock.ts";

const table = createProcessTable({ clock: systemClock });
const ourselves = () => ({
  pid: process.pid,
  start_tick: table.read(process.pid)?.startTick ?? "",
  boot_id: table.bootId,
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tt-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

const hold = (number: number, text: string) =>
  writeFileSync(join(folder, `publisher-${number}.json`), text);

test("of many that claim a folder at once one gets it", async () => {
  const claims = await Promise.allSettled(Array.from({ length: 50 }, () => claim(folder, table)));
  expect(claims.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(readdirSync(folder)).toEqual(["publisher-1.json"]);
  expect(await runningPublisher(folder, table)).toEqual(ourselves());
});

test("many that find a dead one before them are no more", async () => {
  hold(7, JSON.stringify({ ...ourselves(), start_tick: "1" }));
  const claims = await Promise.allSettled(Array.from({ length: 50 }, () => claim(folder, table)));
  expect(claims.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(readdirSync(folder)).toEqual(["publisher-8.json"]);
});

test("a process that has its number from a dead one, or of an earlier boot, is nobody's publisher", async () => {
  for (const other of [{ start_tick: "1" }, { boot_id: "another" }]) {
    hold(1, JSON.stringify({ ...ourselves(), ...other }));
    expect(await runningPublisher(folder, table)).toBeUndefined();
  }
});

test("a file that holds something else stands in nobody's way", async () => {
  for (const text of ["", "null", "[]", '{"pid":"1"}', "{"]) {
    hold(3, text);
    expect(await runningPublisher(folder, table)).toBeUndefined();
  }
  await claim(folder, table);
  expect(readdirSync(folder)).toEqual(["publisher-4.json"]);
});

test("where a publisher is reached is there whole or not at all", async () => {
  const claimed = await claim(folder, table);
  const places = {
    instance: "0".repeat(32),
    endpoint: "http://127.0.0.1:1/",
    socket: "/s",
    port: 1,
  };
  await claimed.state(places);
  expect(await runningPublisher(folder, table)).toEqual({ ...ourselves(), ...places });
  expect(readFileSync(join(folder, "publisher-1.json"), "utf8")).toMatch(/^\{.*\}\n$/);
  expect(readdirSync(folder)).toEqual(["publisher-1.json"]);
});
