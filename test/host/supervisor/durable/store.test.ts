import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { readRecord } from "../../../../src/host/supervisor/durable/record.ts";
import { RecordStore } from "../../../../src/host/supervisor/durable/store.ts";
import { announcedText } from "../../../../src/host/supervisor/durable/written.ts";

const ID = `terminal-t-${"a".repeat(32)}`;
const OTHER = `terminal-t-${"b".repeat(32)}`;
const LAUNCHED = { workspaceRoot: "/work", cwd: "/work/a", shell: "/bin/bash", command: "x" };

let folder: string;
let store: RecordStore;

beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), "tt-store-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  folder = join(root, "host/supervisor");
  store = new RecordStore(folder);
});

describe("what is written down", () => {
  test("is for its owner alone, and is read as it was written", async () => {
    await store.write(ID, "one");
    await store.write(ID, "two");
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, `${ID}.json`)).mode & 0o777).toBe(0o600);
    expect([...(await store.all())]).toEqual([[ID, "two"]]);
    await store.remove(ID);
    await store.remove(ID);
    expect((await store.all()).size).toBe(0);
  });

  test("is nothing where nothing ever was", async () => {
    expect((await store.all()).size).toBe(0);
  });

  test("is refused in a folder that others may write in", async () => {
    await store.write(ID, "one");
    chmodSync(folder, 0o777);
    const next = new RecordStore(folder);
    await expect(next.all()).rejects.toThrow("closed to others");
    await expect(next.write(ID, "two")).rejects.toThrow("closed to others");
  });

  test("that cannot be read keeps nothing else from being read: a link, a folder, one that is too long", async () => {
    await store.write(ID, "one");
    const bad = ["b", "c", "d"].map((letter) => `terminal-t-${letter.repeat(32)}`);
    const [link = "", inner = "", long = ""] = bad;
    symlinkSync(join(folder, `${ID}.json`), join(folder, `${link}.json`));
    mkdirSync(join(folder, `${inner}.json`));
    writeFileSync(join(folder, `${long}.json`), Buffer.alloc(16 * 1024 * 1024 + 1));
    writeFileSync(join(folder, "terminal-t-.json"), "not of ours");
    const all = await store.all();
    expect(all.get(ID)).toBe("one");
    expect([...all.keys()].sort()).toEqual([ID, ...bad].sort());
    expect(bad.map((id) => all.get(id))).toEqual([undefined, undefined, undefined]);
  });

  test("in part by a host that was killed is taken away", async () => {
    await store.write(ID, "one");
    writeFileSync(join(folder, `.${OTHER}.json-0123456789ab`), "half");
    await store.all();
    expect(readdirSync(folder)).toEqual([`${ID}.json`]);
  });
});

describe("of what stands in a file", () => {
  const whole = announcedText(LAUNCHED, ["/bin/bash", "-c", "x"], 5);

  test("everything is made out that was announced", () => {
    const { session, monitors, isDamaged } = readRecord(whole);
    expect(isDamaged).toBe(false);
    expect(session).toMatchObject({ workspace_root: "/work", exec: ["/bin/bash", "-c", "x"] });
    expect(monitors).toBeUndefined();
  });

  test("the session is made out where its monitors cannot be", () => {
    const { session } = JSON.parse(whole);
    const read = readRecord(JSON.stringify({ session, monitors: { monitors: [] } }));
    expect(read).toEqual({ session, monitors: undefined, isDamaged: true });
  });

  test.each(["", "{", "null", "[]", "7", '"text"', '{"session":{}}', whole.slice(0, -20)])(
    "nothing is made out of %j",
    (text) => {
      const nothing = { session: undefined, monitors: undefined, isDamaged: true };
      expect(readRecord(text)).toEqual(nothing);
    },
  );
});
