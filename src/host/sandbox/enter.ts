import { readlinkSync } from "node:fs";
import { programIn } from "./program.ts";
import { sandboxTools } from "./tools.ts";

/** Runs a command of a shell in its folder, unless this is another sandbox by now, or none. */
const HERE = `[ "$("$1" /proc/self/ns/mnt)" = "$2" ] && cd -- "$3" && exec /bin/sh -c "$4"`;

/** The command line that runs a command in the very sandbox that a bwrap keeps: with its files, processes and network.
 * Undefined where it is not there, or there no more. Rejects where a program is missing. */
export async function commandLineWithin(
  bwrap: number,
  command: string,
  cwd: string,
): Promise<[string, ...string[]] | undefined> {
  const tools = await sandboxTools(process.env["PATH"]);
  const program = programIn(bwrap);
  if (program === undefined) return undefined;
  const place = namespaceOf(program, "mnt");
  if (place === undefined || place === namespaceOf("self", "mnt")) return undefined;
  const network = namespaceOf(program, "net") === namespaceOf("self", "net") ? [] : ["--net"];
  return [
    tools.nsenter,
    ...["--target", String(program), "--user", "--mount", "--pid", "--ipc", ...network],
    "--preserve-credentials",
    "--",
    tools.setpriv,
    "--no-new-privs",
    // Whoever enters may do everything there, which root would keep.
    ...(process.getuid?.() === 0 ? ["--bounding-set=-all", "--inh-caps=-all"] : []),
    "--",
    ...["/bin/sh", "-c", HERE, "sh", tools.readlink, place, cwd, command],
  ];
}

/** Whether a process is a bwrap that keeps another. */
export function isConfined(bwrap: number): boolean {
  const program = bwrap > 0 ? programIn(bwrap) : undefined;
  const place = program === undefined ? undefined : namespaceOf(program, "mnt");
  return place !== undefined && place !== namespaceOf("self", "mnt");
}

/** What a namespace of a process is told by (namespaces(7)). Undefined where it has ended. */
function namespaceOf(pid: number | "self", kind: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/${kind}`);
  } catch {
    return undefined;
  }
}
