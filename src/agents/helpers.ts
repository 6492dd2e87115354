import type { HARNESS_COMMANDS } from "../contract/derivations.ts";
import { firstOperand, type Options, options } from "./options.ts";
import type { Program } from "./program.ts";

/** How a harness is started for something else than a session. */
interface Modes {
  /** Its options. Those after which nothing follows make it answer a question, or one of its own workers. */
  readonly options: Options;
  /** Its subcommands that run no session. */
  readonly subcommands: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** As of Claude Code 2.1 and Codex 0.171. What an option that is not known here has behind it may be its value, and
 * is no subcommand. */
const MODES: Readonly<Record<(typeof HARNESS_COMMANDS)[number], Modes>> = {
  claude: {
    options: options(
      `-v! --version! -h! --help! --bg-spare! --bg-pty-host! --ripgrep! --mcp-cli!
       --chrome-native-host! --claude-in-chrome-mcp! --computer-use-mcp!
       -c --continue -p --print --verbose --ide --chrome --no-chrome --bare --bg --background --init
       --fork-session --strict-mcp-config --disable-slash-commands --include-partial-messages
       --replay-user-messages --no-session-persistence --dangerously-skip-permissions
       --allow-dangerously-skip-permissions
       -n: --name: --model: --fallback-model: --effort: --agent: --agents: --session-id: --settings:
       --setting-sources: --system-prompt: --system-prompt-file: --append-system-prompt:
       --append-system-prompt-file: --input-format: --output-format: --json-schema: --max-turns:
       --max-budget-usd: --permission-mode: --permission-prompt-tool: --plugin-dir: --debug-file:
       -r? --resume? --from-pr? -w? --worktree? -d? --debug? --remote? --remote-control? --teleport?
       --add-dir* --allowedTools* --allowed-tools* --disallowedTools* --disallowed-tools* --tools*
       --mcp-config* --betas* --file*`,
      "optional",
    ),
    subcommands: words(
      `agents attach auth auto-mode bg-pty-host bg-spare completion config daemon doctor gateway help
       install kill logs mcp migrate-installer plugin plugins project rc remote-control respawn rm
       setup-token stop ultrareview update upgrade`,
    ),
  },
  codex: {
    options: options(
      `-V! --version! -h! --help! --codex-run-as-apply-patch! --codex-run-as-fs-helper!
       --oss --full-auto --search --yolo --no-alt-screen --dangerously-bypass-approvals-and-sandbox
       -c: --config: -m: --model: -p: --profile: -s: --sandbox: -a: --ask-for-approval: -C: --cd:
       --add-dir: --enable: --disable: --local-provider: --remote: --remote-auth-token-env:
       -i* --image*`,
      "optional",
    ),
    subcommands: words(
      `a app app-server apply archive cloud cloud-tasks completion debug delete doctor exec-server
       execpolicy features help login logout mcp mcp-server migrate-rollouts p plugin proto
       remote-control responses-api-proxy sandbox stdio-to-uds unarchive update`,
    ),
  },
};

const BY_NAME: ReadonlyMap<string, Modes> = new Map(Object.entries(MODES));

/** Whether a program runs as a helper of a harness, or answers a question and ends: never as a session. Only what
 * stands in front of a prompt says so; in the prompt the same words are words. */
export function isHelper(program: Program): boolean {
  const modes = BY_NAME.get(program.name);
  if (modes === undefined) return false;
  if (firstOperand(program.command, 1, modes.options) === "ended") return true;
  return modes.subcommands.has(subcommandOf(program) ?? "");
}

/** What a harness was told to do: its subcommand, else the first word of the prompt. `undefined` where it was told
 * nothing, or no subcommand can stand. */
export function subcommandOf({ name, command }: Program): string | undefined {
  const modes = BY_NAME.get(name);
  const at = modes === undefined ? undefined : firstOperand(command, 1, modes.options);
  // Behind `--` everything is the prompt.
  const isNone = at === undefined || at === "ended" || command[at - 1] === "--";
  return isNone ? undefined : command[at];
}
