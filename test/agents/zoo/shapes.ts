import { type Exhibit, MARK, SHELL, type Stage } from "./exhibit.ts";

const bash = (text: string, ...args: string[]) => ["/bin/bash", "-c", text, ...args];

/** How agents are started. Every one runs on this host, in the terminal of its pane. */
export function shapes({ programs, inner }: Stage): Exhibit[] {
  const at = (path: string) => programs.at(path);
  const claude = at("native/claude");
  const codex = at("native/codex");
  const twins = at("twins");
  const typed = (name: string, text: string, shell: readonly string[] = SHELL): Exhibit => ({
    name,
    argv: shell,
    typed: text,
    harness: "claude",
  });
  const started = (name: string, argv: readonly string[]): Exhibit => ({
    name,
    argv,
    harness: "claude",
  });
  return [
    started("the pane's own process", [claude, MARK]),
    { ...started("Codex as the pane's own process", [codex, MARK]), harness: "codex" },
    typed("typed into bash", `claude ${MARK}`),
    typed("typed into zsh", `claude ${MARK}`, ["zsh", "-f", "-i"]),
    typed("typed into dash", `claude ${MARK}`, ["dash", "-i"]),
    typed("run in place of the shell", `exec claude ${MARK}`),
    started("a part of a shell's command line", bash(`cd /; ${claude} ${MARK}; true`)),
    started("a script with a shebang", [at("script/claude"), MARK]),
    started("a script of perl", [at("perl/claude"), MARK]),
    started("a wrapper that ends in exec", [at("exec/claude"), MARK]),
    started("a wrapper that waits", [at("waiting/claude"), MARK]),
    started("a script of node without a title", [at("node/claude"), "-c", MARK]),
    started("a script of node with a title", [at("titled/claude"), MARK]),
    started("a title with options", [at("resuming/claude"), "--resume", "4711", MARK]),
    started("the script of the package", [
      "node",
      "--no-warnings",
      at("npm/lib/node_modules/@anthropic-ai/claude-code/cli.js"),
      MARK,
    ]),
    started("the script of the package by another runtime", [
      at("tools/bun"),
      at("npm/lib/node_modules/@anthropic-ai/claude-code/cli.js"),
      MARK,
    ]),
    started("a link to a version", [at("link/claude"), MARK]),
    started("a version by its path", [at("share/claude/versions/2.1.3"), MARK]),
    started(
      "a version by its number",
      bash(`exec -a 2.1.3 ${at("share/claude/versions/2.1.3")} ${MARK}`),
    ),
    started(
      "a version under a title of its work",
      bash(`exec -a "✳ Fix the tests" ${at("share/claude/versions/2.1.3")} ${MARK}`),
    ),
    started("the program of the package", [at("npm/bin/claude"), MARK]),
    started("a program with a wrapper's name", [at("native/.claude-unwrapped"), MARK]),
    started("as a login shell is named", bash(`exec -a -claude ${claude} ${MARK}`)),
    {
      ...started("a launcher and the program proper", [at("npm/bin/codex"), MARK]),
      harness: "codex",
    },
    { ...started("codex exec", [at("script/codex"), "exec", "do", MARK]), harness: "codex" },
    started("npx", [at("tools/npx"), "-y", "@anthropic-ai/claude-code", MARK]),
    { ...started("sudo", ["sudo", "-n", claude, MARK]), needs: "sudo" },
    typed("env", `env -u X A=1 claude ${MARK}`),
    typed("timeout", `timeout -k 5 1d claude ${MARK}`),
    started("timeout as the pane's own process", ["timeout", "1d", claude, MARK]),
    typed("several commands in front", `nice -n 5 ionice -c 3 stdbuf -oL claude ${MARK}`),
    typed("nohup in the background", `nohup claude ${MARK} > /dev/null &`),
    started("a session of its own without a terminal", ["setsid", "-w", claude, MARK]),
    started("mise exec", [at("tools/mise"), "exec", "--", claude, MARK]),
    started("script", ["script", "-qc", `${claude} ${MARK}`, "/dev/null"]),
    started("a wrapper with a pty of its own", [at("tools/wrap"), claude, MARK]),
    typed("a pipeline whose first command has ended", `true | claude ${MARK}`),
    typed(
      "the middle of a pipeline",
      `cat ${programs.never} | ${at("script/claude")} -p ${MARK} | cat`,
    ),
    { ...typed("suspended with the key", `claude ${MARK}`), stops: "key" },
    { ...started("stopped by a signal", bash(`${claude} ${MARK}; true`)), stops: "signal" },
    typed("in the background", `claude ${MARK} &`),
    typed("in the background, left by its parent", `(claude ${MARK} &)`),
    { ...typed("one of two in one folder", `claude ${MARK}`), cwd: twins },
    { ...started("the other of two in one folder", [claude, MARK]), cwd: twins },
    started("with a tool on a pty of its own", [at("tooling/claude"), MARK]),
    started("with another agent as its tool", [at("delegating/claude"), MARK]),
    started(
      "with its own file as its tool",
      bash(
        `exec -a claude ${at("share/claude/versions/2.1.4")} -c '
         (exec -a rg ${at("share/claude/versions/2.1.3")} 86400) &
         echo $$ > ${at("pids")}/.$$ && mv ${at("pids")}/.$$ ${at("pids")}/$0; wait' ${MARK}`,
      ),
    ),
    {
      ...started("in a tmux within tmux", [
        ...["env", "-u", "TMUX", "tmux", "-f", "/dev/null", "-S", inner],
        ...["new-session", claude, MARK],
      ]),
      isNested: true,
    },
  ];
}
