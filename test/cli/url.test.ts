import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Place } from "./support.ts";

test("the address of the running publisher is printed with its token", async () => {
  const place = new Place();
  const { ready, token } = await place.serve();
  const { code, stdout } = await place.run(["url"]);
  expect([code, stdout]).toEqual([0, `${ready.endpoint}#token=${token}\n`]);
});

test("where none runs, it says how to start one", async () => {
  const place = new Place();
  const never = await place.run(["url"]);
  expect([never.code, never.stdout]).toEqual([1, ""]);
  expect(never.stderr).toContain("termtopic serve");

  const { program } = await place.serve();
  program.signal("SIGKILL");
  await program.ended;
  const gone = await place.run(["url"]);
  expect([gone.code, gone.stdout, gone.stderr]).toEqual([1, "", never.stderr]);
});

test("a token that is gone is told", async () => {
  const place = new Place();
  await place.serve();
  rmSync(join(place.state, "token"));
  const { code, stderr } = await place.run(["url"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("is gone")]);
});
