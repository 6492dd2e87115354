import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { READ_TEXT_BYTES } from "../../src/contract/acting-limits.ts";
import { acting, type Carrier, row, shows } from "./acting.ts";
import { GREETED, RawConnection } from "./raw-connection.ts";
import type { Publisher } from "./support.ts";
import { HostPlace } from "./terminal/support.ts";

const CARRIERS: readonly Carrier[] = ["websocket", "unix"];
const MATCH = { until: "match", timeout_ms: 20_000 } as const;

/** A publisher of a private tmux server and of the host's terminals, with one pane that runs `cat`. */
async function served(args: readonly string[] = []) {
  const place = new HostPlace();
  place.session();
  const publisher = await place.serve(["--source", "pty", ...args]);
  return { place, publisher };
}

const pane = (publisher: Publisher) => row(publisher, ({ id }) => id.startsWith("tmux:"));

const refused = (code: string, reason: string) =>
  expect.objectContaining({
    outcome: "refused",
    error: expect.objectContaining({ code, reason }),
  });

describe.each(CARRIERS)("over %s", (carrier) => {
  test("a terminal is opened by a host that is started for it, driven and closed", async () => {
    const { place, publisher } = await served();
    expect(await place.host()).toBeUndefined();
    const { terminal } = acting(publisher, carrier);
    const opened = await terminal.open({ cwd: "/", name: "build", cols: 60, rows: 10 });
    expect(opened).toEqual({ id: expect.stringMatching(/^pty:/), session: "cli", number: 1 });
    const { id } = opened;

    await terminal.send(id, ["echo o''k", "Enter"]);
    const read = await terminal.read(id, { wait: { ...MATCH, pattern: "^ok$" } });
    expect(read).toMatchObject({
      from: 0,
      waited: "match",
      text: expect.stringContaining("\nok\n"),
    });
    expect(await shows(acting(publisher, carrier), id, "ok")).toContain("echo o''k");

    expect(await terminal.resize(id, 70, 20)).toEqual({ cols: 70, rows: 20 });
    expect(await terminal.rename(id, "tests")).toEqual({ name: "tests" });
    const seen = await row(publisher, ({ name, cols }) => name === "tests" && cols === 70, carrier);
    expect(seen).toMatchObject({ id, rows: 20, state: "running" });
    expect(await terminal.rename(id, "")).toEqual({});

    // It is in front before it says anything.
    await terminal.send(id, ["tail -n +1 -f /etc/passwd", "Enter"]);
    await terminal.read(id, { wait: { ...MATCH, pattern: "^root:" } });
    await expect(terminal.close(id)).rejects.toMatchObject({
      error: { code: "rate_limited", reason: "busy", program: "tail" },
    });
    await terminal.signal(id, "SIGINT");
    await terminal.send(id, ["echo in''terrupted", "Enter"]);
    await terminal.read(id, { wait: { ...MATCH, pattern: "interrupted$" } });
    await terminal.close(id);
    await expect(terminal.capture(id)).rejects.toEqual(refused("not_found", "gone"));
  });

  test("a pane of tmux is typed into, read, signalled and closed, and no more", async () => {
    const { place, publisher } = await served();
    const { id } = await pane(publisher);
    const client = acting(publisher, carrier);
    const { terminal } = client;
    await terminal.send(id, ["Ent", "er", "Enter"]);
    await terminal.send(id, "pasted", { submit: true });
    await shows(client, id, "pasted\npasted");
    expect((await terminal.read(id)).text).toBe("Enter\nEnter\npasted\npasted");
    await expect(terminal.resize(id, 90, 30)).rejects.toEqual(
      refused("capability_unavailable", "unsupported"),
    );
    await expect(terminal.rename(id, "x")).rejects.toThrow("from a shell: tmux -S");
    const wait = { until: "exit", timeout_ms: 0 } as const;
    await expect(terminal.read(id, { wait })).rejects.toEqual(
      refused("capability_unavailable", "unsupported"),
    );
    place.tmux("copy-mode", "-t", "%0");
    await expect(terminal.send(id, "q")).rejects.toEqual(refused("rate_limited", "input_blocked"));
    place.tmux("send-keys", "-X", "-t", "%0", "cancel");

    await terminal.signal(id, "SIGTERM");
    await place.ended(1);
    await expect(terminal.send(id, "x")).rejects.toMatchObject({
      error: { code: "not_found", reason: expect.stringMatching(/^(?:ended|changed)$/) },
    });
    place.tmux("new-window", "exec cat");
    await terminal.close(id, { force: true });
    expect(place.tmux("list-panes", "-a", "-F", "#{pane_id}")).toBe("%1\n");
  });
});

