/** What stands below the options of every operation. */
export const RESULTS = `
With --json the result is one line of JSON, as the wire has it: {"success": {...}}, {"failure": {...}},
or {"kind": "failure", ...} for what is no request of the dialect. docs/supervisor.md says what
is in it. Why something is refused stands on stderr as well, with its code.
`;

export const REQUESTS = `
--request takes the whole operation as JSON, in the words of the wire, and - reads it from the
input. Its "action" may be left out. Options and arguments have no part in it then.
`;

export const STARTING = `
Words of a command are passed to the shell so that they stay words; one word alone is a whole line.
Without a command the shell reads what is written to it. The id of the session is printed, and
with --wait how the wait ended on a second line.

Examples:
  id=$(termtopic supervise start -- make test)
  termtopic supervise start --wait match --pattern 'listening' --timeout 30 -- npm run dev
`;

export const AWAITING = `
What can be waited for:
  exit   What runs in the session has ended, and all its output is there.
  quiet  No output for the time of --quiet, counted from the last.
  match  The output that was not read yet has --pattern in it, which is a text.
Ctrl-C cancels the wait; what runs goes on.
`;

export const WAIT_EXIT_CODES = `
Exit codes: 0 it came, 1 failed or refused, 2 asked wrongly, 3 it did not come in time, 4 the
session ended before, or the wait was cancelled.
`;

export const OPERATION_EXIT_CODES = `
Exit codes: 0 done, 1 failed or refused, 2 asked wrongly.
`;
