/** What stands below the options of a command. */
export const SIGNALS = `
Signals:
  SIGTERM, SIGINT  Take all rows back, close every connection (1001) and end.
                   A second signal ends at once.
  SIGHUP           Say that the publisher restarts, close every connection (1012)
                   and end with 0. Rows are kept, and readers that come back by
                   themselves go on, but it does not start itself again: something
                   has to, such as systemd with Restart=always. Closing the window
                   that it runs in sends SIGHUP too: as a service it outlives that.
`;

export const HOST_SIGNALS = `
Signals:
  SIGTERM, SIGINT  End what runs in every terminal, close every connection and end.
                   A second signal ends at once.
  SIGHUP           Put the sockets back where somebody took them away. Terminals stay: they
                   outlive the window in which the host was started.
`;

export const COLUMNS = `
Sections:
  starting    An agent is on its way up: its program runs, and no run is known of it yet.
  attached    An agent runs in it; one that waits for a person says what for.
  unattached  Any other terminal.
  Agents in none of these terminals follow.

The columns TERMINAL and SESSION are shortened for people, and columns are left out where
there is no room for them. FRONT is the program in front where that is another than COMMAND.
--json has everything.
`;

export const LS_DOCUMENT = `
The document of --json:
  terminals, agents       The rows of the topics of these names.
  starting, unattached    [{instance, id}], the terminals in these sections.
  attached                [{instance, id, sids, pids}]: the sessions and the processes of the
                          agents in it, the one that the terminal is about first.
  sources, agent_sources  How the places stand that the rows come from.
  polled_at               When the oldest of the readings behind the terminals ran.
  agents_polled_at        The same for the agents. Left out: agents are not known.
`;

export const ON_EXAMPLE = `
States for --on:
  starting, attached, unattached  A terminal comes into that section.
  waiting                         An agent in a terminal begins to wait for a person.
  any other                       The state of the terminal itself, such as running or dead.
The row that a command gets is the terminal's; for attached and waiting it has the field
agents beside its own, with the rows of the agents that are in it, or that wait.

Examples:
  termtopic watch --on dead -- sh -c 'jq -r .name | xargs notify-send "ended"'
  termtopic watch --on waiting -- jq -r '.name, .agents[0].waiting_for'
`;

export const RULES = `
Which process a row is about, the first of these that there is:
  1  an agent's run in the terminal
  2  the program of an agent in it
  3  the process that the terminal's manager started
The document of --json has what the text has, in the words of the topics where they have one;
publisher in it is what a running publisher states of the terminal, where that is otherwise.
`;

export const FOLDERS = `
Environment:
  TERMTOPIC_STATE_DIR    State folder: the instance's id, the token, which publisher runs.
                         Default: $XDG_STATE_HOME/termtopic, else ~/.local/state/termtopic.
  TERMTOPIC_RUNTIME_DIR  Runtime folder: the Unix sockets of the publisher and, in host/,
                         of the terminal host.
                         Default: $XDG_RUNTIME_DIR/termtopic, else run/ in the state folder.
  NO_COLOR               Not empty: no colours. They are used on a terminal only.
`;

/** Goes on with the environment: FOLDERS stands before it. */
export const HOST_LIMITS = `\
  TERMTOPIC_MAX_TERMINALS, TERMTOPIC_MAX_SESSION_TERMINALS
                         --max-terminals and --max-session-terminals where those are not given,
                         such as for a host that another command starts.
`;

export const EXIT_CODES = `
Exit codes: 0 done, 1 failed, 2 asked wrongly.
`;

/** Of a command that is asked about one terminal. */
export const OWN_EXIT_CODES = `
Exit codes: 0 done, 1 failed, or there is no such terminal or more than one, 2 asked wrongly.
`;
