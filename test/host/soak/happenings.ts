import type { HostCall, TerminalWait } from "../../../src/host/channel/messages.ts";
import { type Answer, Peer } from "./peer.ts";
import { someProgram } from "./programs.ts";
import type { Random } from "./random.ts";

/** Where a terminal is, or may be opened. */
export interface Slot {
  readonly sessionId: string;
  id: string | undefined;
  /** Somebody opens or closes it. */
  isTaken: boolean;
}

export interface Scene {
  readonly path: string;
  /** Where terminals are opened. */
  readonly folder: string;
  readonly random: Random;
  readonly slots: readonly [Slot, ...Slot[]];
  /** What was refused, in words, and how often. */
  readonly refusals: Map<string, number>;
}

/** Somebody who makes calls on one connection after the other. */
export class Worker {
  readonly #scene: Scene;
  readonly #name: string;
  #peer: Peer | undefined;
  #keys = 0;

  constructor(scene: Scene, name: string) {
    this.#scene = scene;
    this.#name = name;
  }

  /** Lets something happen to some terminal. */
  async happen(): Promise<void> {
    const slot = this.#scene.random.one(this.#scene.slots);
    if (slot.isTaken) return;
    if (slot.id === undefined) await this.#open(slot);
    else await this.#use(slot, { sessionId: slot.sessionId, target: slot.id });
  }

  async leave(): Promise<void> {
    await this.#peer?.leave();
    this.#peer = undefined;
  }

  async #open(slot: Slot): Promise<void> {
    const { random, folder } = this.#scene;
    slot.isTaken = true;
    const size = { cols: random.between(2, 200), rows: random.between(1, 60) };
    const answer = await this.#onceFor({
      op: "open",
      sessionId: slot.sessionId,
      key: this.#key(),
      cwd: folder,
      env: null,
      ...size,
      ...someProgram(random),
    });
    if ("result" in answer && answer.result.kind === "terminal") {
      slot.id = answer.result.terminal.id;
    }
    slot.isTaken = false;
  }

  async #use(slot: Slot, at: { sessionId: string; target: string }): Promise<void> {
    const { random } = this.#scene;
    switch (random.below(16)) {
      case 0:
      case 1:
      case 2: {
        slot.isTaken = true;
        await this.#onceFor({ op: "close", key: this.#key(), ...at });
        slot.id = undefined;
        slot.isTaken = false;
        return;
      }
      case 3: {
        const signal = random.one(SIGNALS);
        await this.#call({ op: "signal", ...at, signal });
        return;
      }
      case 4:
      case 5: {
        const size = { cols: random.between(2, 250), rows: random.between(1, 80) };
        await this.#call({ op: "resize", ...at, ...size });
        return;
      }
      case 6:
        await this.#call({ op: "rename", ...at, name: random.oneIn(3) ? "" : this.#key() });
        return;
      case 7: {
        const escapes = random.oneIn(2);
        await this.#call({ op: "capture", ...at, scrollback: random.below(3_000), escapes });
        return;
      }
      case 8:
        await this.#call({ op: "list", sessionId: at.sessionId });
        return;
      case 9:
      case 10:
        return this.#waitAndCancel(at);
      case 11:
        await this.#call({ op: "read", ...at });
        return;
      default: {
        const keys = random.one([["Enter"], ["C-c"], ["C-d"], ["words", "Enter"], [TEXT]]);
        await this.#onceFor({ op: "send", key: this.#key(), ...at, keys, literal: false });
      }
    }
  }

  /** Waits that end by themselves, by a cancellation, or with the connection. */
  async #waitAndCancel(at: { sessionId: string; target: string }): Promise<void> {
    const { random } = this.#scene;
    const peer = await this.#connected();
    const wait = random.one(WAITS);
    const waiting = peer.begin({ op: "read", peek: true, ...at, wait });
    // Behind it, so that it has begun.
    await peer.call({ op: "cursor", ...at });
    if (random.oneIn(6)) return this.leave();
    peer.send({ type: "cancel", id: waiting.id });
    this.#note(await waiting.answer);
  }

  async #call(call: HostCall): Promise<Answer> {
    const answer = await (await this.#connected()).call(call);
    this.#note(answer);
    return answer;
  }

  /** A call with a key. Now and then the connection is cut somewhere in it, and it is made again. */
  async #onceFor(call: HostCall): Promise<Answer> {
    const { random } = this.#scene;
    if (random.oneIn(5)) {
      const length = JSON.stringify(call).length;
      await (await this.#connected()).cut(
        { type: "call", id: 1_000_000, call },
        random.oneIn(3) ? length + 1_000 : random.below(length),
      );
    }
    return this.#call(call);
  }

  async #connected(): Promise<Peer> {
    if (this.#peer === undefined || this.#peer.socket.closed) {
      this.#peer = await Peer.connect(this.#scene.path);
    }
    return this.#peer;
  }

  #note(answer: Answer): void {
    if (!("error" in answer)) return;
    const words = answer.error
      .replace(/"[^"]*"/g, '"…"')
      .replace(/the session has.*/, "the session has …")
      .replace(/\d+/g, "N");
    const { refusals } = this.#scene;
    refusals.set(words, (refusals.get(words) ?? 0) + 1);
  }

  #key(): string {
    this.#keys += 1;
    return `${this.#name}-${this.#keys}`;
  }
}

/** More than the kernel holds for a program that does not read. */
const TEXT = "a line that is typed\r".repeat(2_000);

const SIGNALS = ["SIGINT", "SIGTERM", "SIGKILL", "SIGSTOP", "SIGCONT", "SIGHUP"] as const;

const WAITS: readonly [TerminalWait, ...TerminalWait[]] = [
  { until: "quiet", quietMs: 50, timeoutMs: 2_000 },
  { until: "exit", timeoutMs: 60_000 },
  { until: "match", pattern: "\\d+ [a-z]+$", timeoutMs: 60_000 },
  { until: "match", pattern: "(a+)+$", timeoutMs: 1_000 },
  { until: "match", pattern: "never said", timeoutMs: 30 },
];
