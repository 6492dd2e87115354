import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { TerminalInfo } from "../../../src/contract/terminals.ts";
import { Subscriber } from "../../cli/support.ts";
import { HostPlace } from "../../cli/terminal/support.ts";
import { isAlive } from "./support.ts";

/** Starts a publisher of the host's terminals. */
async function serve(place: HostPlace) {
  const own = ["--port", "0", "--source", "pty", "--ready-file", place.readyFile];
  const program = place.start(["serve", ...own]);
  await program.line(/serves/);
  const ready = JSON.parse(readFileSync(place.readyFile, "utf8"));
  return { program, ready, token: readFileSync(join(place.state, "token"), "utf8").trim() };
}

/** The rows of a snapshot. */
async function listed(publisher: Awaited<ReturnType<typeof serve>>) {
  const subscriber = await Subscriber.overUnixSocket(publisher);
  const { data, epoch } = await subscriber.message(({ snapshot }) => snapshot === true);
  const rows = (data?.terminals ?? []).filter((row): row is TerminalInfo => !("removed" in row));
  return { epoch, rows };
}

test("terminals outlive a publisher that is killed, and the next one lists them as the same", async () => {
  const place = new HostPlace();
  for (const name of ["a", "b"]) {
    await place.print("open", "--detach", "--name", name, "--exec", "--", "sleep", "1000");
  }
  const first = await serve(place);
  const before = await listed(first);
  expect(before.rows).toMatchObject([
    { id: expect.stringMatching(/^pty:/), name: "a", state: "running" },
    { id: expect.stringMatching(/^pty:/), name: "b", state: "running" },
  ]);
  first.program.signal("SIGKILL");
  await first.program.ended;
  const after = await listed(await serve(place));
  expect(after.epoch).not.toBe(before.epoch);
  const same = before.rows.map(({ id, name, pid, start_tick, tty, state }) => {
    expect(isAlive(pid ?? 0)).toBe(true);
    return { id, name, pid, start_tick, tty, state };
  });
  expect(after.rows).toMatchObject(same);
  expect(after.rows).toHaveLength(same.length);
});
