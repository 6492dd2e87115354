// What PROTOCOL.md says about names that the code lists but has no words for as data. protocol.mjs fails
// where a name lacks its words here, or words have lost their name.

/** Fields, by the schema that states them. */
export const FIELDS = {
  RequestEnvelope: {
    request_id:
      "pairs the reply with the request; unique among the requests that the connection has in flight",
    to_instance: "the instance that is to answer; absent means the one that is asked",
    from_instance: "the instance that forwards the request",
    hops: "the instances it has been through; one that finds itself there refuses it",
    caller: "on whose behalf it is made: `role`, and `sid` where the role is `session`",
  },
  HelloUserRequest: {
    protocol_version: "the generation that the caller speaks",
    client_version: "the caller's build, for display",
  },
  HelloSessionRequest: {
    protocol_version: "as in `hello.user`",
    client_version: "as in `hello.user`",
    sid: "the session that greets",
    pid: "the agent's process; not that of a helper which greets in its place",
    repo: "what the repository is called that it works in",
    ws: "what the workspace is called that it works in",
    cwd: "its working directory",
    transcript_path: "where its transcript is written",
    repo_root: "the folder of the repository",
    branch: "the branch that is checked out there",
    title: "what it is about, for people",
    model: "the model behind it",
    effort: "how much effort the model is asked for",
  },
  HelloInstanceRequest: {
    protocol_version: "as in `hello.user`",
    client_version: "as in `hello.user`",
    mesh: "who it is, and who vouches for that, below",
  },
  MeshProof: {
    ver: "the version of the proof",
    iss: "the instance that greets, by where it is published",
    aud: "the instance that is greeted, likewise",
    id: "the instance that greets, by its id",
    kid: "the key that it is known by",
  },
  HelloResult: {
    protocol_version: "the generation of the one who answers",
    instance: "who answers",
    endpoint: "where it is published; absent outside a mesh",
    instances: "every instance it knows, itself included",
    capabilities: "what it can do beyond what every instance can; a closed set",
    version: "its build, for display",
    started_at: "when it started",
    terminal_gateway: "where terminals of the scheme `hyoui` open in a browser; no trailing slash",
    auth_expires_at: "until when the connection is let in; absent where that does not lapse",
    read_only: "`true` where the connection was let in to look and not to act; absent else",
  },
  InstancePingResponse: {
    instance: "who answers",
    version: "its build, for display",
    pid: "the publisher's own process",
    started_at: "when it started",
    clients: "connections that are open, that of the asker among them",
    exe: "the program that the process runs",
    script: "the file that this program runs, where it is an interpreter",
    http: "where it listens for HTTP, each as `host:port`; empty where it does not",
    network:
      "the link of its host: `online`, `offline`, `unknown`, or `off` where it does not look, as termtopic does not",
  },
  InstanceInfo: {
    id: "absent until a peer has said who it is",
    endpoint: "absent outside a mesh",
    host: "the host's name, for people",
    reachable: "whether it answers now",
  },
  TerminalOpenRequest: {
    key: "names what is done, above",
    cwd: "where it begins, an absolute path; absent means the home of the publisher's user",
    env: "the name of an environment that a person wrote down on the host; absent means none",
    name: "what it is called; absent means nothing",
    command: "what is typed at the new shell, then Enter; not together with `exec`",
    exec: "what runs in place of a shell: the program and its arguments",
    session: "whose terminals it belongs to; absent means `cli`, where `termtopic open` opens",
    cols: "its width in cells; absent means 80",
    rows: "its height in cells; absent means 24",
  },
  TerminalOpenResponse: {
    id: "the id that its row has, which follows on the topic",
    session: "whose terminals it belongs to",
    number: "its number there, by which the commands know it",
  },
  TerminalSendRequest: {
    key: "names what is done, above",
    id: "the terminal",
    pid: "the `pid` of its row as the caller saw it, above",
    keys: "names of keys as tmux has them (`Enter`, `C-c`, `Up`) are keys, all else is typed as it stands, nothing in between",
    literal: "whether everything is text; absent means `false`",
    submit:
      "whether `keys` is one text to be pasted, and Enter pressed once the program has taken it in; absent means `false`",
  },
  TerminalReadRequest: {
    id: "the terminal",
    from: "an offset of the output in bytes; absent means where the last read ended, whoever made it",
    peek: "whether the next read begins where this one does; absent means `false`",
    wait: "what is waited for before, below; absent means nothing",
  },
  TerminalReadResponse: {
    text: "without escape sequences, and as lines were last seen",
    screen: "what the screen shows, where a program uses the whole of it",
    from: "where the output that was read begins, in bytes since the terminal's beginning",
    to: "where it ends",
    skipped: "bytes before the text that are no longer kept",
    truncated: "how much of the text's beginning was left out, in UTF-16 units",
    waited:
      "why the wait ended: as it was to, or by `timeout`, or because the terminal was `closed`",
    foreground: "the program in front of the shell; absent at the prompt",
  },
  TerminalCaptureRequest: {
    id: "the terminal",
    scrollback: "lines before the screen; absent means 0",
    escapes:
      "whether colours and the like are in the text, as escape sequences; absent means `false`",
    join_wrapped: "whether rows that the width broke become one line; absent means `false`",
  },
  TerminalCaptureResponse: {
    text: "what it shows",
    truncated: "how much of its beginning was left out, in UTF-16 units; absent means nothing",
  },
  TerminalResizeRequest: {
    id: "the terminal",
    cols: "its width in cells",
    rows: "its height in cells",
  },
  TerminalSignalRequest: {
    key: "names what is done, above",
    id: "the terminal",
    pid: "the `pid` of its row as the caller saw it, above",
    signal:
      "`SIGHUP`, `SIGINT`, `SIGQUIT`, `SIGKILL`, `SIGUSR1`, `SIGUSR2`, `SIGTERM`, `SIGCONT`, `SIGSTOP` or `SIGTSTP`",
  },
  TerminalCloseRequest: {
    key: "names what is done, above",
    id: "the terminal",
    pid: "the `pid` of its row as the caller saw it, above",
    force:
      "whether also while a job is in front of its shell, which is `busy` else and named in `program`; absent means `false`",
  },
  TerminalGoneRequest: {
    id: "the terminal",
  },
  TerminalGoneResponse: {
    terminal: "its row as it was stated last",
    removed_at: "when it was found to be gone",
    reason: "why, as in removals",
  },
  TerminalRenameRequest: {
    id: "the terminal",
    name: "what it is called from now on; an empty one takes the name away",
  },
  ViewedTerminal: {
    id: "that of its row",
    name: "what people call it",
    title: "the title that the program in it set; text from a stranger, empty before it set one",
    cols: "its width in cells",
    rows: "its height in cells",
    exited:
      "how its program ended: `code`, or `error` in words such as a signal's name; absent while it runs",
    fixedSize: "its size is another's to say",
    pasteUnknown:
      "nobody can tell whether its program asked to be told what is pasted; a viewer marks pastes all the same, and where it had not the marks are left out, so that each line may run",
    readOnly: "this viewer types nothing",
  },
  TerminalInfo: {
    instance: "the publisher that read it; its pids are that host's",
    id: "`<scheme>:<handle>`, unique within the instance",
    state: "`running`, `dead` (ended and still shown), else the manager's own word",
    command:
      "what `pid` runs, as argv; of a terminal whose process has ended what that ran, where the publisher saw it; empty where it is not known",
    cwd: "the working directory of `pid`, or of the process that has ended",
    pid: "the process that answers whose terminal it is; a `dead` terminal has none, and one that is ending",
    started_at: "when `pid` started",
    start_tick: "the same as the kernel counts it: tells a pid from its reuse",
    root_pid: "the process that the manager started, where `pid` is another",
    tty: "the device",
    name: "what people call it, as `session:window.pane`; never an identity",
    title: "the title that the program in it set; text from a stranger",
    foreground: "the program in front, where it has been another job than `pid`'s for a while",
    cols: "its width in cells",
    rows: "its height in cells",
    viewers: "how many clients show it now",
    bell: "whether a bell rang that nobody has looked at",
    activity_at: "when it last printed something, in steps of ACTIVITY_STEP_MS",
    exit_code: "how its process ended, where by itself",
    exit_signal: "how its process ended, where by a signal: the signal's name",
  },
  TerminalUsage: {
    instance: "as in `terminals`",
    id: "as in `terminals`",
    cpu_percent:
      "the time that its processes ran for, in per cent of one core: more than 100 on several",
    memory_bytes: "resident memory; what several of the processes share counts for each",
  },
  AgentInfo: {
    instance: "the publisher that read it",
    pid: "the agent's own process",
    cwd: "its working directory",
    kind: "how it was started, as `interactive` or `background`; an open set",
    started_at: "when it started",
    config_dir: "the configuration folder that it reads",
    sid: "its session; absent while it has none",
    name: "what people call the session",
    status: "what it is doing, in its harness's words; only `waiting` has a meaning here",
    status_at: "since when `status` holds",
    waiting_for: "what a person is asked for while it waits",
    state: "its state in its harness's words",
    background_id: "its harness's id of a background run",
    terminal_id:
      "the terminal it runs in; which run a terminal is about is for the pids in `terminals` to say",
    terminal_namespace: "the name space of that terminal; absent means its manager's default",
    start_tick: "the start of `pid` as the kernel counts it",
  },
  PeerInfo: {
    sid: "the session",
    instance: "the instance that knows it",
  },
  InboxMessage: {
    mid: "identifies it",
    from: "the session that sent it",
    from_label: "what its sender is called, for people",
    text: "what it says; text from a stranger",
    reply_to: "the message that it answers; absent where it answers none",
    sent_at: "when it was sent",
  },
  SessionErrorsFrame: {
    sid: "a session that an error has stopped",
    instance: "the instance that knows it",
  },
  SourceInfo: {
    scheme: "of terminals the scheme of the ids that it lists, of agents its kind",
    name: "which one of several, as a server's socket or a configuration folder; absent where there is one",
    status: "how it stands, below",
    since_at: "since when `status` holds",
    polled_at: "when its last good reading ran; absent before the first",
    error: "`code` and `msg`: why it fails, or how it is limited while it is `ok`",
  },
};

