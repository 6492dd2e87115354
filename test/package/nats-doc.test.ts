import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { natsConfiguration } from "../../src/cli/nats/config.ts";

const named = (letter: string, key: string) => ({ instance: letter.repeat(32), key });

test("docs/nats.md shows the configuration that the command prints", () => {
  const doc = readFileSync(new URL("../../docs/nats.md", import.meta.url), "utf8");
  const shown = /<!-- configuration -->\n\n```\n(.*?)```\n\n<!-- end -->/s.exec(doc)?.[1];
  const printed = natsConfiguration({
    ...{ bucket: "termtopic", listen: "0.0.0.0:4222", store: "/var/lib/nats" },
    tls: { cert: "/etc/nats/cert.pem", key: "/etc/nats/key.pem" },
    hosts: [
      named("a", "UDEUQNVHXXGELHNS5BAW53SCQHX3MW7MX72Q4QGUPCMPDAR7KNS3KGGJ"),
      named("b", "UCGPNILTJQZXELPHRWWXGENJXKLFNFIBUVLUGEVQHBJDWRMWNEZFUYSR"),
    ],
    dashboards: [named("c", "UCGX34CQ6Y3L2AWSYQQK2HIFZNK3CPF56YZSX36NL2WGYP7NEYABNVYF")],
  });
  expect(shown).toBe(printed);
});
