import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { COMMAND } from "../support.ts";
import { HostPlace } from "./support.ts";

async function untilStopped(pid: number): Promise<void> {
  while (!/^\d+ \(.*\) T/.test(readFileSync(`/proc/${pid}/stat`, "utf8"))) {
    await new Promise((turn) => setImmediate(turn));
  }
}

/** Ctrl-] and d. */
const LEAVE = "\x1dd";

test("open shows the terminal on the one it runs on until it is left, and attach comes back to it", async () => {
  const place = new HostPlace();
  const opened = place.shown(
    "open",
    "--name",
    "here",
    "--exec",
    "--",
    "sh",
    "-c",
    "stty -echo; echo size $(stty size); cat",
  );
  await opened.until(() => opened.stdout.includes("size 24 80") || undefined);
  opened.child.stdin?.write(`typed${LEAVE}`);
  await opened.line(/detached from pty:.* \(here\); termtopic attach pty:/);
  await opened.line(/code 0/);
  // The terminal is as it was.
  await opened.line(/ icanon .* echo /);
  await opened.line(/^opost|; opost| opost/);

  const again = place.shown("attach", "here");
  await again.until(() => again.stdout.includes("size 24 80") || undefined);
  again.child.stdin?.write("\r");
  await again.until(() => again.stdout.includes("typed") || undefined);
  again.child.stdin?.write(LEAVE);
  await again.line(/code 0/);
  expect(await place.print("read", "here")).toBe("size 24 80\ntyped\n");
});

test("a terminal whose program ends while open shows it is closed, with attach it stays", async () => {
  const place = await HostPlace.running();
  const opened = place.shown("open", "--exec", "--", "sh", "-c", "echo last words; exit 3");
  await opened.line(/what ran in pty:\S+ ended with 3/);
  expect(opened.stdout).toContain("last words");
  await opened.ended;
  expect((await place.json("ls", "--source", "pty")).terminals).toEqual([]);

  await place.print("open", "--name", "a", "--exec", "--", "cat");
  const attached = place.shown("attach", "a");
  await attached.until(() => attached.stdout.includes("\x1b[?2004l") || undefined);
  attached.child.stdin?.write("\x04");
  await attached.line(/what ran in pty:\S+ \(a\) ended with 0/);
  expect((await place.json("ls", "--source", "pty")).terminals).toMatchObject([{ state: "dead" }]);
});

test("a look that is read-only types nothing", async () => {
  const place = await HostPlace.running();
  await place.print(
    "open",
    "--name",
    "a",
    "--exec",
    "--cols",
    "50",
    "--",
    "sh",
    "-c",
    "echo begun; cat",
  );
  const attached = place.shown("attach", "a", "--read-only", "--detach-keys", "q");
  await attached.until(() => attached.stdout.includes("begun") || undefined);
  attached.child.stdin?.write("text\rq");
  await attached.line(/code 0/);
  expect((await place.json("read", "a")).terminal).toMatchObject({ cols: 50 });
  expect(await place.print("capture", "a")).toBe("begun\n");
});

test("a look that is stopped for a while goes on with the screen as it is then", async () => {
  const place = await HostPlace.running();
  await place.print("open", "--name", "a", "--exec", "--", "sh", "-c", "echo begun; cat");
  const attached = place.shown("attach", "a");
  await attached.until(() => attached.stdout.includes("begun") || undefined);
  const pid = await place.processIn(attached);
  process.kill(pid, "SIGTSTP");
  await untilStopped(pid);
  const before = attached.stdout.length;
  await place.print("send", "a", "meanwhile", "Enter");
  await place.print("wait", "a", "--pattern", "^meanwhile\\nmeanwhile");
  process.kill(pid, "SIGCONT");
  await attached.until(() => attached.stdout.slice(before).includes("meanwhile") || undefined);
  expect(attached.stdout.slice(before)).toContain("begun");
  process.kill(pid, "SIGTERM");
  await attached.line(/detached from/);
  await attached.line(/ icanon .* echo /);
});

test("the terminal is given back when the host dies", async () => {
  const place = await HostPlace.running();
  await place.print("open", "--name", "a", "--exec", "--", "sh", "-c", "echo begun; cat");
  const attached = place.shown("attach", "a");
  await attached.until(() => attached.stdout.includes("begun") || undefined);
  await place.endHost("SIGKILL");
  await attached.line(/termtopic: the connection to the host at .* ended/);
  await attached.line(/code 1/);
  await attached.line(/ icanon .* echo /);
  await attached.ended;
  expect(attached.stdout.lastIndexOf("\x1b[?25h")).toBeGreaterThan(0);
});

test("a terminal is not shown where there is none, and not in itself", async () => {
  const place = await HostPlace.running();
  await place.print("open", "--name", "a");
  const piped = await place.run(["attach", "a"]);
  expect([piped.code, piped.stderr]).toEqual([
    2,
    expect.stringContaining("is shown on a terminal"),
  ]);
  const folder = `TERMTOPIC_STATE_DIR='${place.state}'`;
  await place.print("send", "a", `${folder} ${COMMAND} attach a`, "Enter");
  expect(await place.print("wait", "a", "--pattern", "cannot show itself")).toBe("match\n");
});
