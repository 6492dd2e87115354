import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { harnessOf, isHelper, programOf } from "../../src/agents/harness.ts";
import { PREFIXES } from "../../src/agents/prefixes.ts";
import { PACKAGE_RUNNERS } from "../../src/agents/runners.ts";

const VERSION_FILE = "/home/me/.local/share/claude/versions/2.1.3";
const NPM_FILE = "/usr/lib/node_modules/@anthropic-ai/claude-code/bin/claude.exe";
const NODE = "/usr/bin/node";

/** An argv as it is typed; what has spaces in it is written as a list. */
const argvOf = (command: string | readonly string[]) =>
  typeof command === "string" ? command.split(" ") : [...command];

const stated = (command: string | readonly string[], exe?: string) =>
  harnessOf(argvOf(command), exe)?.command.join(" ");

describe("a harness is recognised", () => {
  test.each([
    // As itself.
    ["claude", "claude"],
    ["codex", "codex"],
    ["claude --resume 4711", "claude --resume 4711"],
    ["/usr/local/bin/claude -c", "claude -c"],
    ["./codex", "codex"],
    ["-claude", "claude"],
    [".claude-unwrapped -p", "claude -p"],
    ["/nix/store/abc-codex/bin/codex-raw", "codex"],
    ["/nix/store/abc/bin/.claude-wrapped_", "claude"],
    [`${NPM_FILE} --model opus`, "claude --model opus"],
    ["claude.js", "claude"],
    // By where it is installed.
    [`${VERSION_FILE} -c`, "claude -c"],
    ["/home/me/.claude/remote/ccd-cli/2.1.3", "claude"],
    ["/home/me/.local/share/claude/versions/2.2.0-beta.1", "claude"],
    ["node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js -p hi", "claude -p hi"],
    ["node /x/node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs", "claude"],
    ["node /x/node_modules/@openai/codex/bin/codex.js exec do", "codex exec do"],
    // Behind runtimes.
    ["node /usr/bin/claude", "claude"],
    ["nodejs --no-warnings --max-old-space-size=4096 /usr/bin/claude -c", "claude -c"],
    ["node -r ./hook.js --import tsx --loader x -C dev /usr/bin/claude", "claude"],
    ["node --env-file=.env --inspect -- /usr/bin/claude", "claude"],
    ["bun /opt/bin/claude", "claude"],
    ["bun --cwd /x run /opt/bin/claude.mjs -c", "claude -c"],
    ["bun run claude", "claude"],
    ["deno run -A --config deno.json /opt/bin/codex.mjs", "codex"],
    ["deno run -A npm:@openai/codex@0.171.0 resume", "codex resume"],
    ["deno /opt/bin/claude.js", "claude"],
    // Behind interpreters.
    ["/bin/bash /home/me/bin/claude --resume", "claude --resume"],
    ["/bin/sh -eu /home/me/bin/codex", "codex"],
    ["bash -o pipefail --norc /x/claude", "claude"],
    ["bash -euo pipefail /x/claude", "claude"],
    ["zsh -f /x/claude", "claude"],
    ["dash /x/claude", "claude"],
    ["/usr/bin/python3.12 -uW ignore /x/claude", "claude"],
    ["perl -w -I lib -MPOSIX /x/codex", "codex"],
    ["ruby -Ilib -r json /x/claude", "claude"],
    // Behind commands that lead to it.
    ["env -i -u FOO PATH=/bin TERM=xterm claude -c", "claude -c"],
    ["/usr/bin/env - A=b node /usr/bin/claude", "claude"],
    ["sudo -u me -E HOME=/root claude", "claude"],
    ["sudo -nHu me -- claude -c", "claude -c"],
    ["sudo --user=me --preserve-env=PATH claude", "claude"],
    ["doas -n -u me claude", "claude"],
    ["timeout -k 5 --signal=INT 1h claude", "claude"],
    ["timeout --foreground 10 codex exec hi", "codex exec hi"],
    ["nice claude", "claude"],
    ["nice -n -5 claude", "claude"],
    ["nice -19 claude", "claude"],
    ["ionice -c3 claude", "claude"],
    ["ionice -c 2 -n 7 claude", "claude"],
    ["nohup claude", "claude"],
    ["setsid -cw claude", "claude"],
    ["stdbuf -oL -e 0 claude", "claude"],
    ["/usr/bin/time -v -o times claude", "claude"],
    ["chrt -b 0 claude", "claude"],
    ["taskset -c 0-3 claude", "claude"],
    ["taskset 0x3 claude", "claude"],
    ["caffeinate -dims -t 3600 claude", "claude"],
    ["command claude", "claude"],
    ["exec -a x claude", "claude"],
    ["mise exec node@22 -- claude -c", "claude -c"],
    ["mise -C /x x -- codex", "codex"],
    ["direnv exec . claude", "claude"],
    ["asdf exec claude", "claude"],
    // By package.
    ["npx @anthropic-ai/claude-code", "claude"],
    ["npx -y @anthropic-ai/claude-code@latest --resume", "claude --resume"],
    ["npx --yes @openai/codex@0.171.0 exec hi", "codex exec hi"],
    ["npx -p @anthropic-ai/claude-code claude -c", "claude -c"],
    ["node /usr/bin/npx @openai/codex", "codex"],
    ["node /usr/lib/node_modules/npm/bin/npx-cli.js @anthropic-ai/claude-code", "claude"],
    ["npm exec -- @openai/codex", "codex"],
    ["npm --silent x @anthropic-ai/claude-code -- -c", "claude -- -c"],
    ["bunx --bun @openai/codex", "codex"],
    ["bun x @anthropic-ai/claude-code", "claude"],
    ["pnpm dlx @anthropic-ai/claude-code", "claude"],
    ["pnpm -C /x exec claude", "claude"],
    ["pnpm exec /x/claude", "claude"],
    ["node /x/pnpm.cjs dlx --package=@openai/codex codex", "codex"],
    ["yarn dlx -q @openai/codex", "codex"],
    // Nested.
    ["sudo env A=1 timeout 5 nice -n 5 node /usr/bin/claude -c", "claude -c"],
    ["/bin/sh /x/mise exec -- npx @openai/codex", "codex"],
    ["env env env env env env env claude", "claude"],
  ])("%s is stated as %s", (command, expected) => {
    expect(stated(command)).toBe(expected);
  });

  test.each([
    ["under a title that is its name", ["claude"], NODE, "claude"],
    ["under a title with options", ["claude --resume 4711"], NODE, "claude --resume 4711"],
    ["under its version", ["2.1.3"], VERSION_FILE, "claude"],
    ["under its version and arguments", ["2.1.3", "-c"], VERSION_FILE, "claude -c"],
    ["under a link named by its version", ["/opt/2.1.3"], VERSION_FILE, "claude"],
    ["under a title about its work", ["✳ Fix the tests"], VERSION_FILE, "claude"],
    ["under a title about its work", ["working on a/b"], NPM_FILE, "claude"],
    ["under no name", ["", "-c"], VERSION_FILE, "claude -c"],
    ["in a folder with spaces", ["/my apps/claude", "-c"], "/my apps/claude", "claude -c"],
    ["in a folder with spaces, alone", ["/my apps/claude"], "/my apps/claude", "claude"],
    ["by npm's title", ["npm exec @anthropic-ai/claude-code -c"], NODE, "claude -c"],
    ["by npm's title", ["npm exec @openai/codex"], NODE, "codex"],
  ])("%s: %j", (_, argv, exe, expected) => {
    expect(stated(argv, exe)).toBe(expected);
  });

  test.each([
    "claude -p do",
    "claude -c -p mcp-server",
    'claude "mcp is broken"',
    "claude --resume mcp",
    "claude --model mcp",
    "claude --add-dir mcp update",
    "claude --some-new-option mcp",
    "claude -X mcp",
    "claude -- mcp",
    "claude fix --help",
    "codex exec --json do",
    "codex e do",
    "codex resume --last",
    "codex fork",
    "codex review",
    "codex -m app-server",
    "codex -i a.png login",
    "codex -C /x do",
    "codex fix mcp",
  ])("running a session: %s", (command) => {
    expect(stated(command)).toBe(command);
  });
});

