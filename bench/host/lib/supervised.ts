import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { dirname, join } from "node:path";
import {
  encodeFrame,
  FrameReader,
  type HostRequest,
  type HostResponse,
  type TerminalOperation,
} from "../../../src/host/supervisor/index.ts";
import type { PrivateHost } from "./private-host.ts";

type Start = Extract<TerminalOperation, { action: "start" }>;

// biome-ignore lint/suspicious/noExplicitAny: what is read of a result is what the benchmark asked for.
type Result = any;

/** A connection that speaks the supervisor dialect with a host. Answers come in the order of the requests. */
export class SupervisorLink {
  readonly #socket: Socket;
  readonly #waiting: ((answer: HostResponse) => void)[] = [];
  #ponged = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    const reader = new FrameReader();
    socket.on("data", (chunk: Buffer) => {
      for (const frame of reader.push(chunk)) this.#take(frame as HostResponse);
    });
  }

  static async open(host: PrivateHost): Promise<SupervisorLink> {
    const socket = connect(join(dirname(host.path), "supervisor.sock"));
    await once(socket, "connect");
    return new SupervisorLink(socket);
  }

  /** Does an operation; what it answers. Rejects where it is refused. */
  async operate(operation: TerminalOperation): Promise<Result> {
    const request_id = randomBytes(16).toString("hex");
    this.#send({ kind: "terminal", request_id, operation });
    const answer = await new Promise<HostResponse>((resolve) => this.#waiting.push(resolve));
    if (answer.kind !== "terminal" || answer.output.is_error) {
      throw new Error(`${operation.action} was answered with ${JSON.stringify(answer)}`);
    }
    const { structured } = answer.output as Result;
    return structured.success[operation.action];
  }

  /** Resolves once everything that was asked has begun: a pong waits for nothing. */
  begun(): Promise<void> {
    this.#send({ kind: "ping" });
    return new Promise((resolve) => {
      this.#ponged = resolve;
    });
  }

  /** Starts a command of bash in a workspace; the id of its session. */
  async start(command: string, workspace: string, more: Partial<Start> = {}): Promise<string> {
    const { session } = await this.operate({
      action: "start",
      backend: "native",
      workspace_root: workspace,
      cwd: workspace,
      initial_monitors: [],
      command,
      shell: "/bin/bash",
      arguments: ["--norc", "-c", command],
      rows: 24,
      columns: 80,
      ...more,
    });
    return session.session_id;
  }

  end(): void {
    this.#socket.destroy();
  }

  #send(request: HostRequest): void {
    this.#socket.write(encodeFrame(request));
  }

  #take(answer: HostResponse): void {
    if (answer.kind === "pong") this.#ponged();
    else this.#waiting.shift()?.(answer);
  }
}
