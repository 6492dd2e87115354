export { deviceNumber, ttyDevice, ttyPath } from "./device.ts";
export { processIdentity } from "./identity.ts";
export { createProcessTable } from "./table.ts";
export type * from "./types.ts";
