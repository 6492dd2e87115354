import { createInbox } from "@nats-io/transport-node";
import { describe, expect, test } from "vitest";
import { callSubject, inboxPrefix } from "../../../src/cluster/subjects.ts";
import type { NatsServer } from "../../lib/nats/server.ts";
import { afterTest, greet } from "../../server/support.ts";
import { LOOK } from "../../server/views/support.ts";
import { BUCKET, type Publisher, stranger, two } from "./support.ts";

const OTHER = "0".repeat(32);

const until = (pattern: string) => ({ until: "match", pattern, timeout_ms: 20_000 }) as const;

describe("a call about a terminal of another instance", () => {
  test("does there what it asks for, and answers what it answers there", async () => {
    const { here, there } = await two();
    const { terminal } = here.client();
    const { instance } = there;
    const id = await there.start("cat");
    await terminal.send(id, ["h\u00e9llo", "Enter"], { instance });
    const { text } = await terminal.read(id, { instance, wait: until("h\u00e9llo\\s+h\u00e9llo") });
    expect(text).toContain("h\u00e9llo");
    expect((await terminal.capture(id, { instance })).text).toContain("h\u00e9llo");
    expect(await terminal.resize(id, 91, 17, { instance })).toEqual({ cols: 91, rows: 17 });
    expect(await terminal.rename(id, "job", { instance })).toEqual({ name: "job" });
    await terminal.signal(id, "SIGTERM", { instance });
    await terminal.read(id, { instance, wait: { until: "exit", timeout_ms: 20_000 } });
    await terminal.close(id, { instance });
    expect(await there.session.list()).toEqual([]);
  });

  test("is refused in the owner's own words, with its code and reason", async () => {
    const { here, there } = await two();
    const { terminal } = here.client();
    const { instance } = there;
    await expect(terminal.capture("pty:unlisted", { instance })).rejects.toMatchObject({
      outcome: "refused",
      error: { code: "not_found", reason: "gone" },
    });
    await expect(terminal.gone("pty:unlisted", { instance })).rejects.toMatchObject({
      error: { code: "not_found", msg: expect.stringContaining("nothing is known of") },
    });
    const id = await there.start("sh", "-i");
    await terminal.send(id, ["tail -n +1 -f /etc/passwd", "Enter"], { instance });
    await terminal.read(id, { instance, wait: until("root:") });
    await expect(terminal.close(id, { instance })).rejects.toMatchObject({
      error: { reason: "busy", program: "tail" },
    });
  });

  test("is about the terminal of that instance, and not of one of the same id here", async () => {
    const { here, there } = await two();
    const id = "pty:same";
    for (const [one, name] of [
      [here, "here"],
      [there, "there"],
    ] as const) {
      one.alias(await one.start("sh", "-c", `echo of ${name}; exec cat`), id);
    }
    const { terminal } = here.client();
    for (const [instance, name] of [
      [undefined, "here"],
      [there.instance, "there"],
    ] as const) {
      const where = instance === undefined ? {} : { instance };
      const { text } = await terminal.read(id, { ...where, wait: until("of \\w+") });
      expect(text).toContain(`of ${name}`);
    }
    expect((await terminal.capture(id, { instance: here.instance })).text).toContain("of here");
  });

  test("may only look with the token for that, and is refused before it is passed on", async () => {
    const { here, there } = await two();
    const id = await there.start("cat");
    const { terminal } = here.client(LOOK);
    const { instance } = there;
    const refusal = { error: { code: "forbidden", reason: "read_only" } };
    await expect(terminal.send(id, "x", { instance })).rejects.toMatchObject(refusal);
    await expect(terminal.close(id, { instance, force: true })).rejects.toMatchObject(refusal);
    expect(await there.session.list()).toHaveLength(1);
  });

  test("is done once with its key, whichever instance it comes through", async () => {
    const { here, there } = await two();
    const id = await there.start("cat");
    const { instance } = there;
    const key = "once";
    await here.client().terminal.send(id, ["ab", "Enter"], { instance, key });
    await here.client().terminal.send(id, ["ab", "Enter"], { instance, key });
    await there.client().terminal.send(id, ["ab", "Enter"], { key });
    await here.client().terminal.send(id, ["end", "Enter"], { instance });
    const { text } = await here.client().terminal.read(id, { instance, wait: until("end\\s+end") });
    expect(text.match(/ab/g)).toHaveLength(2);
  });

  test("may wait long, and is given up at its owner when nobody waits any more", async () => {
    const { nats, here, there } = await two({
      here: { isHasty: true },
      there: { isHasty: true },
    });
    const id = await there.start("cat");
    const { instance } = there;
    const client = here.client();
    const waiting = client.terminal.read(id, {
      instance,
      wait: { until: "match", pattern: "never", timeout_ms: 600_000 },
    });
    let isSettled = false;
    const settled = waiting.catch(() => {
      isSettled = true;
    });
    await there.terminals.until(1);
    // In the time of five signs of life it would have been given up without them.
    await signsOfLife(nats, here, 5);
    expect(isSettled).toBe(false);
    client.close();
    await settled;
    await there.terminals.until(0);
  });
});

