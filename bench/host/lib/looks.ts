/** How somebody looks at a terminal: with the host's client, or with a program of another system, on a pseudo-terminal of
 * its own. */
export type Look =
  | {
      readonly kind: "host";
      /** The host's socket. */
      readonly path: string;
      readonly terminalId: string;
      /** Acknowledges in small steps. */
      readonly slowLink?: boolean;
      readonly bytesPerSecond?: number;
    }
  | {
      readonly kind: "program";
      readonly file: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly bytesPerSecond?: number;
    };

/** What a watcher has been shown since it was last asked. */
export interface Shown {
  readonly bytes: number;
  /** CRC-32 of all of it. */
  readonly sum: number;
  /** How much it was told of that it was not shown, in bytes. */
  readonly skipped: number;
}

/** Things that a watcher is asked to do, one after the other. */
export type Request =
  | { readonly do: "look"; readonly look: Look }
  | { readonly do: "leave" }
  | { readonly do: "shown" }
  /** Types something; answers how long it took until the text was shown, in milliseconds, infinitely where it was not. */
  | { readonly do: "type"; readonly keys: string; readonly until?: string }
  /** Types one letter after the other; answers how long each took to show, in milliseconds. */
  | { readonly do: "echo"; readonly keys: number }
  /** Looks anew, again and again; answers how long it took until the text was shown, in milliseconds. */
  | { readonly do: "attach"; readonly look: Look; readonly until: string; readonly times: number };
