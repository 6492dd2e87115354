import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./support.ts";

interface Reached {
  readonly url: string;
  readonly format: string;
}

/** What importing a module of the package reaches: Node's modules by name, others by the package they are in. */
function reachedBy(specifier: string): { names: string[]; formats: Set<string> } {
  const program = join(root, "test/package/program/reached.mjs");
  const reached: Reached[] = JSON.parse(
    execFileSync(process.execPath, [program, specifier], { cwd: root, encoding: "utf8" }),
  );
  const names = reached.map(({ url }) => {
    if (url.startsWith("node:")) return url;
    const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
    return inPackage ?? (url.startsWith(new URL(`file://${root}dist/`).href) ? "termtopic" : url);
  });
  return { names: [...new Set(names)].sort(), formats: new Set(reached.map((one) => one.format)) };
}

// A module in the older format could load others unseen, so that there is none is part of the claim.
const MODULES_ALONE = new Set(["module"]);

test("importing the package reaches TypeBox and nothing else", () => {
  const { names, formats } = reachedBy("termtopic");
  expect(names).toEqual(["@sinclair/typebox", "termtopic"]);
  expect(formats).toEqual(MODULES_ALONE);
});

test("importing the client reaches TypeBox and nothing else", () => {
  const { names, formats } = reachedBy("termtopic/client");
  expect(names).toEqual(["@sinclair/typebox", "termtopic"]);
  expect(formats).toEqual(MODULES_ALONE);
});

test.each(["termtopic/fixtures", "termtopic/validate"])("importing %s reaches nothing", (name) => {
  const { names, formats } = reachedBy(name);
  expect(names).toEqual(["termtopic"]);
  expect(formats).toEqual(MODULES_ALONE);
});

test.each(["client/node", "host"])("importing %s reaches no package but TypeBox", (face) => {
  const { names } = reachedBy(`termtopic/${face}`);
  expect(names).toContain("node:net");
  expect(names.filter((name) => !name.startsWith("node:"))).toEqual([
    "@sinclair/typebox",
    "termtopic",
  ]);
});
