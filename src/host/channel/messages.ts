export { EVENTS, TerminalEvent } from "./events.ts";
export { CALLS, HostCall, TerminalSignal, TerminalWait } from "./host-call.ts";
export { TerminalInfo, TerminalTheme } from "./info.ts";
export { REQUESTS, TerminalRequest } from "./requests.ts";
export { HostResult, TerminalRead } from "./results.ts";
