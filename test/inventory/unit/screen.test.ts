import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { SessionNames } from "../../../src/inventory/screen/session-names.ts";
import { ScreenSource } from "../../../src/inventory/screen.ts";
import type { ObservedTerminal } from "../../../src/inventory/terminal.ts";
import { ProcessFacts } from "../../../src/processes/facts.ts";
import type { Reading } from "../../../src/sources/source.ts";
import { FakeClock } from "../../lib/fake-clock.ts";
import { FakeTable, processInfo } from "../../lib/fake-table.ts";
import { kernelWatches, temporaryFolder, until } from "./support.ts";

const SERVER = ["SCREEN", "-S", "work"];

/** A server with pid 100 on a made-up host, and a source that sees it when told. */
function host() {
  const clock = new FakeClock();
  const table = new FakeTable();
  const source = new ScreenSource({ clock, table });
  const readings: Reading<ObservedTerminal>[] = [];
  source.start((reading) => readings.push(reading));
  onTestFinished(() => source.stop());
  table.set(processInfo(100, { name: "screen", tty: undefined }), { argv: SERVER });
  const window = (pid: number, environment: Record<string, string>, argv = ["bash"]) =>
    table.set(processInfo(pid, { parent: 100, tty: `/dev/pts/${pid}` }), { argv, environment });
  return {
    clock,
    table,
    source,
    readings,
    window,
    see: (snapshot = table.snapshot()) => source.see(snapshot, new ProcessFacts(table, clock)),
    said: () => {
      const finding = readings.at(-1)?.finding;
      return finding?.kind === "rows"
        ? finding.items.map(({ id, name }) => `${id} ${name}`)
        : finding?.kind;
    },
    /** Which places were told of since the last call, and how. */
    places: () => readings.splice(0).map(({ name, finding }) => `${name} ${finding.kind}`),
  };
}

const variables = (window: number, session = "100.work") => ({
  STY: session,
  WINDOW: String(window),
});

