import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { Cancel, Clock } from "../../time/clock.ts";
import { discardNow, discardUnread } from "../pty/unread.ts";
import type { TmuxClient } from "./client.ts";
import type { Pane } from "./pane.ts";
import { hasUnread } from "./unread.ts";

/** How much may wait for a program that does not read, in bytes: the longest paste that is taken whole. */
const LIMIT_BYTES = 1024 * 1024;

/** How much is given to tmux at once, and how much it may have been given before it is looked whether the program has read
 * it, in bytes. tmux takes whatever it is given into its own memory. */
const PIECE_BYTES = 64 * 1024;

/** How much may be typed before an interrupt without standing in its way, in bytes: the kernel holds that much, and a
 * program that does not read loses what is beyond. */
const KERNEL_BYTES = 4_095;

/** How often what stands before a program is thrown away at most: somebody else may type on. */
const DISCARD_ROUNDS = 64;

/** The first pause before it is looked again whether a program reads, and the longest, in milliseconds. Each look is a
 * process. */
const PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 1_000;

/** What is typed into a session, on its way to tmux. It goes through buffers of tmux, whose bytes are passed on as they are;
 * one process takes a piece there. Keys would be a process for each half KiB. */
export class Typing {
  readonly #pane: Pane;
  readonly #tty: string;
  readonly #clock: Clock;
  #waiting: Buffer[] = [];
  #bytes = 0;
  /** What tmux was given and the program may not have read. */
  #unread = 0;
  #isAtWork = false;
  #isClosed = false;
  #wake: (() => void) | undefined;

  constructor(pane: Pane, tty: string, clock: Clock) {
    this.#pane = pane;
    this.#tty = tty;
    this.#clock = clock;
  }

  get queued(): number {
    return this.#bytes;
  }

  /** Answers how many bytes are taken, from the front. */
  write(bytes: Uint8Array): number {
    if (this.#isClosed) return 0;
    const accepted = Math.min(bytes.length, LIMIT_BYTES - this.#bytes);
    if (accepted <= 0) return 0;
    this.#waiting.push(Buffer.from(bytes.subarray(0, accepted)));
    this.#bytes += accepted;
    void this.#work();
    return accepted;
  }

  /** Drops what waits, here and before the program, and types. */
  interrupt(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    const isStuck = this.#bytes > 0 || this.#unread > KERNEL_BYTES;
    this.#drop();
    if (isStuck) {
      this.#pane.inTurn((client) => this.#discard(client));
      this.#unread = 0;
    }
    this.write(bytes);
    this.#wake?.();
  }

  /** Nothing is typed any more. */
  close(): void {
    this.#isClosed = true;
    this.#drop();
    this.#wake?.();
  }

  async #work(): Promise<void> {
    if (this.#isAtWork) return;
    this.#isAtWork = true;
    try {
      while (this.#bytes > 0 && !this.#isClosed) {
        if (this.#unread >= PIECE_BYTES) await this.#untilRead();
        const piece = this.#take();
        if (piece.length > 0) await this.#paste(piece);
      }
    } finally {
      this.#isAtWork = false;
    }
  }

  /** Waits until the program has read all that it was given, or somebody interrupts it. */
  async #untilRead(): Promise<void> {
    let pause = PAUSE_MS;
    while (this.#unread > 0 && !this.#isClosed) {
      const unread = await hasUnread(this.#tty);
      // Where that cannot be found out, a piece a second at most.
      if (unread === false || (unread === undefined && pause >= LONGEST_PAUSE_MS)) this.#unread = 0;
      if (this.#unread === 0) return;
      await this.#pause(pause);
      pause = Math.min(LONGEST_PAUSE_MS, 2 * pause);
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      let cancel: Cancel = () => {};
      this.#wake = () => {
        this.#wake = undefined;
        cancel();
        resolve();
      };
      cancel = this.#clock.schedule(ms, () => this.#wake?.());
    });
  }

  #take(): Buffer {
    const all = Buffer.concat(this.#waiting);
    const piece = all.subarray(0, PIECE_BYTES);
    const rest = all.subarray(piece.length);
    this.#waiting = rest.length === 0 ? [] : [rest];
    this.#bytes = rest.length;
    return piece;
  }

  async #paste(piece: Buffer): Promise<void> {
    const buffer = `termtopic-${randomBytes(8).toString("hex")}`;
    this.#unread += piece.length;
    await this.#pane.inTurn(async (client) => {
      const options = await client.pasting();
      const paste = `paste-buffer ${options} -b ${buffer} -t '${this.#pane.number}'`;
      await client.ask(
        [
          ...["load-buffer", "-b", buffer, "-", ";"],
          ...["if-shell", "-F", "-t", this.#pane.number, this.#pane.isAlive],
          ...[paste, `delete-buffer -b ${buffer}`],
        ],
        piece,
      );
    });
  }

  /** What stands before the program. tmux passes on what it still has while this goes on, when it gets to run: that it has
   * no more is sure once it has answered and nothing came after that. */
  async #discard(client: TmuxClient): Promise<void> {
    const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants;
    const slave = await open(this.#tty, O_RDONLY | O_NONBLOCK | O_NOCTTY).catch(() => undefined);
    if (slave === undefined) return;
    try {
      for (let round = 0; round < DISCARD_ROUNDS && !this.#isClosed; round += 1) {
        await discardUnread(slave.fd, this.#clock, () => this.#isClosed);
        await client.ask(["display-message", "-p", ""]);
        if (!discardNow(slave.fd)) return;
      }
    } finally {
      await slave.close();
    }
  }

  #drop(): void {
    this.#waiting = [];
    this.#bytes = 0;
  }
}
