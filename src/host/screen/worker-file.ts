/** Where the worker of the screens is in the built package: all programs there lie one folder deep. From the sources it
 * cannot be started, as Node reads no TypeScript: then it has to be built first and passed in. */
export function workerFile(): URL {
  if (import.meta.url.endsWith(".ts")) {
    throw new Error(
      "The worker of the screens is not built: expected option `worker` with the URL of a build of src/host/screen/worker.ts",
    );
  }
  const built = "../host/screen-worker.js";
  return new URL(built, import.meta.url);
}
