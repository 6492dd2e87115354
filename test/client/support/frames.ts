import type { TerminalInfo } from "../../../src/index.ts";

export const HERE = "0123456789abcdef0123456789abcdef";
export const THERE = "fedcba9876543210fedcba9876543210";
const EPOCH = "00000000000000aa";

/** The answer to a greeting. */
export const PUBLISHER = {
  protocol_version: 4,
  instance: HERE,
  instances: [{ id: HERE, host: "desk", reachable: true }],
  capabilities: [],
  version: "1.0.0",
  started_at: 1_790_000_000_000,
};

export function terminal(number: number, more: Partial<TerminalInfo> = {}): TerminalInfo {
  return { instance: HERE, id: `tmux:a/${number}`, state: "running", command: ["zsh"], ...more };
}

export function gone(number: number, instance = HERE) {
  return { instance, id: `tmux:a/${number}`, removed: true };
}

interface Head {
  topic?: string;
  snapshot?: true;
  instance?: string;
  epoch?: string;
  seq?: number;
  prev_seq?: number;
  more?: true;
}

/** A frame of `terminals`, with the chain where `head` gives one. */
export function frame(head: Head, terminals: object[], rest: object = {}) {
  return { ev: "topic", topic: "terminals", instance: HERE, ...head, data: { terminals, ...rest } };
}

export function snapshot(seq: number, terminals: object[], head: Head = {}, rest: object = {}) {
  return frame({ snapshot: true, epoch: EPOCH, seq, ...head }, terminals, rest);
}

export function change(from: number, to: number, terminals: object[], head: Head = {}) {
  return frame({ epoch: EPOCH, prev_seq: from, seq: to, ...head }, terminals);
}

export function bookmark(seq: number, head: Head = {}) {
  const chain = { epoch: EPOCH, prev_seq: seq, seq, ...head };
  return frame(chain, [], { polled_at: 1_790_000_000_000 });
}

export const EMPTY_AGENTS = {
  ev: "topic",
  topic: "agents",
  snapshot: true,
  instance: HERE,
  data: { agents: [] },
};
