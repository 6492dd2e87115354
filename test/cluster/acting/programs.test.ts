import { expect, onTestFinished, test } from "vitest";
import { connect } from "../../../src/client/connect.ts";
import { nodeWebSocketTransport } from "../../../src/client/node.ts";
import { Place } from "../../cli/support.ts";
import { NatsServer } from "../../lib/nats/server.ts";
import { Seen } from "../../server/views/support.ts";

/** Silence has to last its whole time. */
const SLOW = { timeout: 90_000 };

/** Two hosts as they are started, each with a pane of tmux that runs `cat`. */
async function hosts() {
  const nats = await NatsServer.start();
  onTestFinished(() => nats.end());
  const begin = async (name: string) => {
    const place = new Place();
    place.session(name);
    const args = ["--nats", nats.url, "--host-name", name, "--log-level", "info"];
    const { program, ready, token } = await place.serve(args);
    await program.until(() => program.stderr.includes("shares its") || undefined);
    return { place, program, ready, token };
  };
  const [atlas, borea] = await Promise.all([begin("atlas"), begin("borea")]);
  const { stdout } = await atlas.place.run(["ls", "--json"]);
  const { terminals } = JSON.parse(stdout) as { terminals: { id: string; instance: string }[] };
  const far = terminals.find(({ instance }) => instance === borea.ready.instance);
  if (far === undefined) throw new Error("Expected a terminal of the other host");
  const { endpoint } = atlas.ready;
  const transport = nodeWebSocketTransport(endpoint, { token: atlas.token });
  const client = connect({ transport });
  onTestFinished(() => client.close());
  const { instance } = far;
  const seen = new Seen({ endpoint }, far.id, { instance, token: atlas.token });
  return { nats, atlas, borea, far, client, seen };
}

test("a pane of tmux on another host is seen, typed into and signalled through any publisher", async () => {
  const { far, client, seen, borea } = await hosts();
  const { instance, id } = far;
  await seen.attached();
  await client.terminal.send(id, ["sent", "Enter"], { instance });
  await seen.says("sent");
  seen.type("typed\r");
  await seen.says("typed");
  await client.terminal.signal(id, "SIGTERM", { instance });
  await borea.place.ended(1);
  await seen.until(() => seen.terminal?.exited !== undefined || seen.error !== undefined);
});

test("a view of it ends at once where its publisher stops", async () => {
  const { borea, seen } = await hosts();
  await seen.attached();
  borea.program.signal("SIGTERM");
  await seen.ended();
  expect(seen.error).toMatchObject({
    reason: "lost",
    message: `the publisher of the instance ${borea.ready.instance} stops`,
  });
});

test(
  "a view of it ends where its publisher is killed, and a call is told that nobody is there",
  SLOW,
  async () => {
    const { borea, seen, client, far } = await hosts();
    await seen.attached();
    borea.program.signal("SIGKILL");
    await borea.program.ended;
    await expect(client.terminal.capture(far.id, { instance: far.instance })).rejects.toMatchObject(
      {
        error: { code: "instance_unreachable" },
      },
    );
    await seen.ended();
    expect(seen.error).toMatchObject({ reason: "lost" });
    expect(seen.error?.message).toContain("it said nothing for 15 s");
  },
);
