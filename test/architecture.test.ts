import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync, Visitor } from "vite";
import { describe, expect, test } from "vitest";

/** The folders of src from the ground up. A file imports its own folder and the floors below; folders on one
 * floor do not know each other. */
const FLOORS = [
  ["contract", "time", "files"],
  ["client", "processes"],
  ["sources"],
  ["agents"],
  ["inventory"],
  ["topics"],
  ["host"],
  ["acting"],
  ["server", "cluster"],
  ["cli", "dashboard"],
];

/** Who may reach less than the floors below it: which folders of src, which packages, and whether Node. */
interface Reach {
  readonly folders: readonly string[];
  readonly packages: readonly string[];
  readonly node: boolean;
}

const TYPEBOX = "@sinclair/typebox";
const XTERM_ADDONS = ["fit", "search", "unicode11", "web-links", "webgl"].map(
  (name) => `@xterm/addon-${name}`,
);
const PURE: Reach = { folders: ["contract"], packages: [], node: false };

/** By folder or by file; a file's own entry goes before its folder's. */
const LIMITS: Readonly<Record<string, Reach>> = {
  contract: { ...PURE, packages: [TYPEBOX] },
  client: PURE,
  dashboard: {
    folders: ["contract", "client"],
    packages: ["preact", "@preact/signals", "@xterm/xterm", ...XTERM_ADDONS],
    node: false,
  },
  "client/node.ts": { ...PURE, packages: ["ws"], node: true },
  // The package's faces. The validator without eval has none here: it is made of the schema files.
  "index.ts": PURE,
  "fixtures.ts": { ...PURE, packages: [TYPEBOX] },
};

/** Source by its path within src. */
type Tree = ReadonlyMap<string, string>;

/** What a file imports, as written: types, re-exports and imports on demand too. `undefined` is an import whose
 * name is computed. */
function importsOf(path: string, source: string): (string | undefined)[] {
  const found: (string | undefined)[] = [];
  const take = (node: { source?: unknown }) => {
    if (node.source) found.push((node.source as { value?: string }).value);
  };
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  new Visitor({
    ImportDeclaration: take,
    ExportNamedDeclaration: take,
    ExportAllDeclaration: take,
    ImportExpression: take,
    TSImportType: take,
    TSExternalModuleReference: ({ expression }) => take({ source: expression }),
  }).visit(program);
  return found;
}

const folderOf = (path: string) => path.slice(0, Math.max(0, path.indexOf("/")));
const floorOf = (path: string) => FLOORS.findIndex((floor) => floor.includes(folderOf(path)));
const packageOf = (name: string) => name.split("/", name.startsWith("@") ? 2 : 1).join("/");

/** The file of src that an import means, or one outside src with `../` in front. */
const target = (path: string, name: string) => posix.join(posix.dirname(path), name);

/** Everything about the imports of the tree that the house does not allow. */
function faults(tree: Tree): string[] {
  const found: string[] = [];
  for (const [path, source] of tree) {
    if (floorOf(path) < 0 && path.includes("/"))
      found.push(`${path} is in a folder without a floor`);
    for (const name of importsOf(path, source)) {
      const fault = faultOf(tree, path, name);
      if (fault !== undefined) found.push(`${path} ${fault}`);
    }
  }
  return [...found, ...circles(tree).map((files) => `circle: ${files.join(" > ")}`)];
}

function faultOf(tree: Tree, path: string, name: string | undefined): string | undefined {
  const limit = LIMITS[path] ?? LIMITS[folderOf(path)];
  if (name === undefined) return "imports what is named only when it runs";
  if (name.startsWith("node:")) {
    return limit?.node === false ? `reaches ${name}` : undefined;
  }
  if (!name.startsWith(".")) {
    return limit && !limit.packages.includes(packageOf(name)) ? `reaches ${name}` : undefined;
  }
  const other = target(path, name);
  if (other.startsWith("../")) {
    const isData = other === "../package.json" || other.startsWith("../fixtures/");
    return isData ? undefined : `leaves src for ${other}`;
  }
  if (other.endsWith(".css") && other.startsWith("dashboard/") && limit === LIMITS["dashboard"]) {
    return undefined;
  }
  if (!tree.has(other)) return `imports ${other}, which is not there`;
  if (folderOf(other) === folderOf(path) && folderOf(path) !== "") return undefined;
  const isAllowed = limit
    ? limit.folders.includes(folderOf(other))
    : floorOf(other) >= 0 && floorOf(other) < floorOf(path);
  return isAllowed ? undefined : `imports upwards: ${other}`;
}

/** Each way from a file back to itself, once: the files that were left open when a search came back to one of
 * them. */
function circles(tree: Tree): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (path: string, open: readonly string[]) => {
    const back = open.indexOf(path);
    if (back >= 0) found.push([...open.slice(back), path]);
    if (back >= 0 || done.has(path)) return;
    for (const name of importsOf(path, tree.get(path) ?? "")) {
      const other = name?.startsWith(".") ? target(path, name) : "";
      if (tree.has(other)) visit(other, [...open, path]);
    }
    done.add(path);
  };
  for (const path of tree.keys()) visit(path, []);
  return found;
}

function sourceTree(): Tree {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" });
  const modules = files.filter((file) => /\.(ts|tsx|js|mjs)$/.test(file)).sort();
  return new Map(modules.map((file) => [file, readFileSync(join("src", file), "utf8")]));
}

