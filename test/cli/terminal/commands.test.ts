import { realpathSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { HostPlace } from "./support.ts";

describe("open", () => {
  test("starts a host, prints the id that lists show, and the terminal outlives the command", async () => {
    const place = new HostPlace();
    const id = (await place.print("open", "--name", "work")).trim();
    const { terminals } = await place.json("ls", "--source", "pty");
    expect(terminals).toMatchObject([{ id, name: "work", state: "running", cols: 80, rows: 24 }]);
  });

  test("runs a command in place of a shell: the terminal is that command's own", async () => {
    const place = await HostPlace.running();
    const id = (
      await place.print("open", "--exec", "--", "sh", "-c", "echo $1; exit 7", "x", "a b")
    ).trim();
    expect(await place.print("wait", id)).toBe("ended with 7\n");
    expect(await place.print("read", id)).toBe("a b\n");
    const { terminals } = await place.json("ls", "--source", "pty");
    expect(terminals).toMatchObject([{ state: "dead", exit_code: 7 }]);
  });

  test("types a command at a shell, in the folder, size and environment that were named", async () => {
    const place = await HostPlace.running();
    await mkdir(join(place.state, "environments"), { recursive: true });
    writeFileSync(join(place.state, "environments/mine.env"), "MARK=of mine\n");
    const where = ["--cwd", place.folder, "--env", "mine", "--cols", "60", "--rows", "12"];
    const command = 'echo "<$(pwd -P) $MARK $(stty size)>"; exit';
    await place.print("open", "--name", "there", ...where, "--", command);
    await place.print("wait", "there");
    const folder = realpathSync(place.folder);
    expect(await place.print("capture", "there", "--join")).toContain(`<${folder} of mine 12 60>`);
  });

  test("says in the document what the host says, and that it is a person's own", async () => {
    const place = await HostPlace.running();
    const { id, terminal } = await place.json("open", "--name", "a", "--session", "s");
    expect(terminal).toMatchObject({ sessionId: "s", index: 1, name: "a", env: null });
    expect(terminal).not.toHaveProperty("agent");
    expect(id).toBe(`pty:${(terminal as { id: string }).id}`);
  });

  test("fails in words where it cannot, and leaves no terminal", async () => {
    const place = await HostPlace.running();
    const wrong = [
      [["--cwd", "/nowhere/at/all"], "does not exist"],
      [["--env", "nobodys"], "there is no such file"],
      [["--exec", "--", "/no/such/program"], "/no/such/program"],
      [["--name", "x".repeat(2_000)], "name must be at most 1024 bytes long"],
    ] as const;
    for (const [args, says] of wrong) {
      const { code, stdout, stderr } = await place.run(["open", ...args]);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain(says);
    }
    expect((await place.json("ls", "--source", "pty")).terminals).toEqual([]);
  });
});

describe("a terminal of the host", () => {
  test("is typed into, waited for, read once, and shown whole", async () => {
    const place = await HostPlace.running();
    await place.print("open", "--name", "t", "--exec", "--", "cat");
    await place.print("send", "t", "one two", "Space", "three", "Enter");
    expect(await place.print("wait", "t", "--pattern", "^one two three\n.*three")).toBe("match\n");
    expect(await place.print("read", "t", "--peek")).toBe("one two three\none two three\n");
    expect(await place.print("read", "t")).toBe("one two three\none two three\n");
    expect(await place.print("read", "t")).toBe("");
    expect(await place.print("capture", "t")).toBe("one two three\none two three\n");
    expect(await place.print("read", "t", "--from", "15")).toBe("one two three\n");
    await place.print("send", "t", "--literal", "Enter", "--", "-x\r");
    const { text, waited } = await place.json("read", "t", "--wait", "quiet", "--quiet", "0.2");
    expect([text, waited]).toEqual(["Enter-x\nEnter-x\n", "quiet"]);
    await place.print("send", "t", "--submit", "many", "words");
    await place.print("wait", "t", "--pattern", "many words\nmany words");
  });

  test("has the size, the name and the end that it is given", async () => {
    const place = await HostPlace.running();
    await place.print("open", "--name", "a");
    await place.print("resize", "a", "100", "40");
    await place.print("rename", "a", "b");
    expect((await place.json("rename", "b", "c")).terminal).toMatchObject({
      cols: 100,
      rows: 40,
      name: "c",
    });
    await place.print("rename", "c");
    expect((await place.json("send", "1", "stty size", "Enter")).terminal).not.toHaveProperty(
      "name",
    );
    await place.print("wait", "1", "--pattern", "40 100");
    expect(await place.json("close", "1")).toMatchObject({ closed: true });
    expect((await place.json("ls", "--source", "pty")).terminals).toEqual([]);
  });

  test("is not closed while a job runs in it, unless that is forced", async () => {
    const place = await HostPlace.running();
    await place.print("open", "--name", "a", "--", "echo begun; sleep 1000");
    await place.print("wait", "a", "--pattern", "begun\n");
    const { code, stderr } = await place.run(["close", "a"]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^termtopic: sleep runs in pty:.* \(a\); --force/),
    ]);
    await place.print("close", "a", "--force");
    expect((await place.json("ls", "--source", "pty")).terminals).toEqual([]);
  });

  test("gets signals for the job in front", async () => {
    const place = await HostPlace.running();
    await place.print(
      "open",
      "--name",
      "a",
      "--exec",
      "--",
      "sh",
      "-c",
      "trap 'echo got; exit 5' USR1; echo set; while :; do sleep 0.05; done",
    );
    await place.print("wait", "a", "--pattern", "set");
    await place.print("signal", "a", "usr1");
    expect(await place.print("wait", "a")).toBe("ended with 5\n");
  });

  test("that is waited for in vain ends the wait with 1, and a read with what there is", async () => {
    const place = await HostPlace.running();
    await place.print("open", "--name", "a", "--exec", "--", "cat");
    const waited = await place.run(["wait", "a", "--timeout", "0.1"]);
    expect([waited.code, waited.stdout]).toEqual([1, ""]);
    expect(waited.stderr).toMatch(/^termtopic: pty:.* \(a\) has not ended in time\n$/);
    const read = await place.run([
      "read",
      "a",
      "--wait",
      "match",
      "--pattern",
      "x",
      "--timeout",
      "0.1",
    ]);
    expect(read).toMatchObject({ code: 0, stdout: "" });
    expect(read.stderr).toContain("did not come in time");
  });
});

