/** What the positions of a feed are called on the wire. */
export interface Chain {
  /** One start of the producer. */
  readonly epoch: string;
  /** What readers are told of a position of the feed. */
  seqAt(position: number): number;
  /** No reader stands before that position any more. */
  forget(position: number): void;
}

/** The chain of what is produced here: positions go out as they are. */
export const ownChain = (epoch: string): Chain => ({
  epoch,
  seqAt: (position) => position,
  forget() {},
});

/** From a position of the feed on, until the next mark, the producer's chain stands there. */
interface Mark {
  readonly position: number;
  readonly seq: number;
}

/** The chain of another producer, which is passed on whole. The feed's own positions move more often than it: what is said
 * here of the producer, such as that it is silent, does not move what the producer said. */
export class RelayedChain implements Chain {
  epoch: string;
  #marks: Mark[] = [];

  constructor(epoch: string) {
    this.epoch = epoch;
  }

  /** From the position on the producer stands at `seq`. */
  mark(position: number, seq: number): void {
    if (this.#marks.at(-1)?.position === position) this.#marks.pop();
    if (this.#marks.at(-1)?.seq !== seq) this.#marks.push({ position, seq });
  }

  seqAt(position: number): number {
    return this.#marks.findLast((mark) => mark.position <= position)?.seq ?? 0;
  }

  forget(position: number): void {
    const first = this.#marks.findLastIndex((mark) => mark.position <= position);
    if (first > 0) this.#marks.splice(0, first);
  }
}
