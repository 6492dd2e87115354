import { readFileSync } from "node:fs";
import fc from "fast-check";
import { TerminalInfo } from "../../../src/contract/terminals.ts";
import { isValid } from "../../../src/contract/validation.ts";
import type { ObservedTerminal } from "../../../src/inventory/terminal.ts";
import { displayText } from "../../../src/sources/text.ts";
import { INSTANCE } from "./support.ts";

/** What a program printed once. */
export function recorded(name: string): Buffer {
  return readFileSync(new URL(`../recorded/${name}`, import.meta.url));
}

/** JSON of all shapes, with the names given where names are, and now and then the values that are expected. */
export function documents(names: readonly string[]): fc.Arbitrary<string> {
  const key = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...names) }, fc.string());
  const leaf = fc.oneof(
    fc.constantFrom<unknown>(null, true, false, 0, 1, 7, -1, 1.5, 1e300, "", "x", "running"),
    fc.integer(),
    fc.string({ unit: "binary" }),
  );
  const { document } = fc.letrec((tie) => ({
    document: fc.oneof(
      { maxDepth: 5 },
      leaf,
      fc.array(tie("document"), { maxLength: 5 }),
      fc.dictionary(key, tie("document"), { maxKeys: 12 }),
    ),
  }));
  const list = fc.array(fc.dictionary(key, document, { maxKeys: 12 }), { maxLength: 6 });
  return fc.oneof(
    document.map((value) => JSON.stringify(value)),
    list.map((value) => JSON.stringify(value)),
    fc.string({ unit: "binary" }),
  );
}

/** Whether a row could be made of a terminal: as the observation makes them, with texts cleaned. */
export function isStateable({ rootPid, command, ...terminal }: ObservedTerminal): boolean {
  const row = {
    instance: INSTANCE,
    id: terminal.id,
    state: terminal.state,
    command: command ?? [],
    ...(rootPid === undefined ? {} : { pid: rootPid }),
    ...(terminal.cwd === undefined ? {} : { cwd: terminal.cwd }),
    ...(terminal.cols === undefined ? {} : { cols: terminal.cols }),
    ...(terminal.rows === undefined ? {} : { rows: terminal.rows }),
    ...(terminal.viewers === undefined ? {} : { viewers: terminal.viewers }),
    ...(terminal.exitCode === undefined ? {} : { exit_code: terminal.exitCode }),
    ...(terminal.rootStartedAt === undefined ? {} : { started_at: terminal.rootStartedAt }),
  };
  const texts = [terminal.name, terminal.title].map(displayText);
  return isValid(TerminalInfo, row) && texts.every((text) => text !== "");
}