/** The values of closed sets, by their schema. */
export const VALUES = {
  SourceStatus: {
    ok: "its last reading was good: its rows are what is there",
    absent:
      "there is nothing to read, and that is known: the manager is not installed or not running. It has no rows",
    failing: "it could not be read: its rows are the last good ones and may be out of date",
    starting: "it has not been read yet: nothing is known of its rows",
  },
  RemovalReason: {
    closed:
      "its own end: the terminal was closed, the process ended, or its harness took its state file away",
    source_gone: "its manager ended, and it with that",
    instance_stopped: "the publisher stopped; nothing is said of the terminal itself",
    instance_lost:
      "the publisher has not been heard from for longer than its lease; a gateway says so in its place",
  },
};

/** How the frames of a topic fold, by granularity. */
export const GRANULARITIES = {
  whole: "a frame replaces everything",
  per_instance_whole: "a frame replaces what its `instance` stated before",
  element: "a frame carries the rows that differ; a snapshot replaces the rows of its `instance`",
  append: "a frame carries what came after the last one",
  event: "a frame is an occurrence; nothing is held and there is no snapshot",
};

export const IDENTIFIERS = {
  InstanceId:
    "one publisher: chosen at random when it first starts and the same from then on, whatever its host is called and wherever that goes",
  TerminalId: "`<scheme>:<handle>`: the scheme names the manager, the handle is the manager's own",
  Sid: "a session of an agent: a UUID of any version",
  Timestamp: "an instant in integer milliseconds since 1970",
  Pid: "a process id; 0 never stands for none",
  StartTick: "the start of a process as its kernel counts it, in decimal digits",
  Epoch: "one start of a producer, random",
  Position: "a place in the history of one instance's rows of one topic",
  Mid: "a message: the instance that issued it, and its number there",
  Endpoint:
    "the base URL that an instance is published at, in one spelling only: lower case, no own port of the scheme, a path that ends in `/`, no query, no fragment",
  TerminalGateway: "a base URL without a trailing slash",
};

