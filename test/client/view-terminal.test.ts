import { describe, expect, test } from "vitest";
import { ViewError } from "../../src/client/view-failure.ts";
import type { ViewSocket, ViewSocketEvents } from "../../src/client/view-socket.ts";
import { type ViewOptions, viewTerminal } from "../../src/client/view-terminal.ts";
import { VIEW_ACK_BYTES } from "../../src/contract/view.ts";

const TERMINAL = { id: "pty:a%20b", title: "", cols: 80, rows: 24 };

/** A viewer over a socket that the test plays the publisher on. */
function viewing(options: Partial<ViewOptions> = {}) {
  const sent: (string | number)[] = [];
  const told: unknown[] = [];
  const made: { address: string; protocols: readonly string[]; events: ViewSocketEvents }[] = [];
  let isClosed = false;
  const open = (address: string, protocols: string[], events: ViewSocketEvents): ViewSocket => {
    made.push({ address, protocols, events });
    return {
      waiting: 7,
      send: (data) => void sent.push(typeof data === "string" ? data : data.length),
      close: () => {
        isClosed = true;
      },
    };
  };
  const shown: (() => void)[] = [];
  const viewer = viewTerminal({
    ...{ endpoint: "http://h.example/t/", id: TERMINAL.id, open },
    output: (bytes, isShown) => {
      told.push(bytes.length);
      shown.push(isShown);
    },
    attached: (terminal) => told.push(["attached", terminal]),
    changed: (terminal) => told.push(["changed", terminal]),
    skipped: (bytes) => told.push(["skipped", bytes]),
    busy: (program) => told.push(["busy", program]),
    error: (message) => told.push(["error", message]),
    closed: () => told.push("closed"),
    end: ({ reason, message, code }) => told.push(["end", reason, message, code]),
    ...options,
  });
  const [socket] = made;
  if (socket === undefined) throw new Error("no socket was made");
  const event = (value: object) => socket.events.text(JSON.stringify(value));
  const attach = () => event({ type: "attached", terminal: TERMINAL });
  const { address, protocols, events } = socket;
  return {
    ...{ viewer, sent, told, shown, address, protocols, events, event, attach },
    isClosed: () => isClosed,
  };
}

