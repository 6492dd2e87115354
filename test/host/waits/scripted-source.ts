import { Signal } from "../../../src/host/signal.ts";
import { SharedTexts } from "../../../src/host/waits/shared-texts.ts";
import type { OutputSource } from "../../../src/host/waits/source.ts";
import { Recorder } from "../plain/recorder.ts";

/** A terminal that says what the test has it say. */
export class ScriptedSource implements OutputSource {
  readonly recorder = new Recorder();
  readonly texts = new SharedTexts(this.recorder);
  isEnded = false;
  isClosed = false;
  listeners = 0;
  readonly #signal = new Signal();

  get end(): number {
    return this.recorder.ring.end;
  }

  onOutput(listener: () => void): () => void {
    this.listeners += 1;
    const end = this.#signal.on(listener);
    return () => {
      this.listeners -= 1;
      end();
    };
  }

  write(output: string | Uint8Array): void {
    this.recorder.write(output);
    this.#signal.emit();
  }

  exit(): void {
    this.isEnded = true;
    this.#signal.emit();
  }

  close(): void {
    this.isClosed = true;
    this.#signal.emit();
  }
}
