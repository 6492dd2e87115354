import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CountingClock, PrivateTmux, subscribe, temporaryFolder } from "./support.ts";

const IDLE = "exec cat";

/** What this process has open: watches, children and the ways to them. */
const busy = () =>
  process
    .getActiveResourcesInfo()
    .filter((kind) => /FSEvent|Process|Pipe|Socket/.test(kind))
    .sort();

/** What inotify watches this process holds, and which files. */
function heldFiles(): string[] {
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${descriptor}`);
      if (target.includes("inotify")) {
        const info = readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8");
        return info.split("\n").filter((line) => line.startsWith("inotify wd"));
      }
      return /\/proc\/\d+\/stat$/.test(target) ? [target] : [];
    } catch {
      return [];
    }
  });
}

test("with nobody subscribed there is no timer, no watch, no child process and no descriptor", async () => {
  const tmux = new PrivateTmux(join(temporaryFolder(), "s"));
  tmux.run("new-session", "-d", "-s", "one", IDLE);
  const before = { busy: busy(), files: heldFiles() };
  const clock = new CountingClock();
  const subscriber = await subscribe([tmux.socket], { clock });
  await subscriber.until(({ rows }) => rows[0]?.name !== undefined);
  expect(clock.waiting).toBeGreaterThan(0);
  expect(heldFiles().length).toBeGreaterThan(before.files.length);
  subscriber.end();
  // A client that was under way is killed, and its handles close in a later turn of the loop.
  while (busy().length > before.busy.length) await new Promise((turn) => setImmediate(turn));
  expect({ busy: busy(), files: heldFiles() }).toEqual(before);
  expect(clock.waiting).toBe(0);
});

test("who subscribes anew sees what happened meanwhile", async () => {
  const tmux = new PrivateTmux(join(temporaryFolder(), "s"));
  tmux.run("new-session", "-d", "-s", "one", IDLE);
  const first = await subscribe([tmux.socket]);
  expect(first.rows).toHaveLength(1);
  first.end();
  tmux.run("split-window", "-d", "-t", "one", IDLE);
  const second = await subscribe([tmux.socket]);
  expect(second.rows).toHaveLength(2);
});

test("a server that does not answer keeps nobody from the rows of the others", async () => {
  const folder = temporaryFolder();
  const [stuck, well] = [new PrivateTmux(join(folder, "a")), new PrivateTmux(join(folder, "b"))];
  for (const tmux of [stuck, well]) tmux.run("new-session", "-d", "-s", "one", IDLE);
  process.kill(stuck.pid, "SIGSTOP");
  const subscriber = await subscribe([folder]);
  await subscriber.until(({ rows }) => rows.some(({ id }) => id.includes(`@${well.pid}.`)));
  expect(subscriber.sources.find(({ name }) => name === stuck.socket)?.status).not.toBe("ok");
});
