import { attachCommand, shellWords } from "../../contract/attach.ts";
import type { TerminalPage } from "./page.ts";

/** Copies the command that shows the terminal from a shell, and says it. */
export async function copyCommand(page: TerminalPage): Promise<void> {
  const command = attachCommand(page.id);
  if (command === undefined) {
    page.note.value = "There is no command that shows this terminal";
    return;
  }
  const text = shellWords(command);
  try {
    await navigator.clipboard.writeText(text);
    const where = page.whose.instance === undefined ? "" : ", for a shell of its host";
    page.note.value = `Copied${where}: ${text}`;
  } catch {
    page.note.value = `The browser does not let it be copied: ${text}`;
  }
}
