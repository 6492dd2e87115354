import manifest from "../../package.json" with { type: "json" };

/** The build, for display only. */
export const VERSION: string = manifest.version;
