import { DEFAULT_SESSION } from "../../contract/acting-limits.ts";
import { DETACH_KEYS } from "./typing.ts";

const NAMED = `
A terminal is named by
  its id      as \`termtopic ls\` shows it, pty:..., or the beginning of it
  its number  in its session: the lowest that was free when it was opened
  its name    where one terminal alone has it
Without --session those of the session "${DEFAULT_SESSION}" come first, in which \`termtopic open\` opens
terminals, then those of every other session.`;

/** What stands below the options of the commands on terminals of the host. */
export const TARGETS = `${NAMED} Only terminals that termtopic opened are taken.
`;

/** What stands below those of commands on panes of tmux as well. */
export const TARGETS_AND_PANES = `${NAMED} After those come panes of tmux,
by their id, tmux:..., or their name as \`termtopic ls\` shows them.
`;

export const OPEN_EXAMPLES = `
The command is typed at a new shell, which stays when it has ended. With --exec there is no
shell: the terminal ends with the command. Opened from a terminal it is shown there, until it is
left (${DETACH_KEYS}, see \`termtopic attach --help\`); when what runs in it ends while it is shown, it is
closed. Elsewhere its id is printed, and it stays until it is closed.

Examples:
  termtopic open
  termtopic open --name agent --exec -- claude --resume
  id=$(termtopic open --detach -- make test) && termtopic wait "$id" quiet
`;

export const DETACHING = `
Leaving:
  The keys of --detach-keys, one after the other. Their first one twice types it once. The
  terminal goes on, and so it does when the window is closed that it is shown in.
  Ended programs leave their terminal, which stays until it is closed.
`;

export const KEYS = `
Keys are named as in tmux: Enter, Escape, Tab, BTab, Space, BSpace, DC, IC, Up, Down, Left, Right,
Home, End, PPage, NPage, F1 to F12, with C-, M- and S- before them or before a character, as in
C-c. What names no key is typed as it stands, with nothing between the words. Words that begin
with a dash come after --.

Examples:
  termtopic send agent 'make test' Enter
  termtopic send agent --submit 'Fix the failing test.'
`;

export const WAITING = `
What can be waited for:
  quiet  No output for the time of --quiet.
  exit   What runs in the terminal has ended, and all its output is there.
  match  The output since the last read, as text, has --pattern in it.
`;

export const WAIT_EXIT_CODES = `
Exit codes: 0 it came, 1 it did not in time, or failed, 2 asked wrongly.
`;
