/** Milliseconds since 1970 as this process counts them: publishers on this host state about the same, and it never goes back. */
export const now = (): number => performance.timeOrigin + performance.now();
