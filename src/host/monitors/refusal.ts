/** Why something is not done with monitors. */
export type MonitorRefusalCode =
  | "invalid_request"
  | "path_outside_workspace"
  | "capacity_exceeded"
  | "monitor_unavailable"
  | "invalid_lifecycle";

/** Monitors do not do what they were asked for. */
export class MonitorRefusal extends Error {
  override readonly name = "MonitorRefusal";
  readonly code: MonitorRefusalCode;

  constructor(code: MonitorRefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}