describe("no harness is", () => {
  test.each([
    // A word further back.
    "vim claude",
    "nvim claude.md",
    "grep -r claude .",
    "tail -f claude.log",
    "ssh host claude",
    "ssh -t host -- claude -c",
    "docker exec -it c claude",
    "docker run --rm -it image codex",
    "kubectl exec pod -- claude",
    "git commit -m claude",
    "man claude",
    "which claude",
    "/bin/sh /usr/bin/which claude",
    "cat /usr/bin/claude",
    "less claude",
    "cd claude",
    "watch claude",
    "xargs claude",
    "script -qc claude /dev/null",
    "tmux new-session claude",
    "su -c claude",
    "find / -name claude",
    "pkill claude",
    "npm install @anthropic-ai/claude-code",
    "npm run claude",
    "pnpm add @openai/codex",
    "bun add @openai/codex",
    "bun install claude",
    "deno test claude",
    "brew upgrade codex",
    "mise use claude",
    "mise exec claude",
    "direnv allow claude",
    // Another name.
    "claude-monitor",
    "claudette",
    "codexify",
    "my-claude",
    "claude.md",
    "claude.py",
    "claude-desktop",
    "Claude",
    "codex-code-mode-host",
    "codex-linux-sandbox",
    "/opt/claude/server",
    "/home/me/claude/versions/run",
    "/x/versions/2.1.3",
    "2.1.3",
    "node /x/claude/index.js",
    "node /x/node_modules/@anthropic-ai/claude-code/install.cjs",
    "node /x/node_modules/@somebody/claude-code/cli.js",
    "npx @somebody/claude",
    "npx claude-monitor",
    "npx ./claude",
    "npx github:somebody/claude",
    "deno run npm:@somebody/codex",
    "bash /x/claude.sh",
    "python3 claude.py",
    // No script.
    "node",
    "node -e 0 claude",
    "node --eval=0 claude",
    "node -p 0 claude",
    "node -pe 0 claude",
    "node - claude",
    "node --check /usr/bin/claude",
    "node --test claude",
    "node inspect /usr/bin/claude",
    "node -r claude server.js",
    "node --require claude server.js",
    "node --title claude server.js",
    "bun -e 0 claude",
    "deno eval 0 claude",
    "bash -c true claude",
    "bash -lc true claude",
    "sh -xc claude",
    "sh -s claude",
    "bash --rcfile claude",
    "bash -o claude",
    "zsh -ic true claude",
    "python3 -c 0 claude",
    "python3 -m claude",
    "python3 -um claude",
    "python3 -X claude x.py",
    "perl -e 0 claude",
    "perl -ne 0 claude",
    "ruby -e 0 claude",
    // Not what the command in front leads to.
    "env",
    "env claude=1",
    "env -u claude vim",
    "env -S claude",
    "env --new-option claude",
    "sudo -u claude vim",
    "sudo -e claude",
    "sudo -l claude",
    "sudo -g claude -- ls",
    "sudo --new-option claude vim",
    "sudo vim claude",
    "timeout claude vim",
    "timeout -s claude 5 vim",
    "time -o claude ls",
    "taskset -p claude",
    "taskset claude",
    "ionice -p claude",
    "exec -a claude vim",
    "command -v claude",
    "npx -c claude",
    "npx -p @anthropic-ai/claude-code vim",
    "direnv exec claude",
    "direnv exec claude vim",
    // A helper.
    "claude --version",
    "claude -v",
    "claude --help",
    "claude mcp serve",
    "claude update",
    "claude doctor",
    "claude config get x",
    "claude install stable",
    "claude setup-token",
    "claude agents --json",
    "claude daemon run",
    "claude --model opus mcp list",
    "claude --verbose --debug=api update",
    "claude --new-option --version",
    `${VERSION_FILE} --bg-spare /tmp/spare`,
    `${VERSION_FILE} --bg-pty-host /tmp/s 200 50 -- claude -c`,
    "node /x/claude mcp serve",
    "npx @anthropic-ai/claude-code mcp serve",
    "sudo claude update",
    "codex app-server",
    "codex -c model=x app-server",
    "codex mcp-server",
    "codex mcp list",
    "codex exec-server",
    "codex login",
    "codex logout",
    "codex completion bash",
    "codex proto",
    "codex debug models",
    "codex sandbox linux ls",
    "codex apply x",
    "codex cloud",
    "codex features",
    "codex --version",
    "codex -V",
    "codex --help",
    "node /x/node_modules/@openai/codex/bin/codex.js app-server",
  ])("%s", (command) => {
    expect(stated(command)).toBeUndefined();
  });

  test.each([
    ["its own file started as the search it brings along", ["rg", "claude", "."], VERSION_FILE],
    ["its own file started as a search by its path", ["/tmp/x/ugrep", "-r"], VERSION_FILE],
    ["a file of Codex under another name", ["apply_patch"], "/usr/bin/codex"],
    ["a title that begins like one", ["claude monitor"], NODE],
    ["a title about one", ["watching claude"], NODE],
    ["a title of another package", ["npm exec claude-monitor"], NODE],
    ["a title of npm's that runs nothing", ["npm install @openai/codex"], NODE],
    ["a folder with spaces that begins like one", ["claude -x/run"], "/x/claude -x/run"],
    ["a version of something else", ["2.1.3"], "/opt/other/versions/2.1.3"],
    ["nothing", [], VERSION_FILE],
    ["an empty name", [""], undefined],
    ["a folder's name", ["/opt/claude/"], undefined],
  ])("%s: %j", (_, argv, exe) => {
    expect(stated(argv, exe)).toBeUndefined();
  });
});

