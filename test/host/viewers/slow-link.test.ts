import { expect, test } from "vitest";
import { Turns } from "../../../src/host/channel/turns.ts";
import { Viewer } from "../../../src/host/channel/viewer.ts";
import { OutputWindow } from "../../../src/host/channel/window.ts";
import { FakeClock, settled } from "../../lib/fake-clock.ts";
import { ScriptedTerminal } from "./scripted-terminal.ts";

/** 5 Mbit/s, in bytes of a millisecond. */
const LINK = 625;

/** What a screen of 80 columns takes that is full of colours, in bytes. */
const SCREEN = "x".repeat(4 * 1024);

/** A viewer at the end of a link, by a clock that moves as the link takes output: nothing here takes time. */
class SlowLink {
  readonly clock = new FakeClock();
  readonly program = new ScriptedTerminal(this.clock);
  readonly viewer: Viewer;
  readonly #step: number;
  /** What the host has sent, by its end. */
  #sent = "";
  #sentBytes = 0;
  #shownBytes = 0;
  #untold = 0;

  constructor(step: number) {
    this.#step = step;
    this.program.paint = SCREEN;
    this.viewer = new Viewer({
      terminal: this.program.terminal,
      wire: {
        buffered: 0,
        output: (bytes) => this.#take(bytes),
        passed: () => {},
        skipped: () => {},
        refused: () => {},
        caughtUp: () => {},
        giveUp: () => {},
      },
      window: new OutputWindow(),
      turns: new Turns(() => 0),
      clock: this.clock,
      isReadOnly: false,
    });
  }

  /** A millisecond passes on the link. */
  async pass(): Promise<void> {
    await this.clock.advance(1);
    const shown = Math.min(LINK, this.#sentBytes - this.#shownBytes);
    this.#shownBytes += shown;
    this.#untold += shown;
    for (; this.#untold >= this.#step; this.#untold -= this.#step) {
      this.viewer.acknowledge(this.#step);
    }
    await settled();
  }

  /** Whether the viewer has been shown the text. */
  shows(text: string): boolean {
    const at = this.#sent.lastIndexOf(text);
    const unshown = this.#sentBytes - this.#shownBytes;
    return at >= 0 && this.#sent.length - (at + text.length) >= unshown;
  }

  #take(bytes: Uint8Array): void {
    this.#sentBytes += bytes.length;
    this.#sent = (this.#sent + Buffer.from(bytes).toString()).slice(-1024 * 1024);
  }
}

test.each([
  { step: 8 * 1024, withinMs: 50 },
  { step: 64 * 1024, withinMs: 250 },
])(
  "an interrupt on 5 Mbit/s, acknowledged every $step bytes, shows after $withinMs ms of the link at most",
  async ({ step, withinMs }) => {
    const link = new SlowLink(step);
    const { program, viewer } = link;
    for (let ms = 0; ms < 1_500; ms += 1) {
      program.write("y".repeat(20_000));
      await link.pass();
    }
    viewer.type(Buffer.from("\x03"));
    // The program had written this much before it was interrupted.
    program.write("y".repeat(100_000));
    program.write("INTERRUPTED");
    program.paint = `${SCREEN}INTERRUPTED`;
    let ms = 0;
    for (; !link.shows("INTERRUPTED") && ms < 1_000; ms += 1) await link.pass();
    expect(ms).toBeLessThan(withinMs);
  },
);
