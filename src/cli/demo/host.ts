import { execFile } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { TOKEN_FILE } from "../../server/token.ts";
import { addressWithToken } from "../link.ts";
import { Child } from "./child.ts";
import { contentOf } from "./content.ts";

const run = promisify(execFile);

const NO_TMUX =
  "tmux is not installed: the terminals that are shown are panes of it. On Debian and Ubuntu: apt install tmux";

/** What runs in the terminals of a host. */
const PANES = [
  ["logs", 'while :; do date "+%T nothing happened"; sleep 3; done'],
  ["top", "exec top"],
  ["shell", "exec sh"],
] as const;

/** One of the hosts that are shown: a tmux server and a publisher, with folders of their own. */
export class DemoHost {
  readonly name: string;
  readonly #socket: string;
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  #publisher: Child | undefined;

  constructor(folder: string, name: string) {
    this.name = name;
    this.#folder = join(folder, name);
    this.#socket = join(this.#folder, "tmux");
    const { TMUX: _, TMUX_PANE: __, ...env } = process.env;
    this.#env = {
      ...env,
      TERMTOPIC_STATE_DIR: join(this.#folder, "state"),
      TERMTOPIC_RUNTIME_DIR: join(this.#folder, "run"),
    };
  }

  /** Starts it, and answers the address of its dashboard and what tells of its end. */
  async start(nats: string, port: number): Promise<{ address: string; over: Promise<void> }> {
    mkdirSync(this.#folder, { mode: 0o700 });
    await this.#openTerminals();
    const ready = join(this.#folder, "ready.json");
    const publisher = new Child({
      what: `the publisher of ${this.name}`,
      command: [
        ...[process.execPath, process.argv[1] ?? "", "serve", "--port", String(port)],
        ...["--ready-file", ready, "--nats", nats, "--host-name", this.name],
        ...["--source", "tmux", "--tmux-socket", this.#socket],
      ] as [string, ...string[]],
      env: this.#env,
    });
    this.#publisher = publisher;
    const { over } = publisher;
    const text = await contentOf(ready, over, `the publisher of ${this.name}`);
    const { endpoint } = JSON.parse(text) as { endpoint: string };
    const token = readFileSync(join(this.#folder, "state", TOKEN_FILE), "utf8").trim();
    return { address: addressWithToken(endpoint, token), over };
  }

  async end(): Promise<void> {
    await this.#publisher?.end();
    // Where it has not begun there is none to end.
    await this.#tmux("kill-server").catch(() => {});
  }

  async #openTerminals(): Promise<void> {
    for (const [index, [title, command]] of PANES.entries()) {
      const how =
        index === 0 ? ["new-session", "-d", "-s", "work"] : ["new-window", "-d", "-t", "work:"];
      await this.#tmux(...how, "-n", title, command);
    }
  }

  async #tmux(...args: string[]): Promise<void> {
    try {
      await run("tmux", ["-S", this.#socket, "-f", "/dev/null", ...args], { env: this.#env });
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "ENOENT") throw new Error(NO_TMUX, { cause });
      throw cause;
    }
  }
}
