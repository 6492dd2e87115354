import { attachCommand, shellWords } from "../../contract/attach.ts";
import { copyCommand } from "./copy-command.ts";
import type { TerminalPage } from "./page.ts";

/** The page of a terminal that cannot be shown here: how to get there. */
export function Unsupported({
  page,
  message,
}: {
  readonly page: TerminalPage;
  readonly message: string;
}) {
  const command = attachCommand(page.id);
  return (
    <main class="alone">
      <h1>This terminal cannot be shown here</h1>
      <p>
        <bdi>{message}</bdi>
      </p>
      {command !== undefined && (
        <p>
          From a shell of its host: <code class="mono">{shellWords(command)}</code>{" "}
          <button type="button" onClick={() => void copyCommand(page)}>
            Copy command
          </button>
        </p>
      )}
    </main>
  );
}
