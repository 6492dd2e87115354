import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createProgram } from "../../src/cli/program.ts";

/** The options of a command as a table: what `--help` says, with the defaults apart. */
function optionTable(command: string): string {
  const options = createProgram().commands.find((one) => one.name() === command)?.options ?? [];
  const rows = options.map(({ flags, description, defaultValue }) => {
    const inWords = /^(.*?)(?: \(default: (.*)\))?$/s.exec(description);
    const value = defaultValue === undefined ? (inWords?.[2] ?? "off") : `\`${defaultValue}\``;
    return `| \`${flags}\` | ${inWords?.[1]} | ${value} |`;
  });
  return ["| option | meaning | default |", "| --- | --- | --- |", ...rows].join("\n");
}

test("README.md states the options of `serve` as the command itself does", () => {
  const readme = readFileSync("README.md", "utf8");
  const stated = /<!-- options of serve -->\n\n(.*?)\n*<!-- end -->/s.exec(readme)?.[1];
  expect(stated).toBe(optionTable("serve"));
});
