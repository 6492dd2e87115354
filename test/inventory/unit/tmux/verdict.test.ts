import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Answer } from "../../../../src/inventory/tmux/ask.ts";
import { verdictOf } from "../../../../src/inventory/tmux/verdict.ts";

const answer = (exitCode: number | undefined, stderr: string, stdout = ""): Answer => ({
  exitCode,
  stderr,
  stdout: Buffer.from(stdout),
});

const PATH = "/tmp/tmux-1000/default";
const LINE = "%0:10:/dev/pts/1:0:::80:24:$0:0:0:1:0:1700000000:0:5:1700000000\n";

const codeOf = (answer: Answer) => {
  const verdict = verdictOf(answer);
  return verdict.kind === "failing" ? verdict.fault.code : verdict.kind;
};

describe("what tmux says means", () => {
  test.each<[string, string, Answer]>([
    ["its list", "listed", answer(0, "", LINE)],
    ["an empty list, said in silence", "listed", answer(0, "")],
    ["an empty list of a server without a session", "listed", answer(1, "no current target")],
    [
      "no server: no socket file",
      "no_server",
      answer(1, `error connecting to ${PATH} (No such file or directory)`),
    ],
    [
      "no server: a stale socket, or a plain file",
      "no_server",
      answer(1, `no server running on ${PATH}`),
    ],
    [
      "failing: it must not be opened",
      "permission_denied",
      answer(1, `error connecting to ${PATH} (Permission denied)`),
    ],
    [
      "failing: its access list refuses us, with exit code 0",
      "access_refused",
      answer(0, "access not allowed"),
    ],
    [
      "failing: its folder is open to others",
      "unsafe_permissions",
      answer(1, "directory /tmp/tmux-1000 has unsafe permissions"),
    ],
    [
      "failing: its path is too long for a socket",
      "path_too_long",
      answer(1, `error connecting to ${PATH} (File name too long)`),
    ],
    ["failing: it is on its way out", "server_lost", answer(1, "server exited unexpectedly")],
    ["failing: it is lost", "server_lost", answer(1, "lost server")],
    [
      "failing: it is too old, with exit code 0",
      "version_mismatch",
      answer(0, "server version is too old for client"),
    ],
    [
      "failing: it speaks another protocol",
      "version_mismatch",
      answer(1, "protocol version mismatch (client 8, server 7)"),
    ],
    [
      "failing: it did not answer in time",
      "no_answer",
      { ...answer(undefined, ""), ended: "deadline" },
    ],
    [
      "failing: it did not answer in time, though half of it came",
      "no_answer",
      { ...answer(undefined, "no current target", LINE), ended: "deadline" },
    ],
    [
      "failing: it said too much",
      "answer_too_long",
      { ...answer(undefined, "", LINE), ended: "too_long" },
    ],
    [
      "failing: its program is not there",
      "no_program",
      { ...answer(undefined, "spawn ENOENT"), ended: "missing" },
    ],
    [
      "failing: its program cannot be run",
      "no_program",
      { ...answer(undefined, "spawn EACCES"), ended: "refused" },
    ],
    [
      "failing: we have no descriptor left to run its program with",
      "no_descriptors",
      { ...answer(undefined, "spawn EMFILE"), ended: "no_descriptors" },
    ],
    [
      "failing: we have no process left for its program",
      "no_processes",
      { ...answer(undefined, "spawn EAGAIN"), ended: "no_processes" },
    ],
    ["failing: its client was killed", "unknown_answer", answer(undefined, "")],
    ["failing: it failed in silence", "unknown_answer", answer(1, "")],
    ["failing: it failed in silence after some lines", "unknown_answer", answer(1, "", LINE)],
  ])("%s", (_, code, answer) => {
    expect(codeOf(answer)).toBe(code);
  });

  test("why it is failing, in words: what was said, or how it ended", () => {
    const msgOf = (answer: Answer) => {
      const verdict = verdictOf(answer);
      return verdict.kind === "failing" ? verdict.fault.msg : undefined;
    };
    expect(msgOf(answer(0, "access not allowed"))).toBe("access not allowed");
    expect(msgOf(answer(1, "usage: tmux ..."))).toBe("usage: tmux ...");
    expect(msgOf(answer(7, ""))).toBe("tmux ended with 7");
    expect(msgOf(answer(undefined, ""))).toBe("tmux ended with a signal");
    expect(msgOf({ ...answer(undefined, "spawn EMFILE"), ended: "no_descriptors" })).toContain(
      "EMFILE",
    );
    expect(msgOf(answer(1, "x".repeat(10_000)))?.length).toBeLessThanOrEqual(200);
  });
});

describe("what takes rows away", () => {
  test("is never said by a text that is not known, whatever the exit code", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.integer({ min: 0, max: 255 }), (text, code) => {
        fc.pre(text.trim() !== "");
        expect(codeOf(answer(code, `unknown ${text}`))).toBe("unknown_answer");
      }),
    );
  });

  test("is never one line among others", () => {
    for (const text of ["no current target", "no sessions", `no server running on ${PATH}`]) {
      expect(codeOf(answer(1, `something odd\n${text}`))).toBe("unknown_answer");
    }
    expect(codeOf(answer(1, "no current target\nsomething odd"))).toBe("unknown_answer");
  });

  test("is never said by a path that sounds like it", () => {
    const path = "/tmp/x (No such file or directory)\nno current target\n/s";
    expect(codeOf(answer(1, `error connecting to ${path} (Permission denied)`))).toBe(
      "permission_denied",
    );
    expect(codeOf(answer(1, `error connecting to ${path} (Too many open files)`))).toBe(
      "unknown_answer",
    );
  });
});