describe("a program", () => {
  test.each([
    ["vim x", { name: "vim", command: ["vim", "x"], isItself: true }],
    ["-bash", { name: "bash", command: ["bash"], isItself: true }],
    ["bash -c ls", { name: "bash", command: ["bash", "-c", "ls"], isItself: true }],
    ["node /x/vite.js dev", { name: "vite", command: ["vite", "dev"], isItself: false }],
    [
      "python3 manage.py run",
      { name: "manage.py", command: ["manage.py", "run"], isItself: false },
    ],
    ["sudo -x vim", { name: "sudo", command: ["sudo", "-x", "vim"], isItself: true }],
    ["env sudo -x vim", { name: "sudo", command: ["sudo", "-x", "vim"], isItself: false }],
    ["bun install", { name: "bun", command: ["bun", "install"], isItself: true }],
    ["npx vite", { name: "vite", command: ["vite"], isItself: false }],
    ["claude mcp", { name: "claude", command: ["claude", "mcp"], isItself: true }],
    ["-", { name: "-", command: ["-"], isItself: true }],
  ])("%s is told by its name and its arguments", (command, expected) => {
    expect(programOf(argvOf(command), undefined)).toEqual(expected);
  });

  test("is a helper only by what it is started for", () => {
    const helper = (command: string) => {
      const program = programOf(argvOf(command), undefined);
      return program !== undefined && isHelper(program);
    };
    expect(helper("claude mcp")).toBe(true);
    expect(helper("claude")).toBe(false);
    expect(helper("vim mcp")).toBe(false);
  });
});

