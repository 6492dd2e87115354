import { shortageFault } from "../../sources/shortage.ts";
import type { Fault } from "../../sources/source.ts";
import type { Answer } from "./ask.ts";

/** What an answer to a listing means.
 *
 * - `listed`: its output is the list, which may be empty.
 * - `no_server`: nothing listens there, for sure. */
export type Verdict =
  | { readonly kind: "listed" }
  | { readonly kind: "no_server" }
  | { readonly kind: "failing"; readonly fault: Fault };

const MESSAGE_CHARACTERS = 200;

/** What tmux says on its error output, and what it means. Exit codes do not tell: some refusals exit with 0
 * and a server without a session exits with 1. A text that is not known here is a failure, never an empty
 * list, and what takes rows away must be all that was said. Texts as of tmux 2.9 to 3.8 (`client.c`, `server-client.c`, `cmd-find.c`). */
const TEXTS: readonly (readonly [RegExp, "empty" | "no_server" | string])[] = [
  [/^no current target$/, "empty"],
  [/^no sessions$/, "empty"],
  [/^no server running on .*$/s, "no_server"],
  [/^error connecting to .* \(No such file or directory\)$/s, "no_server"],
  [/^error connecting to .* \(Connection refused\)$/s, "no_server"],
  [/^error connecting to .* \(Permission denied\)$/s, "permission_denied"],
  [/^error connecting to .* \(File name too long\)$/s, "path_too_long"],
  [/^access not allowed/m, "access_refused"],
  [/has unsafe permissions/m, "unsafe_permissions"],
  [/server version is too old for client/m, "version_mismatch"],
  [/^protocol version mismatch/m, "version_mismatch"],
  [/^lost server/m, "server_lost"],
  [/^server exited unexpectedly/m, "server_lost"],
];

export function verdictOf({ exitCode, stdout, stderr, ended }: Answer): Verdict {
  if (ended === "deadline") return failing("no_answer", "the server did not answer within 2 s");
  if (ended === "too_long") return failing("answer_too_long", "the list is longer than 16 MiB");
  if (ended === "missing") return failing("no_program", "the tmux program is no longer there");
  if (ended === "refused") return failing("no_program", `tmux cannot be run: ${stderr}`);
  if (ended !== undefined) return { kind: "failing", fault: shortageFault(ended, stderr) };
  const [, meaning] = TEXTS.find(([text]) => text.test(stderr)) ?? [];
  if (meaning === "empty") return { kind: "listed" };
  if (meaning === "no_server") return { kind: "no_server" };
  if (meaning !== undefined) return failing(meaning, stderr);
  if (exitCode === 0 && stderr === "") return { kind: "listed" };
  if (exitCode === 0 && stdout.length > 0) return { kind: "listed" };
  return failing(
    "unknown_answer",
    stderr === "" ? `tmux ended with ${exitCode ?? "a signal"}` : stderr,
  );
}

function failing(code: string, msg: string): Verdict {
  return { kind: "failing", fault: { code, msg: msg.slice(0, MESSAGE_CHARACTERS) } };
}
