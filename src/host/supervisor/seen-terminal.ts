import type { Cancel } from "../../time/clock.ts";
import type { SessionLifecycle } from "../monitors/definition.ts";
import type { MonitoredSession } from "../monitors/session.ts";
import { Ring } from "../ring.ts";
import type { Terminal } from "../terminal.ts";
import { lifecycleOf } from "./lifecycle.ts";

/** A terminal as monitors see it. */
export class SeenTerminal implements MonitoredSession {
  readonly workspaceRoot: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly sandbox: MonitoredSession["sandbox"];
  /** Absent once it is forgotten. */
  #terminal: Terminal | undefined;
  #exit: MonitoredSession["exit"];

  constructor(terminal: Terminal, workspaceRoot: string) {
    this.#terminal = terminal;
    this.workspaceRoot = workspaceRoot;
    this.environment = terminal.options.environment;
    const keeper = () => this.#terminal?.pid;
    this.sandbox = terminal.options.sandbox && {
      get pid() {
        return keeper();
      },
    };
  }

  /** Lets go of the terminal with its output: what is left of its monitors outlives it. */
  forget(): void {
    this.#exit = this.exit;
    this.#terminal = undefined;
  }

  get ring(): Ring {
    return this.#terminal?.ring ?? new Ring(1);
  }

  get lifecycle(): SessionLifecycle {
    return this.#terminal === undefined ? "closed" : lifecycleOf(this.#terminal);
  }

  get exit(): MonitoredSession["exit"] {
    if (this.#terminal === undefined) return this.#exit;
    return this.#terminal.isLost ? undefined : this.#terminal.exit;
  }

  onOutput(listener: () => void): Cancel {
    return this.#terminal?.output.on(listener) ?? (() => {});
  }

  async screenText(): Promise<string> {
    if (this.#terminal === undefined) throw new Error("The session is closed");
    return (await this.#terminal.screen.capture({ scrollback: 0 })).text;
  }
}