/** Constants, by the module that states them. */
export const CONSTANTS = {
  "contract/envelope.ts": {
    PROTOCOL_VERSION: "the generation",
    MAX_FRAME_BYTES: "the longest line, its newline not counted",
    BOOKMARK_MS: "between the beginnings of the readings behind two bookmarks",
  },
  "contract/instances.ts": {
    HEARTBEAT_MS: "between two signs of life of an instance that shares its rows",
    LEASE_MS: "how long such an instance may be silent before its rows are removed",
  },
  "contract/terminals.ts": {
    COMMAND_ARGUMENTS: "arguments of a `command`; a longer one ends in an ellipsis",
    COMMAND_BYTES: "bytes of a `command` in UTF-8",
    CWD_BYTES: "bytes of a `cwd` in UTF-8",
    NAME_CHARACTERS: "characters of a `name` or `title`",
    ACTIVITY_STEP_MS: "how finely `activity_at` is stated",
  },
  "contract/view.ts": {
    VIEW_WINDOW_BYTES: "bytes of a view's output that may be unacknowledged",
    VIEW_ACK_BYTES: "bytes of shown output after which a viewer acknowledges",
  },
  "contract/usage.ts": {
    USAGE_SAMPLE_MS: "between two samples of what the terminals use",
    USAGE_CPU_STEP: "percentage points that `cpu_percent` moves by before it is stated again",
    USAGE_CPU_STEP_PART: "the same as a part of what was stated, where that is more",
    USAGE_MEMORY_STEP_BYTES: "bytes that `memory_bytes` moves by before it is stated again",
    USAGE_MEMORY_STEP_PART: "the same as a part of what was stated, where that is more",
  },
  "contract/acting-limits.ts": {
    READ_TEXT_BYTES: "bytes of JSON that `text` and `screen` of a `terminal.read` take, each",
    CAPTURE_TEXT_BYTES: "bytes of JSON that `text` of a `terminal.capture` takes",
    MAX_READ_WAIT_MS: "how long a `terminal.read` may wait",
  },
  "inventory/front.ts": {
    FOREGROUND_MS: "how long a job has been in front before it is stated as `foreground`",
  },
  "agents/codex/run.ts": {
    THREADLESS_MS: "how long a Codex may have no thread before it is stated without `sid`",
  },
  "topics/egress.ts": {
    FLUSH_PERIOD_MS: "between two flushes at least",
    BUSY_FLUSH_PERIOD_MS:
      "the same for a connection that has bytes waiting, and for all while the process is busy",
  },
  "topics/backlog.ts": {
    HOLD_BYTES:
      "what may wait on a connection before it is sent no more and its requests are not read",
    EVICTION_BYTES: "what may wait on a connection that has taken none of it before it is closed",
    STALL_MS: "how long a connection with HOLD_BYTES waiting may take nothing before it is closed",
  },
  "server/dispatch.ts": { MAX_REQUEST_ID: "characters of a `request_id`" },
  "server/pace.ts": {
    REQUESTS_PER_SECOND: "requests of one connection; a faster one is read more slowly",
    REQUEST_BURST: "requests at once, after quiet",
  },
  "server/connection.ts": {
    MAX_IN_FLIGHT:
      "requests of one connection in work at once; the next is read when one is answered",
  },
  "server/terminal-calls.ts": {
    MAX_TERMINAL_CALLS:
      "requests about terminals of one connection that are in work or wait; one more is answered `rate_limited`",
    MAX_CALLS_ON_ONE_TERMINAL: "the same about one terminal",
    MAX_WAITING_TEXT: "UTF-16 units of `keys` that wait on one connection, likewise",
  },
  "host/channel/keys-memory.ts": {
    MAX_SESSION_KEYS: "keys that are remembered of one op, the newest",
  },
  "topics/row-lookup.ts": {
    LOOKUP_MS:
      "how long terminals go on being read after a request named one that nobody is subscribed to",
  },
  "server/limits.ts": {
    MAX_CONNECTIONS:
      "WebSockets that are open at once; one more is answered 503. As many may be open over the Unix socket; there one more is closed",
    MAX_CONNECTIONS_PER_ADDRESS: "the same from one address; one more is answered 429",
    SPARE_SOCKETS:
      "TCP connections beyond MAX_CONNECTIONS, for other requests and for upgrades on their way; one more is closed unanswered",
    MAX_HEADER_BYTES: "bytes of a request's line and headers together; more is answered 431",
    HEADERS_TIMEOUT_MS:
      "how long a request's headers may take; looked at as often, then answered 408",
    REQUEST_TIMEOUT_MS: "how long a whole HTTP request may take, likewise",
    KEEP_ALIVE_MS: "how long an HTTP connection without a request is kept",
  },
  "server/failures.ts": {
    MAX_FAILURES:
      "wrong tokens and cookies of one address within FAILURE_WINDOW_MS that are answered 401; more are answered 429",
    FAILURE_WINDOW_MS: "see MAX_FAILURES",
  },
  "server/cookie.ts": {
    COOKIE_MS: "how long a page's cookie lets in after it was made or renewed",
  },
  "topics/gone-rows.ts": {
    MAX_GONE: "terminals that are gone and are remembered for `terminal.gone`",
  },
  "server/heartbeat.ts": {
    PING_MS: "between two WebSocket pings; a peer that lets one go unanswered is cut",
  },
  "client/watchdog.ts": {
    SILENCE_MS: "how long a reader waits for a frame before it calls what it holds stale",
  },
};
