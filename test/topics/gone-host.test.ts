import { join } from "node:path";
import { expect, test } from "vitest";
import { TmuxSource } from "../../src/inventory/tmux.ts";
import { createProcessTable } from "../../src/processes/index.ts";
import { systemClock as clock } from "../../src/time/clock.ts";
import { offerHostTopics } from "../../src/topics/host.ts";
import { Topics } from "../../src/topics/hub.ts";
import { onEnd, PrivateTmux, temporaryFolder } from "../inventory/support.ts";
import { until } from "../processes/support.ts";
import { EPOCH, folded, INSTANCE, TestSink } from "./support.ts";

/** The topics of a host whose only terminals are those of a tmux server. */
function hostOf(tmux: PrivateTmux) {
  const table = createProcessTable({ clock });
  onEnd(() => table.close());
  const topics = new Topics({ clock });
  const sources = [new TmuxSource({ clock, table, sockets: [tmux.socket] })];
  const host = offerHostTopics({
    topics,
    epoch: EPOCH,
    self: { id: INSTANCE, host: "test", reachable: true },
    observation: { clock, table, instance: INSTANCE, sources, agentSources: [] },
  });
  /** Somebody subscribes: what is listed, and the end of that. */
  const look = async () => {
    const sink = new TestSink();
    const reader = topics.connect(sink);
    onEnd(() => reader.end());
    (await reader.open("terminals"))();
    const ids = () => [...(folded("terminals", sink.lines).get(INSTANCE)?.rows.values() ?? [])];
    return { ids: () => ids().map(({ id }) => id), away: () => reader.end() };
  };
  return { gone: (id: string) => host.gone(id), look };
}

test("a pane that was closed is told of, whether somebody looked then or not", async () => {
  const tmux = new PrivateTmux(join(temporaryFolder(), "s"));
  for (const command of ["new-session", "new-window", "new-window"]) {
    tmux.run(command, "-d", "read -r _");
  }
  const { gone, look } = hostOf(tmux);
  const first = await look();
  await until(() => first.ids().length === 3);
  const [kept = "", looked = "", unseen = ""] = [0, 1, 2].map((pane) =>
    first.ids().find((id) => id.endsWith(`/${pane}`)),
  );
  tmux.run("kill-pane", "-t", "%1");
  await until(() => first.ids().length === 2);
  expect(gone(looked)).toMatchObject({ row: { id: looked, state: "running" }, reason: "closed" });

  first.away();
  tmux.run("kill-pane", "-t", "%2");
  expect(gone(unseen)).toBeUndefined();
  const before = clock.now();
  const second = await look();
  await until(() => gone(unseen) !== undefined);
  expect(second.ids()).toEqual([kept]);
  expect(gone(unseen)).toMatchObject({ row: { id: unseen }, reason: "closed" });
  expect(gone(unseen)?.at).toBeGreaterThanOrEqual(before);
  expect(gone(looked)?.at).toBeLessThanOrEqual(before);
  expect(gone(kept)).toBeUndefined();

  second.away();
  tmux.end();
  await look();
  await until(() => gone(kept) !== undefined);
});

test("a pane whose server does not answer is not gone, however often somebody looks", async () => {
  const tmux = new PrivateTmux(join(temporaryFolder(), "s"));
  tmux.run("new-session", "-d", "read -r _");
  const { gone, look } = hostOf(tmux);
  const first = await look();
  await until(() => first.ids().length === 1);
  const [id = ""] = first.ids();
  first.away();
  process.kill(tmux.pid, "SIGSTOP");
  const second = await look();
  expect(gone(id)).toBeUndefined();
  second.away();
  const third = await look();
  expect(gone(id)).toBeUndefined();
  third.away();
});
