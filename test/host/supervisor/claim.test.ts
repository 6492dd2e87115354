import { expect, test } from "vitest";
import { requireHostFolders } from "../../../src/host/process/places.ts";
import { hostClaim } from "../../../src/inventory/host/claim.ts";
import { claim } from "../../../src/processes/claim.ts";
import { Place, table } from "../process/support.ts";

test.each([
  ["says nothing of the socket", {}, undefined],
  ["says where the socket is", { supervisor: "/s" }, "/s"],
  ["says something that is no path", { supervisor: 7 }, undefined],
])("a host is found whose claim %s", async (_, more, supervisor) => {
  const place = new Place();
  await requireHostFolders(place.places);
  const { claim: ours } = await claim<object>(hostClaim(place.places.folder, table));
  const says = { version: "0", topics: "/t", channel: "/c" };
  await ours?.state({ ...says, ...more });
  const host = await place.host();
  expect(host).toMatchObject({ pid: process.pid, ...says });
  expect(host?.supervisor).toBe(supervisor);
});