test("what the publisher does not state, or states of another process than was seen, is left alone", async () => {
  const { place, publisher } = await served();
  const { id, pid = 0 } = await pane(publisher);
  const client = acting(publisher);
  const { terminal } = client;
  for (const other of ["pty:nobody", "tty:pts%2F99@1.2", id.replace(/\d+$/, "7")]) {
    await expect(terminal.send(other, "x")).rejects.toEqual(refused("not_found", "gone"));
  }
  for (const act of [
    terminal.send(id, "x", { pid: pid + 1 }),
    terminal.signal(id, "SIGKILL", { pid: pid + 1 }),
    terminal.close(id, { force: true, pid: pid + 1 }),
  ]) {
    await expect(act).rejects.toEqual(refused("not_found", "changed"));
  }
  await terminal.send(id, "seen", { pid });
  expect(await shows(client, id, "seen")).toBe("seen");
  expect(place.tmux("list-panes", "-F", "#{pane_dead}")).toBe("0\n");
});

test("what is asked wrongly is told, and nothing is done", async () => {
  const { place, publisher } = await served();
  const { terminal } = acting(publisher);
  const invalid = refused("invalid_args", "invalid");
  await expect(terminal.open({ cwd: join(place.folder, "none") })).rejects.toEqual(invalid);
  await expect(terminal.open({ command: "a", exec: ["b"] })).rejects.toEqual(invalid);
  expect(await place.host()).toBeUndefined();
  const { id } = await terminal.open({ exec: ["cat"] });
  await expect(terminal.send(id, ["\x1b"])).rejects.toEqual(invalid);
  for (const wait of [
    { until: "match" },
    { until: "match", pattern: "(" },
    { until: "exit", pattern: "x" },
    { until: "match", pattern: "x", quiet_ms: 1 },
  ] as const) {
    await expect(terminal.read(id, { wait: { ...wait, timeout_ms: 0 } })).rejects.toEqual(invalid);
  }
  await expect(terminal.open({ cols: 65_535, rows: 65_535 })).rejects.toEqual(
    refused("internal_error", "refused"),
  );
  await expect(terminal.resize(id, 0, 1)).rejects.toMatchObject({
    error: { code: "invalid_args", msg: expect.stringContaining("/cols") },
  });
});

test("a publisher that leaves the host's terminals out opens none", async () => {
  const place = new HostPlace();
  const publisher = await place.serve();
  await expect(acting(publisher).terminal.open()).rejects.toEqual(
    refused("capability_unavailable", "unsupported"),
  );
  expect(await place.host()).toBeUndefined();
});

test("what has a key is done once, whichever connection asks again; without one it is done again", async () => {
  const { publisher } = await served();
  const one = acting(publisher);
  const other = acting(publisher, "websocket");
  const { id } = await one.terminal.open({ exec: ["cat"], key: "open" });
  expect((await other.terminal.open({ exec: ["cat"], key: "open" })).id).toBe(id);
  await one.terminal.send(id, ["once", "Enter"], { key: "a" });
  await other.terminal.send(id, ["once", "Enter"], { key: "a" });
  await expect(other.terminal.send(id, ["else"], { key: "a" })).rejects.toEqual(
    refused("invalid_args", "invalid"),
  );
  await one.terminal.send(id, ["again", "Enter"]);
  await other.terminal.send(id, ["again", "Enter"]);
  const wait = { ...MATCH, pattern: "again\nagain\nagain\nagain" };
  const { text } = await one.terminal.read(id, { wait });
  expect(text).toBe("once\nonce\nagain\nagain\nagain\nagain\n");
});

test("sends that are made together are typed in their order, and a wait holds up none", async () => {
  const { publisher } = await served();
  const client = acting(publisher);
  const { id: paneId } = await pane(publisher);
  const { id } = await client.terminal.open({ exec: ["cat"] });
  const words = Array.from({ length: 20 }, (_, index) => `w${index}.`);
  for (const terminal of [id, paneId]) {
    const waits =
      terminal === id
        ? [client.terminal.read(id, { wait: { ...MATCH, pattern: "never" } }).catch(() => {})]
        : [];
    await Promise.all(words.map((word) => client.terminal.send(terminal, word)));
    await shows(client, terminal, words.join("").slice(0, 70));
    const { text } = await client.terminal.capture(terminal, { join_wrapped: true });
    expect(text).toBe(words.join(""));
    expect(waits.length).toBe(terminal === id ? 1 : 0);
  }
});

test("of what is more text than a reply holds the end is given, and how much was left out", async () => {
  const { publisher } = await served();
  const client = acting(publisher);
  const exec = ["sh", "-c", "seq -f 'あいうえおかきくけこさしすせそ %08.0f' 1 20000; exec cat"];
  const { id } = await client.terminal.open({ exec, cols: 200, rows: 50 });
  const read = await client.terminal.read(id, { wait: { ...MATCH, pattern: "00020000$" } });
  expect(read.text.endsWith("そ 00020000\n")).toBe(true);
  expect(read.truncated).toBeGreaterThan(0);
  expect(read.text.startsWith("あ")).toBe(true);
  const bytes = Buffer.byteLength(JSON.stringify(read.text));
  expect(bytes).toBeLessThanOrEqual(READ_TEXT_BYTES + 2);
  expect(bytes).toBeGreaterThan(READ_TEXT_BYTES - 100);
});

