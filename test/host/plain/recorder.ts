import type { RecordedOutput } from "../../../src/host/plain/recorded.ts";
import { Ring } from "../../../src/host/ring.ts";
import { Scanner } from "../../../src/host/vt/scanner.ts";

/** The output of a terminal that the test writes. */
export class Recorder implements RecordedOutput {
  readonly ring: Ring;
  readonly scanner: Scanner;
  cols = 80;

  constructor(limit = 1024 * 1024) {
    this.ring = new Ring(limit);
    const nothing = { title() {}, bell() {}, alternate() {}, modes() {}, query() {} };
    this.scanner = new Scanner(nothing, limit);
  }

  write(output: string | Uint8Array): void {
    const bytes = Buffer.from(output);
    this.ring.append(bytes);
    this.scanner.feed(bytes);
  }
}
