import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hostPlaces } from "../../../src/host/process/places.ts";
import { tmuxSocket } from "../../../src/host/tmux/places.ts";
import { HostPlace } from "../terminal/support.ts";

/** A place with a session in tmux that copies its input to its output. */
async function withSession() {
  const place = await HostPlace.running();
  const args = ["--backend", "tmux", "--workspace", place.folder];
  const command = ["--", "stty -echo; echo ready; exec cat"];
  const session = (await place.print("supervise", "start", ...args, ...command)).trim();
  onTestFinished(async () => {
    await place.run(["supervise", "close", session, "--force"]);
  });
  await place.print("supervise", "wait", session, "--pattern", "ready");
  return { place, session };
}

test("a session in tmux is meant by the id of its row too", async () => {
  const { place, session } = await withSession();
  const socket = tmuxSocket(hostPlaces(join(place.state, "run"), {}).tmux);
  const { terminals } = await place.json("ls", "--source", "tmux", "--tmux-socket", socket);
  const [row] = terminals as { id: string }[];
  const id = row?.id ?? "";
  expect(id).toMatch(/^tmux:/);
  await place.print("monitor", "add", id, "--on", "exit");
  expect(await place.print("monitor", "list", id)).toContain(session);
  expect(await place.print("supervise", "read", id)).toBe("ready\r\n");
  const screen = await place.json("supervise", "screen", id);
  expect(screen).toMatchObject({ success: { screen: { session: { session_id: session } } } });
  const gone = await place.run(["supervise", "read", id.replace(/\d+$/, "77")]);
  expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining("there is no pane tmux:")]);
});

test("a pane of the user's is no session, whatever its name is", async () => {
  const { place, session } = await withSession();
  place.session(session);
  const { terminals } = await place.json("ls", ...place.looking);
  const [other] = terminals as { id: string; name: string }[];
  expect(other?.name).toBe(`${session}:0.0`);
  const { code, stderr } = await place.run(["monitor", "list", other?.id ?? ""]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("no pane of the host's own tmux")]);
});

test("events are followed over the end of a host, by whoever starts the next", async () => {
  const { place, session } = await withSession();
  const kept = ["--notify", "change", "--until", "end"];
  await place.print("monitor", "add", session, "--on", "contains", "first", ...kept);
  await place.print("monitor", "add", session, "--on", "contains", "second", ...kept);
  const follow = ["monitor", "events", session, "--follow", "--acknowledge"];
  const program = place.start(follow);
  const enter = ["supervise", "write", session, "--keys", "enter"];
  await place.print("supervise", "write", session, "first");
  await place.print(...enter);
  await program.line(/^1 \S+ monitor-1 state_changed/);
  await place.endHost("SIGKILL");
  await program.until(() => program.stderr.includes("the host ended; ") || undefined);
  place.start(["host"]);
  while ((await place.host())?.channel === undefined) {
    await new Promise((turn) => setTimeout(turn, 4));
  }
  await place.print("supervise", "write", session, "second");
  await place.print(...enter);
  await program.line(/^2 \S+ monitor-2 state_changed/);
  program.signal("SIGTERM");
  const { code, stdout } = await program.ended;
  expect(code).toBe(0);
  expect(stdout.match(/^\d+/gm)).toEqual(["1", "2"]);
  expect(await place.print("monitor", "events", session)).toBe("");
});

test("who follows a session waits for no host any more once a signal comes", async () => {
  const { place, session } = await withSession();
  const program = place.start(["monitor", "events", session, "--follow"]);
  await place.print("monitor", "add", session, "--on", "exit");
  await place.print("monitor", "rm", session, "monitor-1");
  await program.line(/ removed /);
  await place.endHost("SIGKILL");
  await program.until(() => program.stderr.includes("the host ended; ") || undefined);
  program.signal("SIGTERM");
  expect((await program.ended).code).toBe(0);
  place.start(["host"]);
  while ((await place.host())?.channel === undefined) {
    await new Promise((turn) => setTimeout(turn, 4));
  }
});
