import { expect, test } from "vitest";
import { TerminalKey } from "../../../src/host/supervisor/index.ts";
import { onEachBackend } from "./backends.ts";
import { codeOf, match, SupervisedSession } from "./supervised-session.ts";

const RAW = "stty raw -echo; printf 'ready'; exec od -An -v -tx1 -w1";

/** What its program was given after it had said that it is ready, in hexadecimal. */
async function given(session: SupervisedSession, bytes: number): Promise<string> {
  const wordsOf = (text: string) => text.split("ready")[1]?.match(/[0-9a-f]{2}/g) ?? [];
  return wordsOf(await session.output((text) => wordsOf(text).length >= bytes)).join("");
}

const typed = async (session: SupervisedSession, write: object) => session.do("write", { write });
const text = (characters: string) => ({ kind: "text", text: characters });

onEachBackend(() => {
  test.each([
    ["normal", "", { up: "\x1b[A", home: "\x1b[H", end: "\x1b[F" }],
    ["application", "\\033[?1h", { up: "\x1bOA", home: "\x1bOH", end: "\x1bOF" }],
  ])("each key is sent as %s cursor keys have it", async (_, mode, { up, home, end }) => {
    const command = RAW.replace("ready", `${mode}ready`);
    const session = await SupervisedSession.start(command, match("ready"));
    const arrow = (letter: string) => up.replace("A", letter);
    const sent: Record<string, string> = {
      enter: "\r",
      tab: "\t",
      escape: "\x1b",
      backspace: "\x7f",
      delete: "\x1b[3~",
      insert: "\x1b[2~",
      arrow_up: up,
      arrow_down: arrow("B"),
      arrow_left: arrow("D"),
      arrow_right: arrow("C"),
      home,
      end,
      page_up: "\x1b[5~",
      page_down: "\x1b[6~",
    };
    const keys = TerminalKey.anyOf.map(({ const: name }) => name);
    expect(Object.keys(sent).sort()).toEqual([...keys].sort());
    const wanted = Buffer.from(keys.map((key) => sent[key]).join(""));
    const { write } = (await typed(session, { kind: "keys", keys })).success;
    expect(write.accepted_bytes).toBe(wanted.length);
    expect(await given(session, wanted.length)).toBe(wanted.toString("hex"));
  });

  test("a control is ?, @ to _ or a to z, by its code, and of all other codes each is refused", async () => {
    const session = await SupervisedSession.start(RAW, match("ready"));
    const codes = Array.from({ length: 256 }, (_, code) => code);
    const isControl = (code: number) =>
      code === 0x3f || (code >= 0x40 && code <= 0x7a && code !== 0x60);
    for (const code of codes.filter((one) => !isControl(one))) {
      const refused = await typed(session, { kind: "controls", controls: [0x61, code] });
      expect(refused, String(code)).toMatchObject({ code: "terminal_operation_failed" });
    }
    const controls = codes.filter(
      (code) => isControl(code) && ![0x43, 0x5a, 0x5c].includes(code & 0x5f),
    );
    const wanted = Buffer.from(controls.map((code) => (code === 0x3f ? 0x7f : code & 0x1f)));
    expect(
      (await typed(session, { kind: "controls", controls })).success.write.accepted_bytes,
    ).toBe(wanted.length);
    expect(await given(session, wanted.length)).toBe(wanted.toString("hex"));
  });

  test.each([
    ["a text of 65 536 bytes", "text", 65_536],
    ["a paste of 65 536 bytes", "text", 65_536],
    ["4 096 keys", "keys", 4_096],
    ["4 096 controls", "controls", 4_096],
  ])("a write of %s is taken whole, and of one more none", async (what, field, most) => {
    const session = await SupervisedSession.start(
      "stty raw -echo; printf ready; cat > /dev/null",
      match("ready"),
    );
    const kind = what.includes("paste") ? "paste" : field;
    const write = (count: number) => {
      const full = {
        text: "x".repeat(count),
        keys: Array(count).fill("tab"),
        controls: Array(count).fill(0x61),
      };
      return { kind, [field]: full[field as keyof typeof full] };
    };
    expect((await typed(session, write(most))).success.write.accepted_bytes).toBe(most);
    expect(codeOf(await typed(session, write(most + 1)))).toBe("terminal_operation_failed");
    expect(codeOf(await typed(session, write(0)))).toBe("terminal_operation_failed");
  });

  test("a program that does not read takes 1 MiB at most, stops no write to another session, and can be interrupted", async () => {
    const session = await SupervisedSession.start(
      "stty -icanon -echo; echo ready; exec sleep 600",
      match("ready"),
    );
    let accepted = 0;
    let last = 0;
    do {
      last = (await typed(session, text("x".repeat(65_536)))).success.write.accepted_bytes;
      accepted += last;
    } while (last === 65_536);
    expect(accepted).toBeGreaterThanOrEqual(1024 * 1024);
    expect((await typed(session, text("x"))).success.write.accepted_bytes).toBe(0);
    const other = session.served.connect();
    const { success } = await other.operate(session.served.start("read line; echo got $line"));
    const { session_id } = success.start.session;
    const write = { action: "write", session_id, write: text("it\r") };
    expect((await session.client.operate(write)).success.write.accepted_bytes).toBe(3);
    const seen = await other.operate({ action: "wait", session_id, ...match("got it") });
    expect(seen.success.wait.outcome).not.toHaveProperty("safety_ceiling");
    const interrupt = await typed(session, { kind: "controls", controls: [0x63] });
    expect(interrupt.success.write.accepted_bytes).toBe(1);
    expect(await session.wait({ return_when: { kind: "exit" }, wait_ceiling_ms: 60_000 })).toEqual({
      signal: "SIGINT",
    });
  });

  test("a line of over 4 095 bytes is refused while the terminal edits lines, and nothing of it is typed", async () => {
    const session = await SupervisedSession.start(
      "stty -echo; printf ready; while read -r line; do printf $line | wc -c; done",
      match("ready"),
    );
    for (const write of [
      text(`${"x".repeat(4_096)}\r`),
      text(`short\r${"y".repeat(4_096)}`),
      { kind: "paste", text: `${"x".repeat(5_000)}\n` },
    ]) {
      expect((await typed(session, write)).failure).toMatchObject({
        action: "write",
        code: "invalid_request",
        retryable: false,
        message: expect.stringContaining("4095 bytes"),
      });
    }
    await typed(session, text(`${"x".repeat(4_095)}\r`));
    expect(await session.output((all) => all.includes("\n"))).toBe("ready4095\r\n");
  });

  test("a long line goes to a program that reads characters", async () => {
    const session = await SupervisedSession.start(
      "stty raw -echo; printf ready; head -c 20000 | wc -c; echo done",
      match("ready"),
    );
    expect((await typed(session, text("x".repeat(20_000)))).success.write.accepted_bytes).toBe(
      20_000,
    );
    expect(await session.output((all) => all.includes("done"))).toContain("20000");
  });

  test("writes are typed in the order of the requests, also behind one that had to be looked at", async () => {
    const session = await SupervisedSession.start(
      "stty raw -echo; printf ready; head -c 20004 | tail -c 4; echo done",
      match("ready"),
    );
    const write = { action: "write", session_id: session.id };
    session.client.begin({ ...write, write: text("x".repeat(20_000)) });
    for (const letter of "abcd") session.client.begin({ ...write, write: text(letter) });
    expect(await session.output((all) => all.includes("done"))).toContain("readyabcd");
  });
});