describe("which terminal is meant", () => {
  test("is told by id, beginning of an id, number or name; by these in any session where the own has none", async () => {
    const place = await HostPlace.running();
    const { id: own } = await place.json("open", "--name", "same");
    const { id: other } = await place.json("open", "--name", "there", "--session", "s");
    const idOf = async (...args: string[]) => (await place.json("read", ...args)).id;
    for (const text of [own, String(own).slice(4), String(own).slice(0, 16), "1", "same"]) {
      expect(await idOf(String(text))).toBe(own);
    }
    for (const text of [other, String(other).slice(4, 12), "there"]) {
      expect(await idOf(String(text))).toBe(other);
    }
    expect(await idOf("1", "--session", "s")).toBe(other);
  });

  test("is asked back where it is none or several, with what there is", async () => {
    const nobody = await new HostPlace().run(["read", "x"]);
    expect([nobody.code, nobody.stderr]).toEqual([
      1,
      expect.stringContaining("no terminal host runs; `termtopic open`"),
    ]);
    const place = await HostPlace.running();
    await place.print("open", "--name", "same");
    await place.print("open", "--name", "same");
    const says = async (...args: string[]) => {
      const { code, stdout, stderr } = await place.run(args);
      expect([code, stdout]).toEqual([1, ""]);
      return stderr;
    };
    expect(await says("read", "same")).toMatch(
      /several terminals are "same": pty:\S+ \(1 same\), pty:\S+ \(2 same\); give an id/,
    );
    expect(await says("close", "3")).toMatch(
      /no terminal "3"; the host has pty:\S+ \(1 same\), pty:/,
    );
    expect(await says("send", "1", "x", "--session", "s")).toContain('the session "s" has none');
  });
});
