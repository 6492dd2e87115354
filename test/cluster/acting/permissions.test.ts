import { nkeyAuthenticator, nkeys } from "@nats-io/transport-node";
import { expect, test } from "vitest";
import { natsConfiguration } from "../../../src/cli/nats/config.ts";
import { NOT_ALLOWED } from "../../../src/cluster/acting/failure.ts";
import { Seen } from "../../server/views/support.ts";
import { BUCKET, bus, publisher } from "./support.ts";

function user(letter: string) {
  const pair = nkeys.createUser();
  const authenticator = nkeyAuthenticator(pair.getSeed());
  return { instance: letter.repeat(32), key: pair.getPublicKey(), authenticator };
}

/** A bus with the users of the configuration that is printed: two hosts, and a dashboard. */
async function permitted() {
  const [atlas, borea, looker] = [user("a"), user("b"), user("c")];
  const config = natsConfiguration({
    ...{ bucket: BUCKET, listen: "127.0.0.1:4222", store: "/var/lib/nats" },
    ...{ hosts: [atlas, borea], dashboards: [looker] },
  });
  const nats = await bus({ config: config.slice(config.indexOf("authorization {")) });
  return { nats, atlas, borea, looker };
}

test("the rights of a host are enough to act on terminals of others and to look into them", async () => {
  const { nats, atlas, borea } = await permitted();
  const here = await publisher(nats, atlas);
  const there = await publisher(nats, borea);
  const { instance } = there;
  const id = await there.start("cat");
  await here.client().terminal.send(id, ["sent", "Enter"], { instance });
  const seen = new Seen(here.server, id, { instance });
  await seen.says("sent\r\nsent");
  seen.type("typed\n");
  await seen.says("typed\r\ntyped");
});

test("those of a dashboard are not, which is told at once", async () => {
  const { nats, atlas, looker } = await permitted();
  const there = await publisher(nats, atlas);
  const here = await publisher(nats, looker);
  const { instance } = there;
  const id = await there.start("cat");
  await expect(here.client().terminal.capture(id, { instance })).rejects.toMatchObject({
    error: { code: "capability_unavailable", reason: "unsupported", msg: NOT_ALLOWED },
  });
  const seen = new Seen(here.server, id, { instance });
  await seen.ended();
  expect(seen.error).toMatchObject({ reason: "unsupported", message: NOT_ALLOWED });
  expect(there.host.sockets.size).toBe(1);
});
