import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { PROTOCOL_VERSION, type TopicFrame } from "../../../src/contract/envelope.ts";
import type { FrameRecord, ReaderHistory, ReaderRecord } from "../history/history.ts";
import { now } from "./now.ts";
import type { Publisher } from "./publisher.ts";

/** How soon a reader comes back, in milliseconds. */
const RETRY_MS = 150;

interface Reply {
  readonly ok?: boolean;
  readonly request_id?: string;
  readonly error?: object;
}

/** A reader of one instance that writes down what it is sent. It comes back whenever its connection ends. */
export class Reader {
  readonly name: string;
  readonly #publisher: Publisher;
  readonly #topics: readonly string[];
  #records: ReaderRecord[] = [];
  #socket: WebSocket | undefined;
  #isWanted = true;
  #isGreeted = false;
  #loop: Promise<void>;

  constructor(name: string, publisher: Publisher, topics: readonly string[]) {
    this.name = name;
    this.#publisher = publisher;
    this.#topics = topics;
    this.#loop = this.#stay();
  }

  get history(): ReaderHistory {
    return { name: this.name, gateway: this.#publisher.id, records: this.#records };
  }

  get frames(): readonly FrameRecord[] {
    return this.#records.flatMap((record) => (record.kind === "frame" ? [record] : []));
  }

  /** Asks for a topic that it has once more. While it is not let in, nobody is asked. */
  ask(topic: string): void {
    if (this.#socket !== undefined && this.#isGreeted)
      this.#send(this.#socket, "topic.subscribe", topic, { topic });
  }

  /** It takes nothing any more of what it is sent. */
  stall(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.pause();
    this.#records.push({ kind: "stalled", at: now() });
  }

  flow(): void {
    if (this.#socket?.isPaused !== true) return;
    this.#records.push({ kind: "flowing", at: now() });
    this.#socket.resume();
  }

  /** Goes away, and stays there until `come`. */
  async leave(): Promise<void> {
    this.#isWanted = false;
    this.#socket?.terminate();
    await this.#loop;
  }

  come(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#loop = this.#stay();
  }

  /** What it was told so far is forgotten. Only while it is away. */
  forget(): void {
    this.#records = [];
  }

  async #stay(): Promise<void> {
    while (this.#isWanted) {
      const { address } = this.#publisher;
      if (address !== undefined) await this.#connect(address.url, address.token);
      if (this.#isWanted) await sleep(RETRY_MS);
    }
  }

  /** Resolves once the connection has ended. */
  #connect(url: string, token: string): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    const socket = new WebSocket(url, { headers, perMessageDeflate: false });
    this.#socket = socket;
    let isOpen = false;
    return new Promise((resolve) => {
      socket.on("open", () => {
        isOpen = true;
        this.#records.push({ kind: "connected", at: now() });
        this.#send(socket, "hello.user", "hello", { protocol_version: PROTOCOL_VERSION });
      });
      socket.on("message", (data: Buffer) => {
        const at = now();
        for (const line of data.toString("utf8").split("\n"))
          if (line !== "") this.#take(socket, line, at);
      });
      socket.on("error", () => {});
      socket.on("close", (code) => {
        const at = now();
        this.#isGreeted = false;
        if (isOpen) this.#records.push(this.#ended(at, code));
        resolve();
      });
    });
  }

  #ended(at: number, code: number): ReaderRecord {
    return this.#isWanted ? { kind: "disconnected", at, code } : { kind: "left", at };
  }

  #take(socket: WebSocket, line: string, at: number): void {
    const message: TopicFrame & Reply = JSON.parse(line);
    if (message.ev === "topic") {
      const bytes = Buffer.byteLength(line);
      this.#records.push({ kind: "frame", at, bytes, frame: message });
      return;
    }
    if (message.ok === false) throw new Error(`${this.name} was refused: ${line}`);
    if (message.request_id === "hello") {
      this.#isGreeted = true;
      for (const topic of this.#topics) this.#send(socket, "topic.subscribe", topic, { topic });
    } else if (message.request_id !== undefined) {
      this.#records.push({ kind: "subscribed", at, topic: message.request_id });
    }
  }

  #send(socket: WebSocket, op: string, request_id: string, args: object): void {
    socket.send(`${JSON.stringify({ op, request_id, ...args })}\n`);
  }
}
