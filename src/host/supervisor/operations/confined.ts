import type { SandboxCommandLine } from "../../sandbox/command-line.ts";
import { parseProfile, type SandboxProfile } from "../../sandbox/profile.ts";
import { SandboxRefusal } from "../../sandbox/refusal.ts";
import type { Confinement, Sandboxes } from "../../sandbox/sandbox.ts";
import { OperationError } from "../errors.ts";
import type { Operation } from "../operation.ts";

/** What a session that is to be confined may do. Undefined where it is to run free. Throws an OperationError where it is not
 * known what was meant. */
export function profileOf({
  sandbox_profile: text,
}: Pick<Operation<"start">, "sandbox_profile">): SandboxProfile | undefined {
  if (text == null) return undefined;
  try {
    return parseProfile(text);
  } catch (error) {
    throw unsupported(error);
  }
}

/** What runs a program confined. Rejects with an OperationError where that cannot be had: a program that was to be confined
 * never runs free. */
export async function sandboxFor(
  confinement: Confinement,
  sandboxes: Sandboxes,
): Promise<SandboxCommandLine> {
  try {
    return await sandboxes.commandLine(confinement);
  } catch (error) {
    throw unsupported(error);
  }
}

function unsupported(error: unknown): unknown {
  if (!(error instanceof SandboxRefusal)) return error;
  return new OperationError("unsupported_host", error.message);
}
