import { beforeEach, describe, expect, test } from "vitest";
import type { Begun } from "../../../src/host/begun.ts";
import type { Host } from "../../../src/host/host.ts";
import { readTerminal } from "../../../src/host/read.ts";
import type { Terminal } from "../../../src/host/terminal.ts";
import { primerOf } from "../../../src/host/vt/primer.ts";
import { serveHost } from "../channel/served-host.ts";

/** A program that somebody else keeps, who does and says what the test wants. */
class ScriptedBegun implements Begun {
  readonly size = { cols: 80, rows: 24 };
  readonly pid = 0;
  readonly tty = "";
  readonly start: number;
  readonly typed: string[] = [];
  readonly done: string[] = [];
  /** What taking it away comes to. */
  removal: Promise<void> = Promise.resolve();
  events: Parameters<Begun["connect"]>[0] | undefined;

  constructor(start: number) {
    this.start = start;
  }

  connect(events: Parameters<Begun["connect"]>[0]) {
    this.events = events;
    return {
      pid: this.pid,
      tty: this.tty,
      queued: 0,
      answersQueries: true as const,
      write: (bytes: Uint8Array) => this.typed.push(Buffer.from(bytes).toString()) && bytes.length,
      interrupt: () => {},
      resize: () => {},
      pause: () => {},
      resume: () => {},
      release: () => void this.done.push("release"),
      remove: () => {
        this.done.push("remove");
        return this.removal;
      },
    };
  }

  screen = (model: ReturnType<Begun["screen"]>) => model;

  write(text: string): void {
    this.events?.data(Buffer.from(text));
  }
}

let host: Host;
beforeEach(async () => {
  ({ host } = await serveHost());
});

const adopted = (begun: Begun, more: object = {}): Terminal =>
  host.adopt(
    {
      id: "one",
      sessionId: "s",
      index: 3,
      isAgents: true,
      command: ["/bin/sh"],
      cwd: "/",
      environmentName: null,
      ...begun.size,
      adopted: { createdAt: 7, root: { pid: 0, begunAt: 7, endedAt: 7 } },
      ...more,
    },
    begun,
  );

const START = 5_000_001;

