import { signal } from "@preact/signals";

/** The instance of the publisher that serves this page; absent before it has greeted. */
export const ownInstance = signal<string | undefined>(undefined);
