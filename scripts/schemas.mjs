// Writes schemas/ from the TypeBox source, or with `--check` fails where it is out of date: the contract's files in the
// folder itself, those of a dialect of the host in one of its own.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { filesBelow } from "./lib/files.mjs";
import { main, root } from "./lib/run.mjs";

const KIND = Symbol.for("TypeBox.Kind");

const capitalised = (word) => word.charAt(0).toUpperCase() + word.slice(1);
const pascal = (dotted) => dotted.split(".").map(capitalised).join("");

/** The name of a schema in files, folders and URNs, made of its `$id`: `TerminalInfo` stays,
 * `topic:session.errors` becomes `SessionErrorsFrame`, `hello.user:request` `HelloUserRequest`. */
export function schemaName(id) {
  const [head, tail] = id.split(":");
  if (tail === undefined) return id;
  return head === "topic" ? `${pascal(tail)}Frame` : pascal(head) + capitalised(tail);
}

/** The file of a schema: its name in lower case with dashes, since not every file system tells upper
 * case from lower. */
export function schemaFile(name) {
  return `${name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "-").toLowerCase()}.json`;
}

/** The dialects of the host: the source of each, by the folder that it has below schemas/ and fixtures/. */
export const DIALECTS = {
  channel: "src/host/channel/messages.ts",
  supervisor: "src/host/supervisor/messages.ts",
};

/** Every named schema that the contract or a dialect exports, by name. */
export function namedSchemas(contract) {
  const schemas = new Map();
  const pairs = Object.values(contract.OP_SCHEMAS ?? {}).flatMap(Object.values);
  const frames = Object.values(contract.TOPIC_SCHEMAS ?? {});
  for (const schema of [...Object.values(contract), ...pairs, ...frames]) {
    if (schema?.[KIND] === undefined || schema.$id === undefined) continue;
    const name = schemaName(schema.$id);
    if ((schemas.get(name) ?? schema) !== schema) throw new Error(`two schemas are named ${name}`);
    schemas.set(name, schema);
  }
  return new Map([...schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The JSON Schema document of every named schema, by name. Each stands alone: the named shapes that
 * it uses are under its `$defs`. The schemas of a dialect have its name in their own. */
export function schemaDocuments(contract, dialect) {
  const space = dialect === undefined ? "urn:termtopic" : `urn:termtopic:${dialect}`;
  return new Map(
    [...namedSchemas(contract)].map(([name, schema]) => [
      name,
      document(`${space}:${name}`, schema),
    ]),
  );
}

function document(id, schema) {
  const defs = new Map();
  const body = bodyOf(schema, defs);
  const sorted = [...defs].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: id,
    ...body,
    ...(sorted.length === 0 ? {} : { $defs: Object.fromEntries(sorted) }),
  };
}

/** A schema as JSON without its own name; the named ones inside become references. */
function bodyOf({ $id: _, ...schema }, defs) {
  // The largest is left out: no number of JavaScript says it.
  if (schema[KIND] === "BigInt") return { type: "integer", minimum: Number(schema.minimum) };
  const values = literals(schema);
  if (values !== undefined) return { type: "string", enum: values };
  // A fixed value has its type by itself, and a reader's error is then about the value.
  if (schema.const !== undefined) delete schema.type;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, keywordOf(keyword, value, defs)]),
  );
}

function keywordOf(keyword, value, defs) {
  if (keyword === "anyOf" || keyword === "allOf") return value.map((part) => reference(part, defs));
  if (keyword === "items") return reference(value, defs);
  if (keyword !== "properties") return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, schema]) => [field, reference(schema, defs)]),
  );
}

function reference(schema, defs) {
  if (schema.$id === undefined) return bodyOf(schema, defs);
  const name = schemaName(schema.$id);
  if (!defs.has(name)) {
    // Claimed before its own shapes are walked, which keeps a shape that holds itself from going on forever.
    defs.set(name, undefined);
    defs.set(name, bodyOf(schema, defs));
  }
  return { $ref: `#/$defs/${name}` };
}

/** The values of a union of words. JSON Schema has a keyword of its own for that, and a reader's error
 * is then about the value and not about twenty branches. */
function literals({ anyOf }) {
  return anyOf?.every((branch) => typeof branch.const === "string")
    ? anyOf.map((branch) => branch.const)
    : undefined;
}

/** Loads the contract from its source, so that no build is needed. */
export const loadContract = () => load("src/index.ts");

async function load(source) {
  const { runnerImport } = await import("vite");
  const { module } = await runnerImport(join(root, source), {
    configFile: false,
    logLevel: "error",
  });
  return module;
}

/** The text of every file below schemas/, by its path there. */
async function schemaFiles() {
  const files = textsOf(schemaDocuments(await loadContract()));
  for (const [dialect, source] of Object.entries(DIALECTS)) {
    const texts = textsOf(schemaDocuments(await load(source), dialect));
    for (const [file, text] of texts) files.set(join(dialect, file), text);
  }
  return files;
}

const textsOf = (documents) =>
  new Map(
    [...documents].map(([name, schema]) => [
      schemaFile(name),
      `${JSON.stringify(schema, null, 2)}\n`,
    ]),
  );

async function generate() {
  const folder = join(root, "schemas");
  const files = await schemaFiles();
  const committed = filesBelow(folder).map((path) => relative(folder, path));
  const superfluous = committed.filter((file) => !files.has(file));
  const outdated = [...files.keys()].filter(
    (file) =>
      !committed.includes(file) || readFileSync(join(folder, file), "utf8") !== files.get(file),
  );
  if (process.argv.includes("--check")) {
    const wrong = [...outdated, ...superfluous].sort();
    if (wrong.length === 0) return;
    throw new Error(
      `schemas/ differs from the source in ${wrong.join(", ")}; run \`npm run schemas\``,
    );
  }
  for (const file of outdated) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), files.get(file));
  }
  for (const file of superfluous) rmSync(join(folder, file));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main(generate);
