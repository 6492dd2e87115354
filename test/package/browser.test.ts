import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { build, type Rolldown } from "vite";
import { beforeAll, describe, expect, test } from "vitest";
import { TERMINALS_CHANGE_FRAME, TERMINALS_FRAME } from "../../src/fixtures.ts";
import { root } from "./support.ts";

/** Bundles a page's module for browsers as one script, whose exports are in the variable `page`. */
async function bundled(source: string): Promise<string> {
  const entry = "\0entry";
  const result = await build({
    root,
    configFile: false,
    logLevel: "error",
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === "entry" ? entry : undefined),
        load: (id) => (id === entry ? source : undefined),
      },
    ],
    build: {
      write: false,
      target: "es2022",
      rolldownOptions: {
        input: "entry",
        preserveEntrySignatures: "strict",
        output: { format: "iife", name: "page" },
        // A module of Node's would be replaced by an empty one with a warning.
        onwarn: ({ message }) => {
          throw new Error(message);
        },
      },
    },
  });
  const { output } = result as Rolldown.RolldownOutput;
  expect(output.map((part) => part.type)).toEqual(["chunk"]);
  return output[0].code;
}

/** What a page has of its own beside the language. Nothing here comes from Node. */
const surroundings = () => ({ frames: JSON.stringify([TERMINALS_FRAME, TERMINALS_CHANGE_FRAME]) });

const PAGE = `
import * as contract from "termtopic";
import * as client from "termtopic/client";
import * as validate from "termtopic/validate";
export { contract, client, validate };
`;

/** Does a page's work in the words of the language alone, and answers in JSON. */
const WORK = `
const { contract, client, validate } = page;
const [snapshot, change] = JSON.parse(frames);
const wrong = { ...snapshot, instance: "x" };
JSON.stringify({
  byTypeBox: [snapshot, change, wrong].map((frame) => contract.isValid(contract.TOPIC_SCHEMAS.terminals, frame)),
  bySchemaFiles: [snapshot, change, wrong].map((frame) => validate.isValid("TerminalsFrame", frame)),
  faults: validate.validationErrors("TerminalsFrame", wrong).map(({ path }) => path),
  starting: contract.starting(snapshot.data.terminals, []).map(({ id }) => id),
  transport: typeof client.webSocketTransport("http://127.0.0.1:7117/").connect,
});
`;

describe("the package in a browser", () => {
  let code: string;
  beforeAll(async () => {
    code = await bundled(PAGE);
  });

  test("is bundled without a module of Node's and without anything to load", () => {
    expect(code).not.toMatch(/\bnode:|\brequire\s*\(|\bimport\s*\(|\bprocess\.|\bBuffer\b/);
  });

  test.each([
    ["where code may be made from text", true],
    ["under a policy that forbids it", false],
  ])("works with nothing of Node around it, %s", (_, strings) => {
    const context = createContext(surroundings(), { codeGeneration: { strings, wasm: strings } });
    runInContext(code, context);
    expect(JSON.parse(runInContext(WORK, context))).toEqual({
      byTypeBox: [true, true, false],
      bySchemaFiles: [true, true, false],
      faults: ["/instance"],
      starting: [TERMINALS_FRAME.data.terminals[0]?.id],
      transport: "function",
    });
  });
});

test("the validator without eval is under 19 KiB compressed, and needs no TypeBox", async () => {
  const code = await bundled('export { isValid } from "termtopic/validate";');
  expect(code).not.toContain("TypeBox");
  expect(gzipSync(code).length).toBeLessThan(19 * 1024);
});