describe("screen", () => {
  test("is absent where no server has a window", () => {
    const { see, said } = host();
    see();
    expect(said()).toBe("absent");
  });

  test("is not taken for absent before the processes were read", () => {
    expect(host().readings).toEqual([]);
  });

  test("states a window that was seen before its exec as soon as that is over, by itself", async () => {
    const { clock, see, said, window } = host();
    // A server that was started in a window of another one has that one's variables itself.
    window(101, variables(3, "77.outer"), SERVER);
    see();
    expect(said()).toBe("starting");
    await clock.advance(3);
    expect(said()).toBe("starting");
    window(101, variables(0));
    await clock.advance(20);
    expect(said()).toEqual(["screen:100.1100/0 work"]);
    expect(clock.pending).toBe(0);
  });

  test("knows a window by its process where it has another session's variables", () => {
    const { see, said, window } = host();
    window(101, variables(3, "77.outer"));
    window(102, variables(1));
    see();
    expect(said()).toEqual(["screen:100.1100/101.1101 work", "screen:100.1100/1 work"]);
  });

  test("keeps the session's name when no window says it any more", () => {
    const { see, said, window } = host();
    window(101, variables(0));
    see();
    window(101, {}, ["env", "-i", "sleep"]);
    see();
    expect(said()).toEqual(["screen:100.1100/0 work"]);
  });

  test.each([
    ["no number", { STY: "100.work", WINDOW: "x" }, "101.1101 work"],
    ["no session", { WINDOW: "0" }, "101.1101 undefined"],
    ["a session without a name", { STY: "100.", WINDOW: "0" }, "101.1101 undefined"],
    ["a session of no number", { STY: "work", WINDOW: "0" }, "101.1101 undefined"],
  ])("gives a window that was told %s a name all the same", (_, told, expected) => {
    const { see, said, window } = host();
    window(101, told);
    see();
    expect(said()).toEqual([`screen:100.1100/${expected}`]);
  });

  test("has a place for each server, by its pid and the name that its windows were given", () => {
    const { table, see, places, window } = host();
    window(101, variables(0));
    table.set(processInfo(200, { name: "screen", tty: undefined }), { argv: SERVER });
    table.set(processInfo(201, { parent: 200, tty: "/dev/pts/201" }), { argv: ["bash"] });
    see();
    expect(places()).toEqual(["100.work rows", "200 rows"]);
    // What it learns later is no reason to call it otherwise.
    window(102, variables(1, "100.other"));
    see();
    expect(places()).toEqual(["100.work rows", "200 rows"]);
  });

  test.each([
    ["ended", (table: FakeTable) => table.end(100)],
    [
      "begun to end",
      (table: FakeTable) =>
        table.set(processInfo(100, { name: "screen", tty: undefined }), { argv: [] }),
    ],
  ])("of a server that has %s by the time its windows go says that it is gone", (_, end) => {
    const { clock, table, see, places, window } = host();
    window(101, variables(0));
    window(102, variables(1));
    see();
    places();
    table.end(102);
    const snapshot = table.snapshot();
    end(table);
    see(snapshot);
    expect(places()).toEqual(["100.work gone", "undefined absent"]);
    expect(clock.pending).toBe(0);
  });

  test("keeps a server that has lost its last window, and is absent once that has ended", () => {
    const { table, see, said, places, window } = host();
    window(101, variables(0));
    see();
    table.end(101);
    see();
    expect(said()).toEqual([]);
    places();
    table.end(100);
    see();
    expect(places()).toEqual(["100.work gone", "undefined absent"]);
  });

  test("tells of a new server with the number of one that has ended after that one", () => {
    const { table, see, places, window } = host();
    window(101, variables(0));
    see();
    places();
    const again = processInfo(100, { name: "screen", tty: undefined, startTick: "9" });
    table.set(again, { argv: SERVER });
    see();
    expect(places()).toEqual(["100.work gone", "100.work rows"]);
  });

  test("survives that processes cannot be read as it looks again", async () => {
    const { clock, table, see, said, window } = host();
    window(101, variables(0), SERVER);
    see();
    table.argv = () => {
      throw new Error("EMFILE");
    };
    await clock.advance(10);
    expect(said()).toBe("starting");
    expect(clock.pending).toBe(0);
  });

  test("says nothing and waits for nothing once it was stopped", async () => {
    const { clock, source, readings, see, window } = host();
    window(101, variables(0), SERVER);
    see();
    const read = source.read();
    source.stop();
    await read;
    const { length } = readings;
    await clock.advance(10_000);
    expect(clock.pending).toBe(0);
    see();
    expect(readings).toHaveLength(length);
  });
});

describe("the names of sessions", () => {
  const changes = () => {
    let count = 0;
    const names = new SessionNames(() => {
      count += 1;
    });
    onTestFinished(() => names.stop());
    return { names, count: () => count };
  };

  test("are read from the folders of sockets, and again when a socket is renamed", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "100.a.b"), "");
    writeFileSync(join(folder, "101.other"), "");
    const { names, count } = changes();
    names.keep(new Set([100]), new Set([folder]));
    await until(() => names.of(100) === "a.b");
    expect(names.of(101)).toBeUndefined();
    renameSync(join(folder, "100.a.b"), join(folder, "100.c"));
    await until(() => names.of(100) === "c");
    expect(count()).toBe(2);
  });

  test("are watched only where a socket was found, and not once no server is left", async () => {
    const watches = kernelWatches();
    const [with_, without] = [temporaryFolder(), temporaryFolder()];
    writeFileSync(join(with_, "100.a"), "");
    mkdirSync(join(without, "100"));
    const { names } = changes();
    names.keep(new Set([100]), new Set([with_, without, "relative", "/nowhere"]));
    await until(() => names.of(100) === "a");
    expect(kernelWatches()).toBe(watches + 1);
    names.keep(new Set(), new Set());
    await until(() => names.of(100) === undefined);
    expect(kernelWatches()).toBe(watches);
  });
});
