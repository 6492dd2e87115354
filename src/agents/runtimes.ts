import type { Find } from "./leads.ts";
import { firstOperand, type Options, options } from "./options.ts";

/** What makes a runtime run something else than a script: a text, the standard input, a module, a check, or a question
 * about itself. Options that are not listed have no word of their own as value, which holds for V8's as well. */
const NODE = options(
  `-! -e! --eval! -p! --print! -pe! -i! --interactive! -c! --check! -h! --help! -v! --version!
   --v8-options! --completion-bash! --prof-process! --test! --run! --build-snapshot! --build-sea!
   --experimental-sea-config! -r: --require: --import: --loader: --experimental-loader: -C:
   --conditions: --env-file: --env-file-if-exists: --title: --input-type: --inspect-port:
   --debug-port: --inspect-publish-uid: --watch-path: --watch-kill-signal: --disable-warning:
   --disable-proto: --unhandled-rejections: --redirect-warnings: --dns-result-order:
   --max-http-header-size: --icu-data-dir: --openssl-config: --tls-cipher-list: --tls-keylog:
   --secure-heap: --secure-heap-min: --v8-pool-size: --use-largepages: --diagnostic-dir:
   --report-dir: --report-directory: --report-filename: --report-signal: --cpu-prof-dir:
   --cpu-prof-interval: --cpu-prof-name: --heap-prof-dir: --heap-prof-interval: --heap-prof-name:
   --heapsnapshot-signal: --heapsnapshot-near-heap-limit: --trace-event-categories:
   --trace-event-file-pattern: --trace-require-module: --snapshot-blob: --localstorage-file:
   --allow-fs-read: --allow-fs-write: --experimental-default-type: --experimental-policy:
   --policy-integrity: --security-revert: --network-family-autoselection-attempt-timeout:`,
  "flag",
);

const BUN = options(
  `-! -e! --eval! -p! --print! -h! --help! -v! --version! --revision! -r: --preload: --require:
   --import: --cwd: -c: --config: --env-file: --tsconfig-override: -d: --define: -l: --loader:
   --main-fields: --conditions: --extension-order: --jsx-factory: --jsx-fragment:
   --jsx-import-source: --jsx-runtime: -u: --origin: --port: --shell: -F: --filter: --elide-lines:
   --install: --dns-result-order: --title: --max-http-header-size:`,
  "flag",
);

const BUN_COMMANDS = words(
  `add audit build create exec i info init install link outdated patch pm publish remove repl rm
   test unlink update upgrade why x`,
);

const DENO = options(
  `-! -h! --help! -V! --version! -c: --config: --import-map: --location: --seed: --cert: --ext:
   -L: --log-level: --preload: --require: --import: --conditions:`,
  "flag",
);

const DENO_COMMANDS = words(
  `add audit bench bundle cache check clean compile completions coverage create deploy doc eval fmt
   help i info init install jupyter lint lsp outdated publish remove repl task test types uninstall
   update upgrade vendor x`,
);

/** Of the shells that read POSIX's options: -c runs a text, -s the standard input. */
const SHELL = options(
  "-! -c! -s! -D! --help! --version! -o: -O: --rcfile: --init-file: --emulate:",
  "flag",
);

const PYTHON = options(
  "-! -c! -m! -h! --help! -V! --version! -W: -X: --check-hash-based-pycs:",
  "flag",
);

const PERL = options("-! -e! -E! -c! -v! -V! -h! -I: -0= -C= -D= -F= -i= -l= -M= -m= -x=", "flag");

const RUBY = options(
  "-! -e! -c! -h! --help! -y! --version! -C: -E: -I: -r: -0= -F= -i= -K= -T= -W= -x=",
  "flag",
);

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

function script(rules: Options): Find {
  return (argv, from) => {
    const at = firstOperand(argv, from, rules);
    return at === "ended" ? undefined : at;
  };
}

/** A runtime that is a tool as well: a script stands where its command may, or behind one of those that run it. */
function scriptOrCommand(
  rules: Options,
  runs: readonly string[],
  others: ReadonlySet<string>,
): Find {
  const find = script(rules);
  return (argv, from) => {
    const at = find(argv, from);
    const command = at === undefined ? undefined : argv[at];
    if (at === undefined || command === undefined || others.has(command)) return undefined;
    return runs.includes(command) ? find(argv, at + 1) : at;
  };
}

/** `node inspect` runs the script in another process than its own. */
const node = scriptOrCommand(NODE, [], new Set(["inspect"]));
const shell = script(SHELL);
const python = script(PYTHON);

const FINDS: ReadonlyMap<string, Find> = new Map([
  ["node", node],
  ["nodejs", node],
  ["bun", scriptOrCommand(BUN, ["run"], BUN_COMMANDS)],
  ["deno", scriptOrCommand(DENO, ["run", "serve"], DENO_COMMANDS)],
  ...["sh", "ash", "bash", "dash", "ksh", "mksh", "zsh"].map((name) => [name, shell] as const),
  ["perl", script(PERL)],
  ["ruby", script(RUBY)],
]);

/** Python's interpreters are named by their version too. */
const PYTHON_NAME = /^(?:python|pypy)[\d.]*$/;

/** Where a runtime or an interpreter of that name is told its script. `undefined` for any other program. */
export const runtime = (name: string): Find | undefined =>
  FINDS.get(name) ?? (PYTHON_NAME.test(name) ? python : undefined);
