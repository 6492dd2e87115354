import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { onEnd, PrivateTmux, subscribe, temporaryFolder } from "./support.ts";

const IDLE = "exec cat";

/** What keeps this process busy: timers, watches, children. */
const busy = () =>
  process
    .getActiveResourcesInfo()
    .filter((kind) => /Timeout|FSEvent|Process|Pipe|Socket/.test(kind))
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
  const subscriber = await subscribe([tmux.socket]);
  await subscriber.until(({ rows }) => rows[0]?.title !== undefined);
  expect(heldFiles().length).toBeGreaterThan(before.files.length);
  subscriber.end();
  // A client that was under way is killed, and its handles close in a later turn of the loop.
  while (busy().length > before.busy.length) await new Promise((turn) => setImmediate(turn));
  expect({ busy: busy(), files: heldFiles() }).toEqual(before);
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

test("a server whose list takes long delays nobody's snapshot beyond the first reading's time", async () => {
  const folder = temporaryFolder();
  const [stuck, well] = [new PrivateTmux(join(folder, "a")), new PrivateTmux(join(folder, "b"))];
  for (const tmux of [stuck, well]) tmux.run("new-session", "-d", "-s", "one", IDLE);
  process.kill(stuck.pid, "SIGSTOP");
  onEnd(() => stuck.end());
  const subscriber = await subscribe([folder]);
  expect(subscriber.rows.some(({ id }) => id.includes(`@${well.pid}.`))).toBe(true);
  expect(subscriber.sources.find(({ name }) => name === stuck.socket)?.status).not.toBe("ok");
});
