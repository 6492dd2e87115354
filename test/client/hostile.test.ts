import { describe, expect, it } from "vitest";
import { Lines } from "../../src/client/lines.ts";
import { weigh } from "../../src/client/weigh.ts";
import { isValid, MAX_FRAME_BYTES, TOPIC_SCHEMAS } from "../../src/index.ts";
import { bookmark, change, frame, HERE, snapshot, terminal } from "./support/frames.ts";
import { Subscriber } from "./support/subscriber.ts";

function live(options = {}): Subscriber {
  const subscriber = new Subscriber(["terminals"], options);
  subscriber.peer.welcome();
  subscriber.peer.give("terminals", snapshot(1, [terminal(1)]));
  return subscriber;
}

function linesOf(...chunks: string[]): (string | null)[] {
  const seen: (string | null)[] = [];
  const lines = new Lines(
    (line) => seen.push(line),
    () => seen.push(null),
  );
  for (const chunk of chunks) lines.push(chunk);
  return seen;
}

describe("lines", () => {
  it("are put together from text that came cut anywhere", () => {
    expect(linesOf("a", "b\nc\n\n", "", "d", "\r\n  \ne")).toEqual(["ab", "c", "d\r"]);
  });

  it("over the limit are dropped up to their newline, and told once", () => {
    const half = "x".repeat(MAX_FRAME_BYTES / 2);
    expect(linesOf(half, half, "\n", "a\n")).toEqual([half + half, "a"]);
    expect(linesOf(half, half, "x", half, half, "yz\nb\n")).toEqual([null, "b"]);
    expect(linesOf(`${half}${half}x\na\n`)).toEqual([null, "a"]);
    expect(linesOf(half, half, "x")).toEqual([null]);
  });

  it("are counted in bytes, not in characters", () => {
    const fits = "é".repeat(MAX_FRAME_BYTES / 2);
    expect(linesOf(`${fits}\n`, `${fits}é\n`, "a\n")).toEqual([fits, null, "a"]);
  });
});

describe("what cannot be read", () => {
  const lines = [
    "nonsense",
    "[]",
    "null",
    "17",
    "{}",
    '{"ev":1}',
    '{"ev":"topic"}',
    '{"ok":true}',
    '{"ev":"topic","topic":7}',
  ];
  for (const line of lines) {
    it(`is left out and told: ${line}`, () => {
      const subscriber = live();
      subscriber.peer.events.text(`${line}\n`);
      subscriber.peer.say(change(1, 2, [terminal(2)]));
      expect(subscriber.kinds()).toEqual(["unreadable_line"]);
      expect(subscriber.ids).toEqual(["tmux:a/1", "tmux:a/2"]);
    });
  }

  it("includes a line over the limit; the chain shows what it was", () => {
    const subscriber = live();
    subscriber.peer.events.text("x".repeat(MAX_FRAME_BYTES + 1));
    subscriber.peer.events.text("x".repeat(MAX_FRAME_BYTES + 1));
    subscriber.peer.events.text("\n");
    expect(subscriber.kinds()).toEqual(["unreadable_line"]);
    subscriber.peer.say(bookmark(2));
    expect(subscriber.kinds()).toEqual(["unreadable_line", "hole"]);
    expect(subscriber.peer.asked("topic.subscribe")).toHaveLength(2);
  });

  it("includes a frame that does not fit its schema, told with the place", () => {
    const subscriber = live();
    subscriber.peer.say(change(1, 2, [{ ...terminal(2), pid: 0 }]));
    expect(subscriber.problems).toMatchObject([{ kind: "invalid_frame", topic: "terminals" }]);
    expect(subscriber.problems[0]?.faults?.[0]?.path).toMatch(/^\/data\/terminals\/0/);
    expect(subscriber.ids).toEqual(["tmux:a/1"]);
  });

  it("is asked for again where no chain would show it, but not without end", () => {
    const subscriber = new Subscriber();
    subscriber.peer.welcome();
    const invalid = frame({ snapshot: true }, [{ id: "no" }]);
    let answered = 0;
    for (let elapsed = 0; elapsed < 60_000; elapsed += 100) {
      if (subscriber.peer.asked("topic.subscribe").length > answered) {
        answered += 1;
        subscriber.peer.give("terminals", invalid);
      }
      for (const { request_id } of subscriber.peer.asked("instance.ping")) {
        subscriber.peer.say({ ok: true, request_id });
      }
      subscriber.clock.advance(100);
    }
    expect(answered).toBeGreaterThan(3);
    expect(answered).toBeLessThan(20);
    expect(subscriber.subscription.view("terminals").status).toBe("waiting");
  });

  it("may be judged by another check, whose throwing counts as a no", () => {
    const checked: unknown[] = [];
    const subscriber = live({
      isFrame: (topic: "terminals", value: { data: { terminals: unknown[] } }) => {
        checked.push(value);
        if (value.data.terminals.length === 0) throw new RangeError("too deep");
        return isValid(TOPIC_SCHEMAS[topic], value);
      },
    });
    subscriber.peer.say(bookmark(1));
    expect(checked).toHaveLength(2);
    expect(subscriber.kinds()).toEqual(["invalid_frame"]);
  });

  it("includes complaints about our requests and replies that nobody waits for", () => {
    const subscriber = live();
    subscriber.peer.say({ ok: false, error: { code: "bad_request", msg: "what?" } });
    subscriber.peer.say({ ok: false, error: "what?" });
    subscriber.peer.say({ ok: true, request_id: "999" });
    subscriber.peer.say({ ev: "net_online", instance: HERE, online: true });
    subscriber.peer.say({ ev: "topic", topic: "constructor" });
    subscriber.peer.say({ ev: "topic", topic: "agents" });
    expect(subscriber.problems).toMatchObject([
      { kind: "error_reply", error: { code: "bad_request" } },
      { kind: "error_reply", error: { code: "internal_error" } },
    ]);
  });

  it("includes rows nested deeper than the stack", () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const subscriber = live();
    const text = JSON.stringify(change(1, 2, [terminal(2)])).replace(
      '"zsh"]',
      `"zsh"],"x":${deep}`,
    );
    subscriber.peer.events.text(`${text}\n`);
    subscriber.peer.events.text(`${text.replace('"prev_seq":1', '"prev_seq":2')}\n`);
    expect(["live", "stale"]).toContain(subscriber.state);
    subscriber.peer.say(snapshot(3, [terminal(3)]));
    expect(subscriber.ids).toEqual(["tmux:a/3"]);
  });
});

