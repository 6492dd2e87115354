import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { dist, npm, root } from "./support.ts";

const packed: string[] = JSON.parse(
  npm(root, "pack", "--ignore-scripts", "--silent", "--dry-run", "--json"),
)[0]
  .files.map(({ path }: { path: string }) => path)
  .sort();

/** The files below a folder of the project, as the package names them. */
function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

/** The first segments of the packed files below a folder. */
const within = (folder: string) => [
  ...new Set(
    packed
      .filter((path) => path.startsWith(folder))
      .map((path) => path.slice(folder.length).split("/")[0]),
  ),
];

describe("the package", () => {
  test("has these files and folders and no others", () => {
    expect(within("")).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "PROTOCOL.md",
      "README.md",
      "THIRD-PARTY-LICENSES.txt",
      "dist",
      "fixtures",
      "package.json",
      "schemas",
    ]);
    expect(within("dist/")).toEqual([
      "cli",
      "client",
      "contract",
      "dashboard",
      "fixtures.d.ts",
      "fixtures.js",
      "fixtures.js.map",
      "host",
      "index.d.ts",
      "index.js",
      "index.js.map",
      "programs",
      "validate.d.ts",
      "validate.js",
    ]);
    expect(within("dist/cli/")).toEqual(["main.js", "main.js.map"]);
  });

  test("has every schema and every fixture", () => {
    const data = packed.filter((path) => /^(schemas|fixtures)\//.test(path));
    expect(data).toEqual([...filesBelow("fixtures"), ...filesBelow("schemas")]);
  });

  test("has code, its maps and its declarations in dist, and the pages, and nothing else", () => {
    const isPage = (path: string) => path.startsWith("dist/dashboard/");
    const code = packed.filter((path) => path.startsWith("dist/") && !isPage(path));
    expect(code.filter((path) => !/\.(js|js\.map|d\.ts)$/.test(path))).toEqual([]);
    expect(within("dist/dashboard/")).toEqual(["assets", "index.html", "terminal.html"]);
    const assets = packed.filter((path) => path.startsWith("dist/dashboard/assets/"));
    expect(assets.filter((path) => !/-[\w-]{8}\.(js|js\.map|css|svg)$/.test(path))).toEqual([]);
  });

  test("has a command that can be run as it is", () => {
    const command = join(dist, "cli/main.js");
    expect(readFileSync(command, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(statSync(command).mode & 0o111).toBe(0o111);
  });

  test("names no folder of the machine that it was made on", () => {
    const places = [root, `${homedir()}/`];
    const naming = packed.filter((path) => {
      const text = readFileSync(join(root, path), "utf8");
      return (
        places.some((place) => text.includes(place)) || /"sources":\[[^\]]*"(\/|file:)/.test(text)
      );
    });
    expect(naming).toEqual([]);
  });
});

/** The files that the bundles are made of, as their maps tell, by bundle. */
const sources = new Map(
  packed
    .filter((path) => path.endsWith(".js.map"))
    .map((path) => {
      const { sources } = JSON.parse(readFileSync(join(root, path), "utf8")) as {
        sources: string[];
      };
      // What the bundler itself puts in has a name and no file.
      const named = sources.filter((source) => !/\0|__vite-/.test(source));
      return [path, named.map((source) => relative(root, join(root, dirname(path), source)))];
    }),
);

/** The packages that files are of, each once. */
function packagesOf(files: readonly string[]): string[] {
  const names = files.flatMap((file) => {
    const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
    return name === undefined ? [] : [name];
  });
  return [...new Set(names)].sort();
}

/** A program and the chunks that it imports before it begins, and those that these import. */
function atStart(path: string, found = new Set<string>()): string[] {
  if (found.has(path)) return [...found];
  found.add(path);
  const imports = readFileSync(join(root, path), "utf8").matchAll(
    /^(?:import|export) .*?"(\..*?)";$/gm,
  );
  for (const [, name = ""] of imports) atStart(join(dirname(path), name), found);
  return [...found];
}

describe("what the programs have inside", () => {
  const all = [...new Set([...sources.values()].flat())];
  const packages = packagesOf(all);

  test("is there in the project, and none of it is a test", () => {
    expect(all.length).toBeGreaterThan(150);
    expect(all.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    expect(
      all.filter((file) => !/^(src|node_modules|fixtures|package\.json)\b/.test(file)),
    ).toEqual([]);
  });

  test("has fixtures in the module of the fixtures alone", () => {
    const holders = [...sources].filter(([, files]) =>
      files.some((file) => /^(fixtures\/|src\/fixtures\.ts)/.test(file)),
    );
    expect(holders.map(([path]) => path)).toEqual(["dist/fixtures.js.map"]);
  });

  test("is named with its licence", () => {
    expect(packages).toEqual(expect.arrayContaining(["ws", "pino", "prom-client", "commander"]));
    const text = readFileSync(join(root, "THIRD-PARTY-LICENSES.txt"), "utf8");
    const named = [...text.matchAll(/^(\S+) \d+\.\d+\.\d+\S* \(.+\)$/gm)].map((match) => match[1]);
    expect(named).toEqual(packages);
  });

  test("is loaded when it is needed: to explain itself the command takes its parser and its colours alone", () => {
    const files = atStart("dist/cli/main.js").flatMap((path) => sources.get(`${path}.map`) ?? []);
    expect(packagesOf(files)).toEqual(["commander", "picocolors"]);
  });

  test("is the schema library in the command, and not where others import us: there it is a dependency", () => {
    expect(packages).toContain("@sinclair/typebox");
    for (const face of [
      "dist/host/index.js",
      "dist/host/supervisor/index.js",
      "dist/client/node.js",
      "dist/fixtures.js",
    ]) {
      const files = atStart(face).flatMap((path) => sources.get(`${path}.map`) ?? []);
      expect(files.length).toBeGreaterThan(0);
      expect(packagesOf(files)).not.toContain("@sinclair/typebox");
    }
  });
});