/** Commands that lead to another one, each with some of its options. */
const LEADING: readonly string[] = [
  "env",
  "env -i -u X A=b C=d",
  "sudo",
  "sudo -nEu me",
  "sudo -g wheel --",
  "doas -u me",
  "timeout 5",
  "timeout -k 1 5s",
  "nice",
  "nice -n 5",
  "ionice -c 3",
  "nohup",
  "setsid -w",
  "stdbuf -oL",
  "time",
  "chrt -r 1",
  "taskset -c 0",
  "caffeinate -i",
  "command",
  "exec",
  "npx",
  "npx -y",
  "node /usr/bin/npx",
  "npm exec",
  "npm x --",
  "bunx",
  "bun x",
  "pnpm dlx",
  "yarn dlx",
  "mise exec --",
  "mise x node@22 --",
  "asdf exec",
  "direnv exec /x",
  "/usr/bin/env",
  "/bin/sh /x/mise exec --",
];

const anyWord = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    ...Object.keys(PREFIXES),
    ...Object.keys(PACKAGE_RUNNERS),
    ...["node", "bun", "deno", "bash", "python3", "claude", "codex", "--", "-", "-u", "-c", "run"],
    ...["exec", "x", "A=b", "@openai/codex", "npm:x", "", "\0", VERSION_FILE, "__proto__"],
  ),
);