/** Resolves once so many signs of life were sent to an instance. */
async function signsOfLife(nats: NatsServer, { instance }: Publisher, count: number) {
  const { connection } = await stranger(nats);
  let left = count;
  for await (const message of connection.subscribe(`${inboxPrefix(instance)}.>`)) {
    if (message.string().includes("alive")) left -= 1;
    if (left === 0) return;
  }
}

describe("an instance that cannot be reached", () => {
  const unreachable = (words: string) => ({
    outcome: "refused",
    error: { code: "instance_unreachable", msg: expect.stringContaining(words) },
  });

  /** It may have been done. */
  const unanswered = (words: string) => ({
    outcome: "unknown",
    error: {
      code: "instance_unreachable",
      reason: "no_answer",
      msg: expect.stringContaining(words),
    },
  });

  test("is told as that: unknown, out of reach, or gone before it had answered", async () => {
    const { here, there } = await two();
    const { terminal } = here.client();
    const { instance } = there;
    const id = await there.start("cat");
    await expect(terminal.capture(id, { instance: OTHER })).rejects.toMatchObject(
      unreachable("it is not there"),
    );
    const wait = { until: "exit", timeout_ms: 600_000 } as const;
    const waiting = terminal.read(id, { instance, wait }).catch((error: unknown) => error);
    await there.terminals.until(1);
    here.link.cut();
    expect(await waiting).toMatchObject(
      unanswered("the connection was lost; it may have been done"),
    );
    await here.becomes(false);
    await expect(terminal.capture(id, { instance })).rejects.toMatchObject(
      unreachable("cannot be reached"),
    );
    const own = await here.start("cat");
    await terminal.capture(own);
    here.link.heal();
    await here.becomes(true);
    await terminal.capture(id, { instance });
  });

  test("is told once it has been silent for too long, and nothing of it is left", async () => {
    const { here, there } = await two({ here: { isHasty: true } });
    const { terminal } = here.client();
    const { instance } = there;
    const id = await there.start("cat");
    const wait = { until: "exit", timeout_ms: 600_000 } as const;
    const waiting = terminal.read(id, { instance, wait }).catch((error: unknown) => error);
    await there.terminals.until(1);
    there.link.hold();
    expect(await waiting).toMatchObject(unanswered("it said nothing for 15 s"));
    there.link.heal();
    await there.terminals.until(0);
  });

  test("does not begin what was given up before it came through", async () => {
    const { here, there } = await two({ here: { isHasty: true } });
    const { terminal } = here.client();
    const { instance } = there;
    const id = await there.start("cat");
    there.link.hold();
    const late = terminal.send(id, ["late", "Enter"], { instance });
    await expect(late).rejects.toMatchObject(unreachable("it said nothing for 5 s"));
    there.link.heal();
    await terminal.send(id, ["after", "Enter"], { instance });
    const { text } = await terminal.read(id, { instance, wait: until("after\\s+after") });
    expect(text).not.toContain("late");
  });

  test("says so itself where its publisher stops", async () => {
    const { here, there } = await two();
    const { terminal } = here.client();
    const { instance } = there;
    const id = await there.start("cat");
    const wait = { until: "exit", timeout_ms: 600_000 } as const;
    const waiting = terminal.read(id, { instance, wait }).catch((error: unknown) => error);
    await there.terminals.until(1);
    there.distant.stop();
    expect(await waiting).toMatchObject(unanswered("stops"));
    await expect(terminal.capture(id, { instance })).rejects.toMatchObject(
      unreachable("it is not there"),
    );
  });
});