describe("the read-only token", () => {
  async function readOnly() {
    const { place, publisher } = await served();
    const token = readFileSync(join(place.state, "read-only-token"), "utf8").trim();
    return { place, publisher, looking: { ...publisher, token } };
  }

  test("lets in to subscribe and to look, and the greeting says so", async () => {
    const { place, publisher, looking } = await readOnly();
    expect(looking.token).not.toBe(publisher.token);
    const { id } = await row(looking, ({ id }) => id.startsWith("tmux:"), "websocket");
    place.tmux("send-keys", "-t", "%0", "shown");
    const client = acting(looking, "websocket");
    expect(await shows(client, id, "shown")).toBe("shown");
    expect(client.publisher).toMatchObject({ read_only: true });
    expect((await client.terminal.read(id, { peek: true })).text).toBe("shown");
    const full = acting(publisher, "websocket");
    await full.terminal.capture(id);
    expect(full.publisher).not.toHaveProperty("read_only");
    const metrics = await fetch(`${publisher.ready.endpoint}metrics`, {
      headers: { Authorization: `Bearer ${looking.token}` },
    });
    expect(metrics.status).toBe(200);
  });

  test("lets nobody act", async () => {
    const { place, looking } = await readOnly();
    const { terminal } = acting(looking, "websocket");
    const { id } = await row(looking, ({ id }) => id.startsWith("tmux:"), "websocket");
    for (const act of [
      terminal.open(),
      terminal.send(id, "x"),
      terminal.read(id),
      terminal.resize(id, 10, 10),
      terminal.signal(id, "SIGKILL"),
      terminal.close(id, { force: true }),
      terminal.rename(id, "x"),
    ]) {
      await expect(act).rejects.toEqual(refused("forbidden", "read_only"));
    }
    expect(await place.host()).toBeUndefined();
    expect(place.tmux("list-panes", "-F", "#{pane_dead}")).toBe("0\n");
    expect(place.tmux("capture-pane", "-p", "-t", "%0").trim()).toBe("");
  });

  test("is in the address of `url --read-only`", async () => {
    const { place, publisher, looking } = await readOnly();
    const { code, stdout } = await place.run(["url", "--read-only"]);
    expect([code, stdout]).toEqual([0, `${publisher.ready.endpoint}#token=${looking.token}\n`]);
  });
});

test("who is no user, or has not greeted, acts on nothing, and an instance that is not there is said to be so", async () => {
  const { publisher } = await served();
  const { id } = await pane(publisher);
  const connection = await RawConnection.to(publisher);
  const ask = { op: "terminal.capture", id };
  expect(await connection.ask(ask)).toMatchObject({ error: { code: "hello_required" } });
  const sid = "0199d4b2-5f0a-7c31-8a52-3e8f6c1d2b40";
  await connection.ask({ ...GREETED, op: "hello.session", sid });
  expect(await connection.ask(ask)).toMatchObject({ error: { code: "forbidden" } });
  const user = await RawConnection.to(publisher);
  await user.ask(GREETED);
  const elsewhere = { ...ask, to_instance: "0".repeat(32) };
  expect(await user.ask(elsewhere)).toMatchObject({ error: { code: "instance_unreachable" } });
  expect(await user.ask({ ...ask, to_instance: publisher.ready.instance })).toMatchObject({
    ok: true,
    text: "",
  });
});

test("a wait ends with the connection that asked for it", async () => {
  const { publisher } = await served(["--log-level", "debug"]);
  const { id } = await acting(publisher).terminal.open({ exec: ["cat"] });
  const connection = await RawConnection.to(publisher);
  await connection.ask(GREETED);
  const wait = { until: "exit", timeout_ms: 3_600_000 };
  void connection.ask({ op: "terminal.read", id, wait });
  expect(await connection.ask({ op: "instance.ping" })).toMatchObject({ ok: true });
  connection.socket.destroy();
  const { program } = publisher;
  await program.until(() => program.stderr.includes('"outcome":"abandoned"') || undefined);
});

test("a log says what was done with which terminal, and never what was typed or read", async () => {
  const { publisher } = await served(["--log-level", "trace"]);
  const { id } = await pane(publisher);
  const client = acting(publisher);
  await client.terminal.send(id, "hunter2");
  await shows(client, id, "hunter2");
  await client.terminal.open({ exec: ["/nowhere/hunter2"] }).catch(() => {});
  await client.terminal.send(id, ["\x1bhunter2"]).catch(() => {});
  await client.terminal.send(id, "hunter2", { pid: 1 }).catch(() => {});
  const { program } = publisher;
  const logged = () => program.stderr.split("\n").slice(0, -1);
  await program.until(() => logged().find((line) => line.includes('"outcome":"changed"')));
  const acts = logged()
    .map((line) => JSON.parse(line))
    .filter(({ op }) => op === "terminal.send");
  expect(acts).toContainEqual(
    expect.objectContaining({ terminal: id, outcome: "ok", carrier: "unix" }),
  );
  expect(acts).toContainEqual(expect.objectContaining({ terminal: id, outcome: "changed" }));
  expect(program.stderr).not.toContain("hunter2");
});
