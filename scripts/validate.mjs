// Builds dist/validate.js: the JSON Schema files as functions, for pages whose content security policy
// lets no code be made from text.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Ajv } from "ajv";
import standaloneCode from "ajv/dist/standalone/index.js";
import { build } from "vite";
import { main, root } from "./lib/run.mjs";
import { loadContract, namedSchemas } from "./schemas.mjs";

/** The module that validate-face.mjs takes the functions from. */
const CHECKS = "virtual:checks";

/** Writes validate.js, which has no import at all, and validate.d.ts beside it. */
export async function buildValidate(folder = join(root, "dist")) {
  const contract = await loadContract();
  mkdirSync(folder, { recursive: true });
  await build({
    root,
    configFile: false,
    logLevel: "error",
    publicDir: false,
    plugins: [checksPlugin(checksCode())],
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: "es2022",
      modulePreload: false,
      rolldownOptions: {
        input: { validate: join(root, "scripts/validate-face.mjs") },
        preserveEntrySignatures: "strict",
        output: { entryFileNames: "[name].js", minify: true },
      },
    },
  });
  const code = readFileSync(join(folder, "validate.js"), "utf8");
  const refused = /\b(?:import|require|eval|Function)\s*[({"'*]/.exec(code);
  if (refused !== null) throw new Error(`validate.js contains \`${refused[0]}\``);
  writeFileSync(join(folder, "validate.d.ts"), declarations(namedSchemas(contract)));
}

function checksPlugin(code) {
  return {
    name: "checks",
    resolveId: (id) => (id === CHECKS ? `\0${CHECKS}` : undefined),
    load: (id) => (id === `\0${CHECKS}` ? code : undefined),
  };
}

/** One function for each schema file, exported under the schema's name. */
function checksCode() {
  // The files use no keyword that the default vocabulary lacks, and that of 2020-12 makes every function
  // keep account of what it has looked at.
  const ajv = new Ajv({
    strict: true,
    strictTypes: true,
    code: { source: true, esm: true, lines: false },
    // A named shape is one function that all others call; inlined, each would be there many times.
    inlineRefs: false,
  });
  const exported = {};
  for (const schema of schemaFiles()) {
    ajv.addSchema(linked(schema));
    exported[schema.$id.split(":").at(-1)] = schema.$id;
  }
  return withOwnLength(standaloneCode.default(ajv, exported));
}

function schemaFiles() {
  const folder = join(root, "schemas");
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")));
}

/** The schema with references to the other files in place of its own copies of their shapes. */
function linked({ $schema: _, $defs: __, ...schema }) {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"urn:termtopic:'));
}

/** The generated code takes the length of a string, which JSON Schema counts in code points, from a
 * module of ajv; here it is a function of its own. */
function withOwnLength(code) {
  const ownLength = "(text) => { let n = 0; for (const _ of text) n += 1; return n; }";
  return code.replace(/require\("ajv\/dist\/runtime\/ucs2length"\)\.default/g, ownLength);
}

function declarations(schemas) {
  const constants = new Map();
  for (const [name, schema] of schemas) constants.set(name, typeOf(name, schema.$id));
  return `import type { Static } from "@sinclair/typebox";
import type * as contract from "./index.js";
import type { ValidationError } from "./index.js";

export type { ValidationError };

/** The type that each schema describes, by the schema's name. */
export interface SchemaTypes {
${[...constants].map(([name, type]) => `  ${name}: ${type};`).join("\n")}
}

export type SchemaName = keyof SchemaTypes;

/** The name of every schema. */
export declare const SCHEMA_NAMES: readonly SchemaName[];

/** Whether the value fits the schema of that name. */
export declare function isValid<Name extends SchemaName>(
  name: Name,
  value: unknown,
): value is SchemaTypes[Name];

/** Where the value does not fit the schema of that name: its first fault, or nothing when it fits. */
export declare function validationErrors(name: SchemaName, value: unknown): ValidationError[];
`;
}

/** The schema's static type as the main export has it: frames and ops by their tables, the others by
 * their name. */
function typeOf(name, id) {
  const [head, tail] = id.split(":");
  if (tail === undefined) return `contract.${name}`;
  return head === "topic"
    ? `Static<(typeof contract.TOPIC_SCHEMAS)["${tail}"]>`
    : `Static<(typeof contract.OP_SCHEMAS)["${head}"]["${tail}"]>`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main(buildValidate);
