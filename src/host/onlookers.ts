/** A screen's size in cells. */
export interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** Those who look at a terminal. It has the size of whoever was active last: typed, or stated a size. The others show
 * what fits. */
export class Onlookers {
  /** In the order of their activity, the latest last. One without a size has never stated one. */
  readonly #sizes = new Map<object, Size | undefined>();

  get count(): number {
    return this.#sizes.size;
  }

  add(viewer: object): void {
    // Looking is no activity yet: those who have a size keep their places.
    this.#sizes.set(viewer, undefined);
  }

  stated(viewer: object, size: Size): void {
    this.#sizes.delete(viewer);
    this.#sizes.set(viewer, size);
  }

  /** Answers the size that the terminal is to have now; `undefined` where the viewer never stated one. */
  active(viewer: object): Size | undefined {
    const size = this.#sizes.get(viewer);
    if (size !== undefined) this.stated(viewer, size);
    return size;
  }

  /** Answers the size that the terminal is to have now; `undefined` where it stays as it is. */
  remove(viewer: object): Size | undefined {
    const wasLatest = this.#latest()?.[0] === viewer;
    this.#sizes.delete(viewer);
    return wasLatest ? this.#latest()?.[1] : undefined;
  }

  #latest(): [object, Size | undefined] | undefined {
    return [...this.#sizes].filter(([, size]) => size !== undefined).at(-1);
  }
}
