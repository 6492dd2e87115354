import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { protocolFacts, protocolParts, renderProtocol } from "../../scripts/protocol.mjs";
import { OP_NAMES } from "../../src/index.ts";

const text = readFileSync("PROTOCOL.md", "utf8");
const parts = protocolParts(await protocolFacts());

describe("PROTOCOL.md", () => {
  test("has the tables that the code gives and the examples that the fixture files are", () => {
    expect(renderProtocol(text, parts)).toBe(text);
  });

  test("is refused where it leaves a table out", () => {
    const without = text.replace("<!-- table: errors -->", "");
    expect(() => renderProtocol(without, parts)).toThrow("errors");
  });

  test("names no constant that is not in its table of limits", () => {
    const named = new Set(
      text.match(/\b[A-Z]+(?:_[A-Z]+)*_(?:MS|BYTES|VERSION|ID|SECOND|BURST)\b/g),
    );
    const table = parts["constants"] ?? "";
    expect([...named].filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
  });

  test("names every op, and each in its own code", () => {
    for (const op of OP_NAMES) expect(parts["ops"], op).toContain(`| \`${op}\` |`);
  });

  test("names no fixture or schema file that is not there", () => {
    const files = text.match(/\b(?:fixtures|schemas)\/[\w/-]+\.json/g) ?? [];
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) expect(() => readFileSync(file), file).not.toThrow();
  });
});
