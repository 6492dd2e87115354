import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const SLEEP = "/usr/bin/sleep";
const BASH = "/bin/bash";
const PTY = createRequire(import.meta.url).resolve("node-pty");

/** The programs of the zoo: no real agent, but what is called and started like one. Each takes a number as its last
 * argument, by which it is found again. Those that are files of machine code sleep for as many seconds; the others
 * write their process id to the file of that name in `pids` and wait for ever. */
export class Programs {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    for (const name of ["pids", "done", "home"]) mkdirSync(join(folder, name));
    execFileSync("mkfifo", [this.never]);
    this.#makeNative();
    this.#makeScripts();
    this.#makeNodeScripts();
    this.#makeTools();
  }

  /** A pipe that nothing ever comes through. */
  get never(): string {
    return join(this.folder, "never");
  }

  at(path: string): string {
    return join(this.folder, path);
  }

  #makeNative(): void {
    for (const path of [
      "native/claude",
      "native/codex",
      "native/.claude-unwrapped",
      "native/claude-monitor",
      "native/claudette",
      "native/claude.md",
      "native/codexify",
      "native/my-claude",
      "native/codex-code-mode-host",
      "claude/server",
      "share/claude/versions/2.1.3",
      "npm/lib/node_modules/@anthropic-ai/claude-code/bin/claude.exe",
      "npm/lib/node_modules/@openai/codex/vendor/codex/codex",
    ]) {
      this.#copy(SLEEP, path);
    }
    // Runs other programs by its own file, as the one of Claude Code does.
    this.#copy(BASH, "share/claude/versions/2.1.4");
    this.#link("share/claude/versions/2.1.3", "link/claude");
    this.#link("npm/lib/node_modules/@anthropic-ai/claude-code/bin/claude.exe", "npm/bin/claude");
  }

  #makeScripts(): void {
    const waits = `echo $$ > ${this.at("pids")}/.$$ && mv ${this.at("pids")}/.$$ ${this.at("pids")}/"\${!#}"
exec 9<> ${this.never}
read -r -u 9`;
    const script = `#!${BASH}\n${waits}\n`;
    for (const path of ["script/claude", "script/codex", "share/claude/versions/2.1.9"]) {
      this.#write(path, script);
    }
    for (const name of ["vim", "ssh", "docker", "git", "man"]) this.#write(`tools/${name}`, script);
    this.#write("exec/claude", `#!/bin/sh\nexec ${this.at("native/claude")} "$@"\n`);
    this.#write("waiting/claude", `#!/bin/sh\n${this.at("native/claude")} "$@"\ntrue\n`);
    const codex = `${this.at("native/codex")} 86400`;
    this.#write("delegating/claude", `#!${BASH}\nsetsid -w ${codex} &\n${waits}\n`);
    this.#write(
      "perl/claude",
      `#!/usr/bin/perl
open(my $pid, ">", "${this.at("pids")}/.$$"); print $pid $$; close($pid);
rename("${this.at("pids")}/.$$", "${this.at("pids")}/$ARGV[-1]");
sleep(86400);
`,
    );
  }

  #makeNodeScripts(): void {
    const waits = `
      const fs = require("node:fs");
      fs.writeFileSync(${JSON.stringify(this.at("pids"))} + "/." + process.pid, String(process.pid));
      fs.renameSync(${JSON.stringify(this.at("pids"))} + "/." + process.pid, ${JSON.stringify(this.at("pids"))} + "/" + process.argv.at(-1));
      setInterval(() => {}, 86_400_000);`;
    const script = (text: string) => `#!/usr/bin/env node\n${text}\n`;
    const titled = (title: string) => script(`process.title = ${JSON.stringify(title)};${waits}`);
    this.#write("node/claude", script(waits));
    this.#write("titled/claude", titled("claude"));
    this.#write("resuming/claude", titled("claude --resume 4711"));
    this.#write("npm/lib/node_modules/@anthropic-ai/claude-code/cli.js", script(waits));
    this.#write("tools/monitor", titled("npm exec claude-monitor"));
    this.#write(
      "tooling/claude",
      script(`process.title = "claude";
      require(${JSON.stringify(PTY)}).spawn("/bin/bash", ["--norc"], {});${waits}`),
    );
    const starts = (file: string, args: string) =>
      `require("node:child_process").spawn(${file}, ${args}, { stdio: "inherit" });`;
    const native = JSON.stringify(this.at("npm/lib/node_modules/@openai/codex/vendor/codex/codex"));
    const codex = "npm/lib/node_modules/@openai/codex/bin/codex.js";
    this.#write(codex, script(starts(native, "process.argv.slice(-1)")));
    this.#link(codex, "npm/bin/codex");
    this.#write(
      "tools/npx",
      script(`process.title = "npm exec @anthropic-ai/claude-code";
      ${starts('"/bin/sh"', `["-c", ${JSON.stringify(`${this.at("native/claude")} `)} + process.argv.at(-1) + "; true"]`)}`),
    );
    this.#write(
      "tools/wrap",
      script(`const [file, ...args] = process.argv.slice(2);
      const inner = require(${JSON.stringify(PTY)}).spawn(file, args, {});
      inner.onData((data) => process.stdout.write(data));`),
    );
  }

  #makeTools(): void {
    // Without exec, so that it stays in front.
    this.#write("tools/mise", `#!/bin/sh\nshift 2\n"$@"\ntrue\n`);
    symlinkSync(process.execPath, this.#ready("tools/bun"));
  }

  #ready(path: string): string {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    return this.at(path);
  }

  #copy(from: string, path: string): void {
    copyFileSync(from, this.#ready(path));
    chmodSync(this.at(path), 0o755);
  }

  #link(to: string, path: string): void {
    symlinkSync(this.at(to), this.#ready(path));
  }

  #write(path: string, text: string): void {
    writeFileSync(this.#ready(path), text, { mode: 0o755 });
  }
}
