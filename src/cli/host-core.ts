import type { OpenCore } from "../host/process/core.ts";

/** The host's own core. */
export const openCore: OpenCore = () =>
  Promise.reject(new Error("terminals cannot be opened by this build"));
