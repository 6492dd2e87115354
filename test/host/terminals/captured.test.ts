import { expect, test } from "vitest";
import { serveHost } from "../channel/served-host.ts";

const TERMINALS = 12;

test("captures of a terminal that is closed meanwhile say that it was", async () => {
  const client = await (await serveHost()).connect();
  const refused = new Set<string>();
  const capturesUntilGone = async (target: string) => {
    for (;;) {
      const asked = await client.ask({ op: "capture", sessionId: "s", target, scrollback: 5_000 });
      if (!("error" in asked)) continue;
      refused.add(asked.error.replace(/^there is no terminal .*/, "there is no terminal"));
      return;
    }
  };
  for (let count = 0; count < TERMINALS; count += 1) {
    const { id } = await client.script("s", "yes");
    const gone = Array.from({ length: 4 }, () => capturesUntilGone(id));
    await client.call({ op: "close", sessionId: "s", key: id, target: id });
    await Promise.all(gone);
  }
  refused.delete("there is no terminal");
  // Whether one is under way when the terminal goes is chance; what it says then is not.
  expect(["the terminal was closed meanwhile"]).toEqual(expect.arrayContaining([...refused]));
});
