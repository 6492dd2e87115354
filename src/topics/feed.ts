/** The position of a reader that holds nothing yet. There is no way from there but a snapshot. */
export const NOWHERE = -1;

/** One instance's part of a topic: its value now, and how a reader gets there from where it stands.
 * Frames are encoded once and shared by all readers that need the same ones. */
export interface Feed {
  readonly topic: string;
  readonly instance: string;
  /** Where the value stands: 0 at first. Grows with every change of it. */
  readonly position: number;
  /** Grows with every bookmark. */
  readonly bookmarks: number;
  /** The frames that state the value as a whole. */
  snapshot(): readonly Uint8Array[];
  /** The frames that take a reader from a position to the value now. `undefined` where the way from
   * there is not known or no longer: the reader needs a snapshot. */
  since(position: number): readonly Uint8Array[] | undefined;
  /** The newest bookmark, for a reader that holds the value as it is now. */
  bookmark(): Uint8Array | undefined;
  /** No reader stands before that position any more, so what only led there may be forgotten. */
  forget(position: number): void;
}
