/** A command as it is typed at a shell: one word as it stands, since it may be a whole line; several so that the shell
 * sees the same words. */
export function commandLine(command: readonly string[]): string {
  const [only = "", ...others] = command;
  return others.length === 0 ? only : command.map(quoted).join(" ");
}

const quoted = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
