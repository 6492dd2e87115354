import { runProgram } from "../../sources/run-program.ts";
import { SandboxRefusal } from "./refusal.ts";

/** How long a sandbox may take, in milliseconds: hundreds of times what it needs on a busy machine. */
const LIMIT_MS = 10_000;
const LIMIT_BYTES = 64 * 1024;

/** Nothing else ends with it. */
const CONFINED = 93;
const PROGRAM = ["/bin/sh", "-c", `[ -w / ] || exit ${CONFINED}`];

/** Proves that a sandbox can be had here, and confines: rejects with a SandboxRefusal where it does not, with what is to
 * be done about it. */
export async function trySandbox(commandLine: readonly string[], path: string): Promise<void> {
  const [program = "", ...args] = [...commandLine, ...PROGRAM];
  const run = {
    program,
    args,
    environment: { PATH: path },
    deadlineMs: LIMIT_MS,
    limitBytes: LIMIT_BYTES,
    leavesNothing: true,
  };
  const { exitCode, stderr, ended } = await runProgram(run, new AbortController().signal);
  if (exitCode === CONFINED && ended === undefined) return;
  const why =
    ended === "deadline" ? `it took over ${LIMIT_MS / 1_000} s` : stderr.split("\n", 1)[0];
  const said = why || `it ended with ${exitCode ?? "a signal"}`;
  throw new SandboxRefusal(`no sandbox can be had here (${said})${advice(said)}`);
}

function advice(said: string): string {
  if (/default-signal/.test(said)) return ": install GNU coreutils 8.31 or newer, for its env";
  if (!/namespace|not permitted|permission denied|creating new|uid map|gid map/i.test(said)) {
    return "";
  }
  return ": bubblewrap needs user namespaces. Allow them (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0), in a container by its security options (Docker: --security-opt seccomp=unconfined --security-opt systempaths=unconfined)";
}