describe("src", () => {
  const tree = sourceTree();

  test("imports downwards only, in no circle, and its two lowest floors reach no Node", () => {
    expect(tree.size).toBeGreaterThan(100);
    expect(faults(tree)).toEqual([]);
  });

  test("has no file of over 300 lines", () => {
    const lines = [...tree].map(([path, source]) => `${path}: ${source.split("\n").length - 1}`);
    expect(lines.filter((line) => Number(line.split(": ")[1]) > 300)).toEqual([]);
  });
});

/** The files that come with a file, itself among them. */
function broughtBy(tree: Tree, path: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const name of importsOf(path, tree.get(path) ?? "")) {
    const other = name?.startsWith(".") ? target(path, name) : "";
    if (tree.has(other)) broughtBy(tree, other, found);
  }
  return found;
}

describe("the face of the supervisor dialect", () => {
  const OURS = /^(?:contract|files|client\/clock|host\/supervisor\/client|host\/process\/places)\b/;
  const SPELLING =
    /^host\/(?:supervisor\/(?:index|messages|operation|result-\w+|session-facts|frozen|whole|exact-json|frames|errors|limits|negotiate)|monitors\/(?:definition|cursor|limits)|frame-body|json-parts)\.ts$/;

  test("brings the client and the spelling of the wire, and nothing of the host", () => {
    const brought = [...broughtBy(sourceTree(), "host/supervisor/index.ts")];
    expect(brought).toContain("host/supervisor/client/link.ts");
    expect(brought.filter((path) => !OURS.test(path) && !SPELLING.test(path))).toEqual([]);
  });
});

describe("the walk of the imports", () => {
  const told = (files: Record<string, string>) =>
    faults(new Map(Object.entries({ "contract/a.ts": "", "time/clock.ts": "", ...files })));

  test("passes what the house allows", () => {
    const house = {
      "client/index.ts": 'import { a } from "../contract/a.ts"; export * from "./fold.ts";',
      "client/fold.ts": 'import type { A } from "../contract/a.ts";',
      "client/node.ts": 'import "node:net"; import "ws"; import "../contract/a.ts";',
      "processes/table.ts": 'import "node:fs"; import "ps-list"; import "../time/clock.ts";',
      "inventory/tmux/pane.ts": 'import "../../processes/table.ts"; import "../../client/node.ts";',
      "cli/main.ts": 'import "../../package.json"; await import("../inventory/tmux/pane.ts");',
      "index.ts": 'export * from "./contract/a.ts";',
      "fixtures.ts":
        'import "../fixtures/x.json"; import type { Static } from "@sinclair/typebox";',
    };
    expect(told(house)).toEqual([]);
  });

  test.each([
    ["a value", 'import { x } from "../server/x.ts";'],
    ["a type", 'import type { X } from "../server/x.ts";'],
    ["a type beside values", 'import { type X } from "../server/x.ts";'],
    ["a type in place", 'export type Y = import("../server/x.ts").X;'],
    ["an import for its effect", 'import "../server/x.ts";'],
    ["a re-export of names", 'export { x } from "../server/x.ts";'],
    ["a re-export of types", 'export type { X } from "../server/x.ts";'],
    ["a re-export of all", 'export * from "../server/x.ts";'],
    ["an import on demand", 'export const x = () => import("../server/x.ts");'],
    ["an import by assignment", 'import x = require("../server/x.ts");'],
  ])("tells of %s from above", (_, source) => {
    expect(told({ "server/x.ts": "", "topics/y.ts": source })).toEqual([
      "topics/y.ts imports upwards: server/x.ts",
    ]);
  });

  test.each([
    ["agents/a.ts", "../inventory/b.ts", "inventory/b.ts"],
    ["client/a.ts", "../time/clock.ts", "time/clock.ts"],
    ["contract/b.ts", "../time/clock.ts", "time/clock.ts"],
    ["contract/b.ts", "../index.ts", "index.ts"],
    ["cli/a.ts", "../index.ts", "index.ts"],
    ["index.ts", "./time/clock.ts", "time/clock.ts"],
  ])("tells that %s imports %s", (path, name, other) => {
    const files = { "inventory/b.ts": "", "index.ts": "", [path]: `import "${name}";` };
    expect(told(files)).toEqual([`${path} imports upwards: ${other}`]);
  });

  test.each([
    ["contract/b.ts", "node:fs"],
    ["client/b.ts", "node:events"],
    ["index.ts", "node:fs"],
    ["contract/b.ts", "ajv"],
    ["client/b.ts", "@sinclair/typebox/value"],
    ["client/node.ts", "pino"],
    ["fixtures.ts", "ajv"],
  ])("tells that %s reaches %s", (path, name) => {
    expect(told({ [path]: `import "${name}";` })).toEqual([`${path} reaches ${name}`]);
  });

  test("tells of a circle, also one of types alone", () => {
    const files = {
      "topics/a.ts": 'import { b } from "./b.ts";',
      "topics/b.ts": 'import type { C } from "./c.ts";',
      "topics/c.ts": 'export type { A } from "./a.ts";',
    };
    expect(told(files)).toEqual(["circle: topics/a.ts > topics/b.ts > topics/c.ts > topics/a.ts"]);
  });

  test("tells of what it cannot follow", () => {
    const files = {
      "attic/a.ts": "",
      "topics/a.ts": "await import(name);",
      "topics/b.ts": 'import "../../test/x.ts";',
      "topics/c.ts": 'import "./gone.ts";',
    };
    expect(told(files)).toEqual([
      "attic/a.ts is in a folder without a floor",
      "topics/a.ts imports what is named only when it runs",
      "topics/b.ts leaves src for ../test/x.ts",
      "topics/c.ts imports topics/gone.ts, which is not there",
    ]);
  });
});