describe("a publisher that states more and more", () => {
  it("fails the subscription before the rows fill the memory", () => {
    const subscriber = live({ heldBytes: 100_000 });
    let seq = 1;
    while (subscriber.state === "live" && seq < 10_000) {
      subscriber.peer.say(change(seq, seq + 1, [terminal(seq + 1)]));
      seq += 1;
    }
    expect(subscriber.subscription.status).toMatchObject({ error: { reason: "too_large" } });
    expect(subscriber.ids.length).toBeGreaterThan(100);
    expect(subscriber.ids.length).toBeLessThan(1_000);
    expect(subscriber.clock.pending).toBe(0);
  });

  it("is let be where rows come and go", () => {
    const subscriber = live({ heldBytes: 20_000 });
    for (let seq = 1; seq < 2_000; seq += 1) {
      const id = `tmux:a/${seq}`;
      const removed = { instance: HERE, id, removed: true };
      subscriber.peer.say(change(seq, seq + 1, [terminal(seq + 1), removed]));
      if (seq % 500 === 0) subscriber.peer.say(snapshot(seq + 1, [terminal(seq + 1)]));
    }
    expect(subscriber.state).toBe("live");
    expect(subscriber.ids).toEqual(["tmux:a/2000"]);
  });

  it("may also do it with instances, or with parts that never end", () => {
    const instances = live({ heldBytes: 100_000 });
    for (let number = 0; number < 1_000; number += 1) {
      const instance = number.toString(16).padStart(32, "0");
      instances.peer.say(change(5, 6, [], { instance }));
    }
    expect(instances.state).toBe("failed");

    const parts = live({ heldBytes: 100_000 });
    for (let number = 0; number < 10_000; number += 1) {
      parts.peer.say(change(1, 1, [terminal(number)], { more: true }));
    }
    expect(parts.state).toBe("failed");
  });

  it("is measured by what its values take", () => {
    expect(weigh(undefined)).toBe(weigh(null));
    expect(weigh("x".repeat(1_000))).toBeGreaterThan(1_000);
    expect(weigh({ ["k".repeat(1_000)]: 1 })).toBeGreaterThan(1_000);
    expect(weigh(Array.from({ length: 1_000 }, () => 0))).toBeGreaterThan(8_000);
  });
});
