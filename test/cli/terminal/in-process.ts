import { vi } from "vitest";
import { run } from "../../../src/cli/program.ts";
import type { Ended } from "../support.ts";

/** Runs a command in this process, by what the program that is shipped does with its arguments: a process of its own takes
 * many times as long as most commands. One at a time. It must not be one that goes on when it is done, or that starts a
 * host, which would be started with the program that runs the tests. */
export async function runHere(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Ended> {
  const before = process.exitCode;
  const outputs = [process.stdout, process.stderr].map(heard);
  for (const [name, value] of Object.entries({ ...NOT_OURS, ...env })) vi.stubEnv(name, value);
  try {
    process.exitCode = undefined;
    await run(args);
    const [stdout = "", stderr = ""] = outputs.map(({ text }) => text());
    return { code: Number(process.exitCode ?? 0), stdout, stderr };
  } finally {
    process.exitCode = before;
    vi.unstubAllEnvs();
    for (const { end } of outputs) end();
  }
}

/** What would lead a command elsewhere. */
const NOT_OURS = { XDG_RUNTIME_DIR: undefined, TERMTOPIC_RUNTIME_DIR: undefined };

function heard(stream: NodeJS.WriteStream) {
  let said = "";
  const write = vi.spyOn(stream, "write").mockImplementation((text) => {
    said += typeof text === "string" ? text : Buffer.from(text).toString();
    return true;
  });
  return { text: () => said, end: () => write.mockRestore() };
}
