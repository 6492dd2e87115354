export const CONDITIONS = `
Conditions, each with what it needs, which may stand without its option:
  exit                            the program has ended
  code      --code <code>         it has ended with this code
  signal    --signal <name>       it was ended by hangup, interrupt, quit, terminate or kill
  contains  --text <text>         its output has this text in it
  match     --text <glob>         the same, where * is any text and ? one character
  quiet     --ms <milliseconds>   no output has come for so long
  screen    --text <glob>         what it shows has this in it
  tcp       --address <host:port> somebody takes connections there
  http      --url <url>           the URL is answered, with whatever status
  exists    --path <path>         it is there
  changed   --path <path>         it has changed, come or gone
  size      --path <path> --bytes <number>
                                  it has so many bytes
  command   --command <command> [--cwd <folder>]
                                  /bin/sh runs it, and it ends with 0
Paths are within the session's workspace and begin there.

Notices, for --notify:
  match     the condition is met for the first time (default)
  change    that, the end of the session, and that the time of --for is over
  exit      the end of the session
  check     each look, or with --checks every so many
  interval  every --interval, whatever there is
`;

export const MONITOR_EXAMPLES = `
Examples:
  termtopic monitor add terminal-n-7c9e --on match --text ERROR
  termtopic monitor add terminal-n-7c9e --on quiet --ms 5000 --notify change --for 3600000
  termtopic monitor add terminal-n-7c9e --on tcp localhost:8080 --every 500
`;

export const SESSIONS = `
A session is named by its id as \`termtopic supervise list\` shows it, with pty: before it or not,
by the beginning of that, of at least 4 characters, or by the tmux: id of its row in \`ls\`.
`;
