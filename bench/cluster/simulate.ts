import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import measured from "./scale/measured.json" with { type: "json" };
import { withTables } from "./scale/paper.ts";
import { tablesOf } from "./scale/tables.ts";

const PAPER = fileURLToPath(new URL("../../docs/scale.md", import.meta.url));

/** What more hosts and terminals than can be started here make of work, by the slopes that were measured: prints the tables of
 * docs/scale.md. With WRITE=1 in the environment it puts them there. The same slopes give the same tables. */
export default async function simulate(): Promise<void> {
  const tables = tablesOf(measured);
  for (const [name, table] of tables) console.log(`\n${name}\n${table}`);
  if (process.env["WRITE"] !== "1") return;
  writeFileSync(PAPER, withTables(readFileSync(PAPER, "utf8"), tables));
}
