/** Where it is known how terminals and processes are read. */
const PLATFORMS: readonly string[] = ["linux", "darwin"] satisfies NodeJS.Platform[];

/** Throws where terminals of this host cannot be read, before anything is tried. */
export function requirePlatform(): void {
  if (PLATFORMS.includes(process.platform)) return;
  throw new Error(
    `terminals can be read on Linux and macOS only, this is ${process.platform}; \`termtopic ls --url\` and \`termtopic watch --url\` ask a publisher on another host`,
  );
}