describe("a viewer", () => {
  test("goes to the terminal's own address, and takes its token nowhere but into the subprotocols", () => {
    const { address, protocols } = viewing({ token: "secret", readOnly: true });
    expect(address).toBe("ws://h.example/t/terminals/pty%3Aa%2520b?read_only=true");
    expect(protocols).toEqual(["ccmsg.v1", "ccmsg.token.secret"]);
    expect(viewing().protocols).toEqual(["ccmsg.v1"]);
    expect(viewing().address).toBe("ws://h.example/t/terminals/pty%3Aa%2520b");
  });

  test("is not made for what is no endpoint", () => {
    expect(() => viewing({ endpoint: "ws://h.example/" })).toThrow("`endpoint` must be an http");
  });

  test("sends nothing before it is attached and after its end", () => {
    const { viewer, sent, attach, events } = viewing();
    const all = () => {
      viewer.write(new Uint8Array(3));
      viewer.resize(1, 1);
      viewer.close();
    };
    all();
    expect(sent).toEqual([]);
    attach();
    all();
    expect(sent).toEqual([3, '{"type":"resize","cols":1,"rows":1}', '{"type":"close"}']);
    events.end({ code: 1001 });
    all();
    expect(sent).toHaveLength(3);
  });

  test("acknowledges in steps what was shown, each piece once", () => {
    const { sent, shown, attach, events } = viewing();
    attach();
    const half = VIEW_ACK_BYTES / 2;
    for (let piece = 0; piece < 3; piece += 1) events.bytes(new Uint8Array(half));
    expect(sent).toEqual([]);
    shown[0]?.();
    shown[0]?.();
    expect(sent).toEqual([]);
    shown[1]?.();
    expect(sent).toEqual([`{"type":"ack","bytes":${VIEW_ACK_BYTES}}`]);
    shown[2]?.();
    expect(sent).toHaveLength(1);
  });

  test("acknowledges in smaller steps where that is asked for", () => {
    const { sent, shown, attach, events } = viewing({ ackBytes: 10 });
    attach();
    events.bytes(new Uint8Array(11));
    shown[0]?.();
    expect(sent).toEqual(['{"type":"ack","bytes":11}']);
  });

  test("tells what it is told, and knows the terminal as it was told last", () => {
    const { viewer, told, attach, event } = viewing();
    expect(viewer.terminal).toBeUndefined();
    attach();
    const changed = { ...TERMINAL, title: "vi", exited: { code: 0 } };
    event({ type: "changed", terminal: changed });
    event({ type: "skipped", terminalId: TERMINAL.id, bytes: 9 });
    event({ type: "busy", terminalId: TERMINAL.id, program: "make" });
    event({ type: "error", message: "no" });
    expect(told).toEqual([
      ["attached", TERMINAL],
      ["changed", changed],
      ["skipped", 9],
      ["busy", "make"],
      ["error", "no"],
    ]);
    expect(viewer.terminal).toEqual(changed);
    expect(viewer.waiting).toBe(7);
  });

  test("passes over what it does not know: a newer publisher may say more", () => {
    const { told, attach, event, events } = viewing();
    attach();
    for (const text of ["", "{", "[]", "null", "7"]) events.text(text);
    event({ type: "news", of: "tomorrow" });
    event({ type: "changed", terminal: { ...TERMINAL, cols: 0 } });
    event({ type: "skipped" });
    expect(told).toHaveLength(1);
    event({ type: "busy", terminalId: TERMINAL.id, since: 3 });
    expect(told).toHaveLength(2);
  });

  test("that has left is told nothing and asks for nothing any more", () => {
    const { viewer, told, attach, events, isClosed } = viewing();
    attach();
    viewer.leave();
    expect(isClosed()).toBe(true);
    events.bytes(new Uint8Array(1));
    attach();
    events.end({ code: 1001 });
    viewer.write(new Uint8Array(1));
    expect(told).toHaveLength(1);
  });

  test("is told once why it could not be had, in the publisher's words", () => {
    const { told, event, events } = viewing();
    event({ type: "error", message: "only tmux can show it: tmux attach" });
    events.end({ code: 4405 });
    events.end({ code: 1006 });
    expect(told).toEqual([["end", "unsupported", "only tmux can show it: tmux attach", 4405]]);
  });

  test("is told that the terminal was closed, and of no failure", () => {
    const { told, attach, event, events } = viewing();
    attach();
    event({ type: "closed", terminalId: TERMINAL.id });
    events.end({ code: 1000 });
    expect(told.slice(1)).toEqual(["closed"]);
  });

  test("needs a WebSocket where nothing else is given", () => {
    const { WebSocket } = globalThis;
    Reflect.deleteProperty(globalThis, "WebSocket");
    try {
      const bare = { endpoint: "http://h.example/", id: TERMINAL.id, output() {} };
      expect(() => viewTerminal(bare)).toThrow("needs a global `WebSocket`");
    } finally {
      if (WebSocket !== undefined) Object.assign(globalThis, { WebSocket });
    }
  });
});

test.each([
  [{ code: 1006, status: 401 }, "unauthorised"],
  [{ code: 1006, status: 403 }, "refused"],
  [{ code: 1006, status: 404 }, "refused"],
  [{ code: 1006, status: 429 }, "lost"],
  [{ code: 1006, status: 503 }, "lost"],
  [{ code: 1006 }, "lost"],
  [{ code: 1001 }, "lost"],
  [{ code: 1012 }, "lost"],
  [{ code: 4403 }, "refused"],
  [{ code: 4404 }, "gone"],
  [{ code: 4405 }, "unsupported"],
  [{ code: 4408 }, "too_slow"],
  [{ code: 4503 }, "lost"],
] as const)("an end with %j is %s", (end, reason) => {
  expect(ViewError.of(end)).toMatchObject({ reason, code: end.code });
});
