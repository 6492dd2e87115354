import type { Grant } from "./grant.ts";
import { type Mount, mountArguments } from "./mounts.ts";
import type { Tools } from "./tools.ts";

/** What runs a sandbox, in front of what runs in it. */
export type SandboxCommandLine = readonly [file: string, ...args: string[]];

/** What a sandbox is made of. */
export interface SandboxParts {
  readonly tools: Tools;
  readonly mounts: readonly Mount[];
  readonly grants: readonly Grant[];
  readonly network: boolean;
  /** Where the program starts. */
  readonly cwd: string;
}

/** The first options of those that run before the program, in its process: as long as one is there, keys and signals are
 * dropped. */
const BWRAP_OPTION = "--unshare-user";
const ENV_OPTION = "--default-signal";

/** Whether the process of these arguments drops signals still. */
export const isDeaf = (argv: readonly string[]): boolean =>
  argv.length === 0 || argv[1] === BWRAP_OPTION || argv[1] === ENV_OPTION;

/** bwrap waits for the program in the group that is in front, and would end with all that it holds by a key that the
 * program takes another way. A hangup does end it: with the terminal goes the sandbox. */
const DEAF = `trap '' INT QUIT TERM TSTP TTIN TTOU USR1 USR2 ALRM; exec "$@"`;

/** Ends where a path was exchanged for another after it was looked at: then that is what was mounted. */
const SAME_FILES = `stat=$1 count=$2; shift 2
while [ "$count" -gt 0 ]; do
  if [ "$("$stat" -c %d:%i -- "$2")" != "$1" ]; then
    printf 'termtopic: %s was exchanged for another file; nothing was run\\n' "$2" >&2
    exit 126
  fi
  shift 2
  count=$((count - 1))
done
exec "$@"`;

/** The command line that a program's own follows, to run it in a sandbox. It is bwrap's to the last, and its user
 * namespace is what keeps it from everything that is outside: see SECURITY.md. */
export function sandboxCommandLine(parts: SandboxParts): SandboxCommandLine {
  const { tools, mounts, grants, network, cwd } = parts;
  return [
    "/bin/sh",
    "-c",
    DEAF,
    "sh",
    tools.bwrap,
    ...[BWRAP_OPTION, "--unshare-pid", "--unshare-ipc", ...(network ? [] : ["--unshare-net"])],
    "--die-with-parent",
    // Root would keep all of them, and with them could mount what it likes.
    ...["--cap-drop", "ALL"],
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    // Settings of the kernel are root's to write without any capability.
    ...(process.getuid?.() === 0 ? ["--remount-ro", "/proc"] : []),
    ...mountArguments(mounts),
    // They name folders that are not there.
    ...["--unsetenv", "TMPDIR", "--unsetenv", "XDG_RUNTIME_DIR"],
    ...["--chdir", cwd, "--"],
    // What bwrap does not hear the program does.
    ...[tools.env, ENV_OPTION],
    ...["/bin/sh", "-c", SAME_FILES, "sh", tools.stat, String(grants.length)],
    ...grants.flatMap(({ identity, path }) => [identity, path]),
  ];
}
