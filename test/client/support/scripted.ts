import type { Link, LinkEnd, LinkEvents, Transport } from "../../../src/client/index.ts";
import { PUBLISHER } from "./frames.ts";

export interface Request {
  readonly op: string;
  readonly request_id: string;
  readonly topic?: string;
  readonly protocol_version?: number;
  readonly client_version?: string;
}

/** One connection as its publisher sees it. */
export class Peer implements Link {
  readonly events: LinkEvents;
  readonly requests: Request[] = [];
  isClosed = false;

  constructor(events: LinkEvents) {
    this.events = events;
  }

  send(line: string): void {
    if (!line.endsWith("\n")) throw new Error("a line without its newline");
    this.requests.push(JSON.parse(line));
  }

  close(): void {
    this.isClosed = true;
  }

  /** Sends one message as a line. */
  say(message: unknown): void {
    this.events.text(`${JSON.stringify(message)}\n`);
  }

  /** The requests of that op, of that topic where one is named. */
  asked(op: string, topic?: string): Request[] {
    return this.requests.filter(
      (request) => request.op === op && (topic === undefined || request.topic === topic),
    );
  }

  /** Answers the last request of that op. */
  answer(op: string, body: object = {}, topic?: string): void {
    const request = this.asked(op, topic).at(-1);
    if (request === undefined) throw new Error(`no ${op} to answer`);
    this.say({ ok: true, request_id: request.request_id, ...body });
  }

  refuse(op: string, code: string, topic?: string): void {
    const request = this.asked(op, topic).at(-1);
    if (request === undefined) throw new Error(`no ${op} to refuse`);
    this.say({ ok: false, request_id: request.request_id, error: { code, msg: "not today" } });
  }

  /** Opens and lets the client in. */
  welcome(): void {
    this.events.open();
    this.answer("hello.user", PUBLISHER);
  }

  /** Acknowledges the last subscribe request of a topic and sends its first frames. */
  give(topic: string, ...frames: object[]): void {
    this.answer("topic.subscribe", { topic }, topic);
    for (const frame of frames) this.say(frame);
  }

  /** Ends the connection from the publisher's side. */
  end(end: LinkEnd = { code: 1006 }): void {
    this.events.close(end);
  }
}

/** A transport whose other end is the test. */
export class ScriptedTransport implements Transport {
  readonly peers: Peer[] = [];
  wakers: (() => void)[] = [];

  connect(events: LinkEvents): Link {
    const peer = new Peer(events);
    this.peers.push(peer);
    return peer;
  }

  onWake(wake: () => void): () => void {
    this.wakers.push(wake);
    return () => {
      this.wakers = this.wakers.filter((other) => other !== wake);
    };
  }

  /** The newest connection. */
  get peer(): Peer {
    const peer = this.peers.at(-1);
    if (peer === undefined) throw new Error("nobody has dialed");
    return peer;
  }
}
