import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePs } from "../../src/processes/ps-text.ts";

/** In the form of macOS's ps(1): no session ids, `??` for no tty, `comm` a path. */
const DARWIN = `\
    1     0     1     0      0 ??       Ss   Fri Jul  4 09:12:03 2025     /sbin/launchd
  402     1   402     0      0 ??       S    Fri Jul  4 09:12:40 2025     /Applications/Some App.app/Contents/MacOS/Some App (Renderer)
  900   402   900   955      0 ttys003  Ss   Fri Jul 18 23:59:59 2025     login
  901   900   901   955      0 ttys003  S    Sat Jul 19 00:00:00 2025     -zsh
  955   901   955   955      0 ttys003  S+   Sat Jul 19 00:00:01 2025     /opt/homebrew/bin/node
  960   901   960   955      0 ttys003  T    Sat Jul 19 00:00:02 2025     /usr/bin/vim
  961   955   955   955      0 ttys003  I+   Sat Jul 19 00:00:02 2025     /usr/local/bin/claude
  970   901   970     0      0 ??       Z    Sat Jul 19 00:00:03 2025     (zsh)
  980     1   980     0      0 ttys099  Us   Sat Jul 19 00:00:03 2025     
`;

const devices: Readonly<Record<string, number>> = { "/dev/ttys003": 268435459 };
const darwin = { platform: "darwin", deviceOf: (path: string) => devices[path] } as const;
const linux = { platform: "linux", deviceOf: () => 34819 } as const;

describe("what ps prints on macOS", () => {
  const lines = parsePs(DARWIN, darwin);
  const info = (pid: number) => lines.find((line) => line.info.pid === pid)?.info;

  it("gives every process but those that have ended", () => {
    expect(lines.map((line) => line.info.pid)).toEqual([1, 402, 900, 901, 955, 960, 961, 980]);
  });

  it("gives a process in every field", () => {
    expect(info(955)).toEqual({
      pid: 955,
      parent: 901,
      group: 955,
      session: 900,
      ttyDevice: 268435459,
      tty: "/dev/ttys003",
      foregroundGroup: 955,
      state: "S",
      startTick: String(Date.UTC(2025, 6, 19, 0, 0, 1) / 1000),
      name: "node",
    });
  });

  it("has the session of a tty by its leader, and none where there is neither", () => {
    expect(info(900)?.session).toBe(900);
    expect(info(960)?.session).toBe(900);
    expect(info(1)?.session).toBe(1);
    expect(info(402)?.session).toBe(0);
  });

  it("states no tty and no foreground group where there is none, or no such device", () => {
    expect(info(402)).toMatchObject({ ttyDevice: 0, tty: undefined, foregroundGroup: -1 });
    expect(info(980)).toMatchObject({ ttyDevice: 0, tty: undefined, name: "" });
  });

  it("spells states as Linux does", () => {
    expect([960, 961, 980].map((pid) => info(pid)?.state)).toEqual(["T", "S", "D"]);
  });

  it("keeps the path of the program, spaces and parentheses included", () => {
    const line = lines.find((one) => one.info.pid === 402);
    expect(line?.command).toBe("/Applications/Some App.app/Contents/MacOS/Some App (Renderer)");
    expect(line?.info.name).toBe("Some App (Renderer)");
    expect(info(901)?.name).toBe("-zsh");
  });
});

describe("what ps prints on Linux", () => {
  const text = `\
      1       0       1      -1       1 ?        Ss   Sat Jul 19 00:00:00 2025 systemd
    955     901     955     955     900 pts/3    Sl+  Sat Jul 19 00:00:01 2025 tmux: server
    956     901     955     955     900 pts/3    Z    Sat Jul 19 00:00:01 2025 sh <defunct>
`;

  it("gives sessions by number", () => {
    expect(parsePs(text, linux).map((line) => line.info)).toMatchObject([
      { pid: 1, session: 1, tty: undefined, foregroundGroup: -1, name: "systemd" },
      { pid: 955, session: 900, tty: "/dev/pts/3", foregroundGroup: 955, name: "tmux: server" },
    ]);
  });

  it("is read line by line: one of another shape costs no other", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const odd = (line: string) => line.replaceAll(/\d/g, "x");
        const pids = parsePs(`${odd(before)}\n${text}${odd(after)}\n`, linux);
        expect(pids.map((line) => line.info.pid)).toEqual([1, 955]);
      }),
    );
  });

  it("gives any name as it stands", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }).map((name) => name.replaceAll("\n", "?").trim()),
        (name) => {
          const line = `7 1 7 -1 7 ? S Sat Jul 19 00:00:00 2025 ${name}`;
          expect(parsePs(line, linux)[0]?.info.name).toBe(name);
        },
      ),
    );
  });
});
