interface Waiting {
  resolve(result: IteratorResult<Uint8Array, undefined>): void;
  reject(error: unknown): void;
}

const DONE = { done: true, value: undefined } as const;

/** Output that waits to be taken, piece by piece. A piece counts as consumed when the next one is asked for: until then
 * somebody is busy with it. */
export class Output implements AsyncIterableIterator<Uint8Array, undefined> {
  readonly #consumed: (bytes: number) => void;
  readonly #pieces: Uint8Array[] = [];
  readonly #waiting: Waiting[] = [];
  #handedOut = 0;
  #end: { readonly error: Error | undefined } | undefined;

  constructor(consumed: (bytes: number) => void) {
    this.#consumed = consumed;
  }

  push(bytes: Uint8Array): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#pieces.push(bytes);
    else waiting.resolve(this.#handOut(bytes));
  }

  /** No more will come. What waits can still be taken; after that an error is thrown, once. */
  end(error?: Error): void {
    if (this.#end !== undefined) return;
    this.#end = { error };
    for (const waiting of this.#waiting.splice(0)) this.#finish(waiting);
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#take();
    const bytes = this.#pieces.shift();
    if (bytes !== undefined) return Promise.resolve(this.#handOut(bytes));
    return new Promise((resolve, reject) => {
      if (this.#end === undefined) this.#waiting.push({ resolve, reject });
      else this.#finish({ resolve, reject });
    });
  }

  /** Ends a loop, not the output: another loop goes on with it. */
  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#take();
    return Promise.resolve(DONE);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #handOut(bytes: Uint8Array): IteratorResult<Uint8Array, undefined> {
    this.#handedOut += bytes.length;
    return { done: false, value: bytes };
  }

  #take(): void {
    const bytes = this.#handedOut;
    this.#handedOut = 0;
    if (bytes > 0) this.#consumed(bytes);
  }

  #finish({ resolve, reject }: Waiting): void {
    const error = this.#end?.error;
    this.#end = { error: undefined };
    if (error === undefined) resolve(DONE);
    else reject(error);
  }
}
