// Writes the tables and examples of PROTOCOL.md from the code and the fixture files, or with `--check`
// fails where they differ.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { main, root } from "./lib/run.mjs";
import { CONSTANTS, FIELDS, GRANULARITIES, IDENTIFIERS, VALUES } from "./protocol-words.mjs";
import { schemaDocuments, schemaFile } from "./schemas.mjs";

const code = (text) => `\`${text}\``;
const codes = (list) => list.map(code).join(", ");

function table(columns, rows) {
  const line = (cells) =>
    `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n");
}

/** The words for each name, which have to be those names and no others. */
function worded(what, names, words) {
  const unknown = Object.keys(words).filter((name) => !names.includes(name));
  const silent = names.filter((name) => words[name] === undefined);
  if (unknown.length === 0 && silent.length === 0) return names.map((name) => [name, words[name]]);
  throw new Error(
    `protocol-words.mjs: ${what} lacks ${silent.join(", ") || "nothing"} and has words for ${unknown.join(", ") || "nothing"} too many`,
  );
}

/** What a connection may do that was let in to look and not to act. */
const READ_ONLY = { allowed: "yes", peek: "with `peek`", refused: "no" };

/** The parts of the document that are made, by the name in their marker. */
export function protocolParts({ contract, closeCodes, constants }) {
  const documents = schemaDocuments(contract);
  return {
    errors: table(
      ["code", "when", "worth repeating"],
      Object.entries(contract.ERROR_MEANINGS).map(([name, { when, retry }]) => [
        code(name),
        when,
        retry,
      ]),
    ),
    "error reasons": table(
      ["reason", "meaning"],
      Object.entries(contract.ERROR_REASONS).map(([name, meaning]) => [code(name), meaning]),
    ),
    ops: table(
      ["op", "roles", "greeting", "read-only", "codes it may be answered with"],
      Object.entries(contract.OP_ATTRIBUTES).map(([op, { roles, needs_hello, read_only }]) => [
        code(op),
        roles.join(", "),
        needs_hello ? "needed" : "not needed",
        READ_ONLY[read_only ?? "allowed"],
        codes(contract.opErrors(op)),
      ]),
    ),
    topics: table(
      ["topic", "roles", "capability", "granularity"],
      Object.entries(contract.TOPIC_ATTRIBUTES).map(
        ([kind, { roles, capability, granularity }]) => [
          code(fullName(contract, kind)),
          roles.join(", "),
          capability === undefined ? "" : code(capability),
          code(granularity),
        ],
      ),
    ),
    granularities: table(
      ["granularity", "fold"],
      worded("granularities", [...contract.TOPIC_GRANULARITIES], GRANULARITIES).map(
        ([name, fold]) => [code(name), fold],
      ),
    ),
    rows: table(
      ["topic", "the rows are", "and one is identified by"],
      Object.entries(contract.ROW_TOPICS).map(([kind, { field, key }]) => [
        code(kind),
        code(field === undefined ? "data" : `data.${field}`),
        key === undefined ? "nothing: the list is whole" : codes(key),
      ]),
    ),
    "close codes": table(
      ["code", "reason", "when"],
      Object.entries(closeCodes).map(([name, { code: number, when }]) => [
        number,
        code(name),
        when,
      ]),
    ),
    constants: table(
      ["constant", "value", "meaning"],
      Object.entries(CONSTANTS).flatMap(([file, words]) =>
        Object.entries(words).map(([name, meaning]) => {
          const value = constants[file][name];
          if (value === undefined) throw new Error(`src/${file} exports no ${name}`);
          return [code(name), value.toLocaleString("en").replaceAll(",", " "), meaning];
        }),
      ),
    ),
    identifiers: table(
      ["name", "shape", "what it is"],
      Object.entries(IDENTIFIERS).map(([name, words]) => [
        code(name),
        shapeOf(documents.get(name)),
        words,
      ]),
    ),
    ...parts("fields", FIELDS, (name, words) => fieldTable(documents.get(name), name, words)),
    ...parts("values", VALUES, (name, words) =>
      table(
        ["value", "meaning"],
        worded(name, documents.get(name).enum, words).map(([value, meaning]) => [
          code(value),
          meaning,
        ]),
      ),
    ),
  };
}

const parts = (kind, all, made) =>
  Object.fromEntries(
    Object.entries(all).map(([name, words]) => [`${kind} ${name}`, made(name, words)]),
  );

const fullName = ({ SESSION_SCOPED_TOPICS, NAMESPACE_SCOPED_TOPICS }, kind) => {
  if (SESSION_SCOPED_TOPICS.includes(kind)) return `${kind}:<sid>`;
  return NAMESPACE_SCOPED_TOPICS.includes(kind) ? `${kind}:<namespace>` : kind;
};

/** The shape of a scalar; one that is too long to be read in a table is named. */
function shapeOf({ $id, type, pattern, minimum, maximum }) {
  if (pattern === undefined) return `${type} from ${minimum} to ${maximum}`;
  return pattern.length > 80 ? code(`schemas/${schemaFile($id.split(":").at(-1))}`) : code(pattern);
}

function fieldTable(document, name, words) {
  const { properties, required = [] } = ownPart(document);
  const rows = worded(name, Object.keys(properties), words).map(([field, meaning]) => [
    code(field),
    typeOf(properties[field]),
    required.includes(field) ? "yes" : "",
    meaning,
  ]);
  return table(["field", "type", "required", "meaning"], rows);
}

/** What a schema states itself, without its envelope; of a frame its rows. */
function ownPart(document) {
  const own = document.allOf?.[1] ?? document;
  const { data } = own.properties;
  return data === undefined ? own : Object.values(data.properties)[0].items;
}

function typeOf({ $ref, const: only, type, items, minimum, maximum }) {
  if (only !== undefined) return code(JSON.stringify(only));
  if ($ref !== undefined) return $ref.slice("#/$defs/".length);
  if (items !== undefined) return `list of ${typeOf(items)}`;
  return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
    ? `${type}${minimum === undefined ? "" : ` from ${minimum}`}`
    : `${type} from ${minimum} to ${maximum}`;
}

/** The document with its made parts made anew. */
export function renderProtocol(text, made) {
  const unused = new Set(Object.keys(made));
  const rendered = text.replace(
    /<!-- (table|example): (.+?) -->\n.*?<!-- end -->/gs,
    (_, kind, name) => {
      unused.delete(name);
      const body = kind === "example" ? example(name) : made[name];
      if (body === undefined) throw new Error(`PROTOCOL.md: there is no table \`${name}\``);
      return `<!-- ${kind}: ${name} -->\n\n${body}\n\n<!-- end -->`;
    },
  );
  if (unused.size > 0) throw new Error(`PROTOCOL.md lacks the tables ${[...unused].join(", ")}`);
  return rendered;
}

function example(name) {
  const json = readFileSync(join(root, "fixtures", name), "utf8");
  return `\`fixtures/${name}\`:\n\n\`\`\`json\n${json}\`\`\``;
}

/** What the tables are made of, from the source. */
export async function protocolFacts() {
  const { runnerImport } = await import("vite");
  const load = async (file) => {
    const options = { configFile: false, logLevel: "error" };
    return (await runnerImport(join(root, "src", file), options)).module;
  };
  const files = Object.keys(CONSTANTS);
  const loaded = await Promise.all(files.map(load));
  return {
    contract: await load("index.ts"),
    closeCodes: (await load("server/close-codes.ts")).CLOSE_CODES,
    constants: Object.fromEntries(files.map((file, index) => [file, loaded[index]])),
  };
}

async function generate() {
  const file = join(root, "PROTOCOL.md");
  const text = readFileSync(file, "utf8");
  const rendered = renderProtocol(text, protocolParts(await protocolFacts()));
  if (rendered === text) return;
  if (process.argv.includes("--check")) {
    throw new Error(
      "PROTOCOL.md differs from the code or the fixtures; run `node scripts/protocol.mjs`",
    );
  }
  writeFileSync(file, rendered);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main(generate);