const plainWord = fc.constantFrom("a", "-x", "--yes", "file.txt", "-", "--", "mcp", "A=b", "");

describe("whatever a process says of itself", () => {
  test("nothing is thrown, and a harness is a program of that name", () => {
    fc.assert(
      fc.property(fc.array(anyWord), fc.option(anyWord, { nil: undefined }), (argv, exe) => {
        const program = programOf(argv, exe);
        const harness = harnessOf(argv, exe);
        expect(program === undefined).toBe(argv.length === 0);
        expect(program?.command[0]).toBe(program?.name);
        if (harness === undefined) return;
        expect(harness).toEqual(program);
        expect(["claude", "codex"]).toContain(harness.name);
      }),
      { numRuns: 2_000 },
    );
  });

  test("a command in front changes nothing about the program", () => {
    const leading = fc.array(fc.constantFrom(...LEADING), { minLength: 1, maxLength: 3 });
    const program = fc.constantFrom("claude", "codex", "vim", "claude-monitor");
    fc.assert(
      fc.property(leading, program, fc.array(plainWord), (commands, name, words) => {
        const behind = programOf([name, ...words], undefined);
        const whole = [...commands.flatMap((command) => command.split(" ")), name, ...words];
        expect(programOf(whole, undefined)).toEqual({ ...behind, isItself: false });
      }),
      { numRuns: 1_000 },
    );
  });

  test("the name of a harness among the arguments of another program makes it none", () => {
    const others = fc.constantFrom(
      ...["vim", "grep", "ssh", "docker", "git", "tail", "tmux", "script", "claude-monitor", "rg"],
    );
    const names = fc.constantFrom("claude", "codex", "/usr/bin/claude", VERSION_FILE, "claude.js");
    fc.assert(
      fc.property(others, fc.array(plainWord), names, fc.array(plainWord), (other, a, name, b) => {
        expect(harnessOf([other, ...a, name, ...b], undefined)).toBeUndefined();
        expect(harnessOf(["sudo", "-n", other, ...a, name, ...b], undefined)).toBeUndefined();
        expect(harnessOf(["/bin/sh", other, ...a, name, ...b], undefined)).toBeUndefined();
      }),
    );
  });

  test("no command line takes long to look through", () => {
    const long = "-".concat("a".repeat(100_000));
    const lines = [
      [".js".repeat(50_000)],
      ["-wrapped".repeat(20_000)],
      [`claude/versions/${"1.".repeat(50_000)}/`],
      [`claude ${"-x ".repeat(50_000)}`],
      ["claude", ...Array.from({ length: 100_000 }, () => "-x")],
      ["env", ...Array.from({ length: 100_000 }, () => "A=b"), "claude"],
      ["sudo", long, "claude"],
      ["node", long, "claude"],
      Array.from({ length: 100_000 }, () => "env"),
      Array.from({ length: 100_000 }, () => "npx"),
    ];
    for (const argv of lines) {
      const began = performance.now();
      harnessOf(argv, VERSION_FILE);
      expect(performance.now() - began).toBeLessThan(250);
    }
  });
});
