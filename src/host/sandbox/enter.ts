import { readlinkSync } from "node:fs";
import { programIn } from "./program.ts";
import { sandboxTools } from "./tools.ts";

/** Runs a command of a shell in its folder, unless this is another sandbox by now, or none. Descriptors of namespaces are
 * not handed on. */
const HERE = `exec 3<&- 4<&- 5<&- 6<&- 7<&- 8<&- 9<&-
[ "$("$1" /proc/self/ns/mnt)" = "$2" ] && cd -- "$3" && exec /bin/sh -c "$4"`;

/** For who is not root bwrap makes a second user namespace within the one that its mounts belong to. No process is in the
 * first; the kernel gives it by a mount namespace (ioctl_ns(2), NS_GET_USERNS). Arguments: the process, and the
 * command line that enters, in which the first stands for its second word. */
const OWNER =
  'my $pid = shift; open my $mounts, "<", "/proc/$pid/ns/mnt" or exit 1; my $fd = ioctl($mounts, 0xb701, 0) or exit 1; open my $owner, "<&=", $fd or exit 1; fcntl($owner, 2, 0); $ARGV[1] = "--user=/proc/self/fd/$fd"; exec @ARGV';

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
  const others = ["--mount", "--pid", "--ipc", ...network, "--preserve-credentials", "--"];
  const { nsenter, perl, readlink } = tools;
  const target = ["--target", String(program)];
  const run = ["--", "/bin/sh", "-c", HERE, "sh", readlink, place, cwd, command];
  const unprivileged = [tools.setpriv, "--no-new-privs"];
  if (perl === undefined) {
    // Whoever enters may do everything there, which root would keep.
    const dropped = ["--bounding-set=-all", "--inh-caps=-all"];
    return [nsenter, ...target, "--user", ...others, ...unprivileged, ...dropped, ...run];
  }
  const first = [perl, "-e", OWNER, String(program), nsenter, "-", ...target, ...others] as const;
  const second = [nsenter, "--target", "1", "--user", "--preserve-credentials", "--"];
  return [...first, ...second, ...unprivileged, ...run];
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