describe("what comes over the bus from somebody who is no publisher", () => {
  /** Asks an instance directly; answers what it says that is no sign of life. */
  async function asker(there: Publisher, nats: NatsServer) {
    const { instance, connection } = await stranger(nats);
    const subject = callSubject(BUCKET, there.instance);
    return {
      instance,
      connection,
      ask(message: unknown, prefix = inboxPrefix(instance)): Promise<Record<string, unknown>> {
        const inbox = createInbox(prefix);
        return new Promise((resolve) => {
          const subscription = connection.subscribe(inbox, {
            callback: (_, answer) => {
              const said = answer.json<object>();
              if (Reflect.has(said, "alive")) return;
              if (Reflect.has(said, "ready")) {
                const { call } = message as { call: string };
                const go: unknown = Reflect.get(said, "ready");
                connection.publish(subject, JSON.stringify({ call, from: instance, go }));
                return;
              }
              subscription.unsubscribe();
              resolve(answer.json());
            },
          });
          const text = typeof message === "string" ? message : JSON.stringify(message);
          connection.publish(subject, text, { reply: inbox });
        });
      },
    };
  }

  test("is held to the contract as who connects is", async () => {
    const { nats, there } = await two();
    const id = await there.start("cat");
    const { instance: from, ask } = await asker(there, nats);
    const good = {
      op: "terminal.capture",
      request_id: "1",
      id,
      to_instance: there.instance,
      from_instance: from,
      hops: [from],
      caller: { role: "user" },
    };
    let call = 0;
    const codeOf = async (request: object) => {
      call += 1;
      const answer = await ask({ call: `${call}`, from, request });
      return Reflect.get(answer["error"] ?? {}, "code");
    };
    expect(await codeOf(good)).toBeUndefined();
    expect(await codeOf({ ...good, hops: [from, there.instance] })).toBe("instance_unreachable");
    expect(await codeOf({ ...good, to_instance: from })).toBe("instance_unreachable");
    expect(await codeOf({ ...good, to_instance: undefined })).toBe("instance_unreachable");
    expect(await codeOf({ ...good, caller: undefined })).toBe("forbidden");
    expect(await codeOf({ ...good, caller: { role: "session" } })).toBe("forbidden");
    expect(await codeOf({ ...good, op: "topic.subscribe", topic: "terminals" })).toBe("unknown_op");
    expect(await codeOf({ ...good, from_instance: there.instance })).toBe("invalid_args");
    expect(await codeOf({ ...good, from_instance: undefined })).toBe("invalid_args");
    expect(await codeOf({ ...good, op: "__proto__" })).toBe("unknown_op");
    expect(await codeOf({ ...good, id: 7 })).toBe("invalid_args");
    expect(await codeOf({ ...good, scrollback: -1 })).toBe("invalid_args");
  });

  test("is not answered where it says that it is another instance", async () => {
    const { nats, here, there } = await two();
    const id = await there.start("cat");
    const { instance: own, connection, ask } = await asker(there, nats);
    const send = {
      ...{ op: "terminal.send", request_id: "1", id, to_instance: there.instance },
      from_instance: own,
    };
    const request = (keys: string[]) => ({ ...send, keys, caller: { role: "user" } });
    // It claims to be the other publisher, and listens at an inbox of its own.
    const forged = { call: "1", from: here.instance };
    const typing = { ...request(["forged", "Enter"]), from_instance: here.instance };
    void ask({ ...forged, request: typing });
    // Or has the other one answered, whose word it cannot hear.
    const text = JSON.stringify({ ...forged, request: typing });
    for (const reply of [`${inboxPrefix(here.instance)}.x`, "$JS.ACK.KV_test.x.1.1.1.1.0"]) {
      connection.publish(callSubject(BUCKET, there.instance), text, { reply });
    }
    connection.publish(callSubject(BUCKET, there.instance), JSON.stringify({ ...forged, go: "" }));
    for (const text of ["", "{", "[]", "null", "\u0000", "7", '{"call":1}', "[".repeat(100_000)]) {
      connection.publish(callSubject(BUCKET, there.instance), text);
    }
    expect(await ask({ call: "2", from: own, request: request(["honest", "Enter"]) })).toEqual({
      body: {},
    });
    const read = await there.client().terminal.read(id, { wait: until("honest\\s+honest") });
    expect(read.text).not.toContain("forged");
  });

  test("is done once however often it is sent while it is under way", async () => {
    const { nats, there } = await two();
    const id = await there.start("head", "-n", "1");
    const { instance: from, connection, ask } = await asker(there, nats);
    const request = {
      ...{ op: "terminal.read", request_id: "1", id, to_instance: there.instance },
      ...{
        from_instance: from,
        caller: { role: "user" },
        wait: { until: "exit", timeout_ms: 600_000 },
      },
    };
    const answers = [ask({ call: "same", from, request }), ask({ call: "same", from, request })];
    await connection.flush();
    await there.terminals.until(1);
    await there.session.send({ target: id.slice("pty:".length), keys: ["Enter"], literal: false });
    expect(await Promise.race(answers)).toMatchObject({ body: {} });
    expect(there.terminals.most).toBe(1);
  });
});

test("what no instance but the publisher itself does is not passed on", async () => {
  const { here, there } = await two();
  const peer = await here.server.websocket();
  afterTest(() => peer.end());
  await greet(peer);
  const answer = await peer.request("topic.subscribe", {
    topic: "terminals",
    to_instance: there.instance,
  });
  expect(answer.error.code).toBe("instance_unreachable");
});
