import type { Launch } from "../pty/launch.ts";

/** A script that becomes the program: the process stays the same, and the program gets its arguments, variables and
 * folder as they are. None of that passes through tmux, which takes no more than 16 KiB of a command. It is gone once
 * it runs: variables may be secrets.
 *
 * \`nice\` changes nothing; it is there because \`env\` takes a program with \`=\` in its path for a variable. */
export function launchScript({ file, args, cwd, env }: Launch): string {
  const variables = Object.entries({ PWD: cwd, ...env }).map(([name, value]) => `${name}=${value}`);
  return [
    'echo "$$" >pid.new && mv pid.new pid',
    'rm -f -- "$0"',
    `cd -P -- ${quoted(cwd)} || exit 126`,
    `exec env -i ${[...variables.map(quoted), '"$(command -v nice)"', "-n", "0", "--", ...[file, ...args].map(quoted)].join(" ")}`,
    "",
  ].join("\n");
}

/** Nothing within single quotes means anything to a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
