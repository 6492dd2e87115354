import type { PtyEvents } from "../../../src/host/pty/pty.ts";
import type { Screen } from "../../../src/host/screen/screen.ts";
import { Terminal } from "../../../src/host/terminal.ts";
import type { FakeClock } from "../../lib/fake-clock.ts";
import { FakeTable } from "../../lib/fake-table.ts";

/** A terminal whose program and screen the test plays. */
export class ScriptedTerminal {
  readonly terminal: Terminal;
  readonly typed: string[] = [];
  readonly sizes: string[] = [];
  /** What a snapshot shows, after how much output that was. */
  paint = "PAINT";
  /** What each line of history adds to it. */
  line = "";
  /** Whether the screen can be read. */
  isReadable = true;
  backlog = 0;
  freezes = 0;
  /** How often its screen was to parse without delay. */
  flushes = 0;
  /** Somebody reads the screen. */
  read = () => {};
  isPaused = false;
  #fed = 0;
  #events: PtyEvents | undefined;

  constructor(clock: FakeClock) {
    const screen = this.#screen();
    this.terminal = new Terminal(
      {
        id: "t1",
        sessionId: "s",
        index: 1,
        isAgents: false,
        command: ["/bin/sh"],
        cwd: "/",
        environmentName: null,
        environment: {},
        cols: 80,
        rows: 24,
      },
      {
        clock,
        table: new FakeTable(),
        openScreen: ({ used }) => {
          this.read = used;
          return screen;
        },
        spawn: (_options, events) => {
          this.#events = events;
          return {
            pid: 4_711,
            tty: "/dev/pts/99",
            queued: 0,
            write: (bytes) => this.typed.push(Buffer.from(bytes).toString()) && bytes.length,
            interrupt: (bytes) => void this.typed.push(`!${Buffer.from(bytes).toString()}`),
            resize: (cols, rows) => void this.sizes.push(`${cols}x${rows}`),
            pause: () => {
              this.isPaused = true;
            },
            resume: () => {
              this.isPaused = false;
            },
          };
        },
      },
    );
  }

  /** Its program writes. */
  write(bytes: string | Uint8Array): void {
    this.#events?.data(Buffer.from(bytes as string));
  }

  exit(code: number): void {
    this.#events?.exit({ code, drained: true });
  }

  #screen(): Screen {
    const backlog = () => this.backlog;
    return {
      feed: (bytes) => {
        this.#fed += bytes.length;
      },
      flush: () => {
        this.flushes += 1;
      },
      get backlog() {
        return backlog();
      },
      resize() {},
      setTheme() {},
      snapshot: async ({ history = 0 } = {}) => {
        if (!this.isReadable) throw new Error("no screen");
        return { bytes: Buffer.from(this.line.repeat(history) + this.paint), end: this.#fed };
      },
      history: async () => Buffer.alloc(0),
      capture: async () => ({ text: "", alternate: false }),
      cells: () => Promise.reject(new Error("no cells")),
      freeze: async () => {
        this.freezes += 1;
      },
      dispose() {},
    };
  }
}