describe("a terminal over a program that somebody else keeps", () => {
  test("counts its output from where that is still kept, in what is read, waited for and painted", async () => {
    const begun = new ScriptedBegun(START);
    const terminal = adopted(begun);
    const text = Array.from({ length: 1_000 }, (_, line) => `line ${line}\r\n`).join("");
    begun.write(text);
    expect([terminal.ring.start, terminal.ring.end]).toEqual([START, START + text.length]);
    expect(terminal.ring.copy(START, START + 6).toString()).toBe("line 0");
    expect((await terminal.screen.snapshot()).end).toBe(START + text.length);
    const from = START + text.length - 10;
    const read = await readTerminal(host, terminal, { from }, new AbortController().signal);
    expect(read).toMatchObject({ from, to: START + text.length, text: "line 999\n", skipped: 0 });
    begun.write("ready");
    const wait = { until: "match", pattern: "^ready$", timeoutMs: 60_000 } as const;
    const waited = await readTerminal(host, terminal, { wait }, new AbortController().signal);
    expect(waited).toMatchObject({ waited: "match", to: START + text.length + 5 });
  });

  test("goes on behind output that nobody has any more, at the offsets that it has", async () => {
    const begun = new ScriptedBegun(0);
    const terminal = adopted(begun);
    begun.write("before\u001b]2;an open title");
    const gone = 10_000_000;
    const from = terminal.ring.end + gone;
    begun.events?.missed?.(gone);
    begun.write("\r\nafter\r\n");
    expect([terminal.ring.start, terminal.ring.end]).toEqual([from, from + 9]);
    expect((await terminal.screen.snapshot()).end).toBe(from + 9);
    expect(terminal.title).toBe("");
    const text = Array.from({ length: 1_000 }, (_, line) => `line ${line}\r\n`).join("");
    begun.write(text);
    const read = await readTerminal(host, terminal, { from: 0 }, new AbortController().signal);
    expect(read).toMatchObject({ skipped: from, to: from + 9 + text.length });
    expect(read.text).toContain("line 999\n");
  });

  test("whose beginning is gone is in the state that it was in, which its last output may have changed", async () => {
    const begun = new ScriptedBegun(START);
    const before = adopted(new ScriptedBegun(0), { id: "before" });
    const scripted = new ScriptedBegun(0);
    const known = adopted(scripted, { id: "known" });
    scripted.write(
      "\u001b[?1049h\u001b[?1h\u001b[?2004h\u001b[?1002h\u001b[?1006h\u001b[=5u\u001b]2;a title\u0007",
    );
    expect(primerOf(before)).toBe("");
    const primer = primerOf(known);
    const terminal = adopted(begun, {
      adopted: { createdAt: 7, root: { pid: 0, begunAt: 7, endedAt: 7 }, primer },
    });
    const { title, modes } = known;
    expect(terminal).toMatchObject({ title, modes, isAlternate: true });
    expect(terminal.ring.end).toBe(START);
    expect((await terminal.screen.capture({ scrollback: 0 })).alternate).toBe(true);
    expect((await terminal.screen.snapshot()).end).toBe(START);
    begun.write("\u001b[?1049l\u001b[?1l");
    expect(terminal).toMatchObject({ isAlternate: false });
    expect(terminal.modes).toMatchObject({ applicationCursor: false, bracketedPaste: true });
    expect((await terminal.screen.snapshot()).end).toBe(START + 13);
  });

  test("shows the last of what an earlier host has shown, from a line on, at the offsets that it has", async () => {
    const begun = new ScriptedBegun(0);
    const lines = Array.from({ length: 200_000 }, (_, line) => `line ${line}\r\n`).join("");
    const root = { pid: 0, begunAt: 7, endedAt: 7 };
    const terminal = adopted(begun, {
      adopted: { createdAt: 7, root, primer: "\u001b[?2004h", end: lines.length },
    });
    for (let at = 0; at < lines.length; at += 10_000) begun.write(lines.slice(at, at + 10_000));
    begun.write("new\r\n");
    const end = lines.length + 5;
    expect([terminal.ring.end, (await terminal.screen.snapshot()).end]).toEqual([end, end]);
    const { text } = await terminal.screen.capture({ scrollback: 900 });
    const shown = text.split("\n");
    expect(shown.at(-1)).toBe("new");
    const from = 200_000 - (shown.length - 1);
    expect(shown.slice(0, -1)).toEqual(shown.slice(0, -1).map((_, at) => `line ${from + at}`));
    expect((await terminal.screen.cells(1_000_000)).modes.bracketed_paste).toBe(true);
    // The program itself never asked for that.
    expect(terminal.modes).toBeUndefined();
  });

  test("is the same to the session that it is in, and not begun now", () => {
    const terminal = adopted(new ScriptedBegun(0), { name: "mine" });
    expect(host.infos("s")).toMatchObject([
      { id: "one", index: 3, name: "mine", createdAt: 7, agent: true },
    ]);
    expect(host.targetIn("s", "3")).toBe(terminal);
    expect(adopted(new ScriptedBegun(0), { id: "two" }).options.index).toBe(1);
  });

  test("types no answers of its own: its program was answered", async () => {
    const begun = new ScriptedBegun(0);
    const terminal = adopted(begun);
    begun.write("\u001b[6n\u001b[c");
    await terminal.screen.snapshot();
    terminal.write(Buffer.from("typed"));
    expect(begun.typed).toEqual(["typed"]);
  });

  test("is let go of by a host that ends, and taken away where it is closed", async () => {
    const begun = new ScriptedBegun(0);
    const terminal = adopted(begun);
    await host.closeAll();
    expect(begun.done).toEqual(["release"]);
    expect(terminal.state).toBe("running");
    begun.events?.exit({ code: 0, drained: true });
    await host.close(terminal);
    expect(begun.done).toEqual(["release", "remove"]);
    expect(host.terminals.all).toEqual([]);
  });

  test("that cannot be taken away stays, and can be closed once more", async () => {
    const begun = new ScriptedBegun(0);
    const terminal = adopted(begun);
    begun.events?.exit({ code: 0, drained: true });
    begun.removal = Promise.reject(new Error("no answer"));
    await expect(host.close(terminal)).rejects.toThrow("no answer");
    expect(host.terminals.all).toEqual([terminal]);
    begun.removal = Promise.resolve();
    await host.close(terminal);
    expect(host.terminals.all).toEqual([]);
  });

  test("that went away says that nobody knows how it ended", () => {
    const begun = new ScriptedBegun(0);
    const terminal = adopted(begun);
    begun.events?.exit({ isLost: true, drained: false });
    expect(terminal).toMatchObject({ state: "exited", isLost: true });
    expect(host.info(terminal).exited?.error).toContain("its session in tmux is gone");
  });
});
