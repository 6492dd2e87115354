import { type Exhibit, MARK, SHELL, type Stage } from "./exhibit.ts";

/** Panes without an agent that could be taken for one with it. */
export function decoys({ programs }: Stage): Exhibit[] {
  const at = (path: string) => programs.at(path);
  const { never } = programs;
  const started = (name: string, ...argv: string[]): Exhibit => ({ name, argv, settles: "mark" });
  const typed = (name: string, text: string): Exhibit => ({
    name,
    argv: SHELL,
    typed: `${text}; : > ${at(`done/${MARK}`)}`,
    settles: "done",
  });
  return [
    // The first pane, so that its device has a number that is easily reached in a container.
    {
      ...typed("a shell on the device of a container's agent", "true"),
      settles: "container",
      needs: "namespaces",
    },
    started("an editor on a file named claude", at("tools/vim"), "claude", MARK),
    started("a manual page about it", at("tools/man"), "claude", MARK),
    started("a commit about it", at("tools/git"), "commit", "-m", "claude", MARK),
    started("a look at a file named claude", "tail", "-n", MARK, "-f", "claude"),
    started("a search for its name", "grep", "-m", MARK, "claude", never),
    started("a repeated command about it", "watch", "-n", MARK, "ls", "claude"),
    { ...typed("a shell in a folder named claude", "true"), cwd: at("claude") },
    { ...typed("a shell in a folder with agents", "true"), cwd: at("twins") },
    typed("a shell with its name as title", "printf '\\033]2;claude\\007'"),
    typed("a shell with its name in the prompt", "PS1='claude> '"),
    { ...typed("a shell in a window with its name", "true"), window: "claude" },
    typed("a shell in which one has ended", "claude 0"),
    {
      name: "a pane in which one has ended",
      argv: [at("native/claude"), "0.1"],
      settles: "dead",
    },
    {
      name: "one that has ended and is not asked about",
      argv: ["perl", "-e", `if (!fork) { exec "${at("native/claude")}", "0.1" } sleep`, MARK],
      settles: "zombie",
    },
    started("an agent on another host", at("tools/ssh"), "-t", "host", "claude", MARK),
    started("an agent in a container", at("tools/docker"), "exec", "-it", "box", "claude", MARK),
    started("another program: claude-monitor", at("native/claude-monitor"), MARK),
    started("another program: claudette", at("native/claudette"), MARK),
    started("another program: claude.md", at("native/claude.md"), MARK),
    started("another program: codexify", at("native/codexify"), MARK),
    started("another program: my-claude", at("native/my-claude"), MARK),
    started("another program: codex-code-mode-host", at("native/codex-code-mode-host"), MARK),
    started("another program in a folder named claude", at("claude/server"), MARK),
    started("another package", at("tools/monitor"), MARK),
    started(
      "its own file as a search",
      ...["/bin/bash", "-c", `exec -a rg ${at("share/claude/versions/2.1.3")} "$0"`, MARK],
    ),
    started("a text of a shell named so", "/bin/bash", "-c", `read -r < ${never}`, "claude", MARK),
    started("a text of node named so", "node", "-e", "setInterval(() => {}, 1e9)", "claude", MARK),
    started("a text of perl named so", "perl", "-e", "sleep", "claude", MARK),
    started("a script that requires its name", "node", "-r", at("node/claude"), "-e", "0", MARK),
    started("a variable of its name", "/usr/bin/env", "NAME=claude", "sleep", MARK),
    started("a helper: claude mcp serve", at("script/claude"), "mcp", "serve", MARK),
    started("a helper: --bg-spare", at("share/claude/versions/2.1.9"), "--bg-spare", MARK),
    started("a helper: codex app-server", at("script/codex"), "-c", "a=b", "app-server", MARK),
  ];
}
