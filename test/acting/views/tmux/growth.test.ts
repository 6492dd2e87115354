import { describe, expect, test } from "vitest";
import { growthBetween } from "../../../../src/acting/views/tmux/growth.ts";
import type { Look } from "../../../../src/acting/views/tmux/look.ts";
import { Pace } from "../../../../src/acting/views/tmux/pace.ts";
import { random } from "./output.ts";

const ROWS = 10;

/** A pane of tmux in which numbers are printed, each in a line of its own; its history is kept as tmux does it. */
class Counted {
  readonly #limit: number;
  #history: number[] = [];
  #screen = Array.from({ length: ROWS }, (_, index) => index);
  #next = ROWS;

  constructor(limit: number) {
    this.#limit = limit;
  }

  print(lines: number): void {
    for (let line = 0; line < lines; line += 1) {
      if (this.#history.length >= this.#limit) {
        this.#history.splice(0, Math.max(1, Math.floor(this.#limit / 10)));
      }
      this.#history.push(this.#screen[0] ?? 0);
      this.#screen = [...this.#screen.slice(1), this.#next];
      this.#next += 1;
    }
  }

  clear(): void {
    this.#history = [];
  }

  look(depth: number): Look {
    const rows = (numbers: readonly number[]) =>
      numbers.map((number) => ({ bytes: String(number), width: 4 }));
    return {
      cols: 80,
      rows: ROWS,
      historySize: this.#history.length,
      historyLimit: this.#limit,
      screen: rows(this.#screen),
      isAlternate: false,
      history: depth === 0 ? [] : rows(this.#history.slice(-depth)),
      cursor: { x: 0, y: ROWS - 1, isVisible: true },
      modes: { cursorKeys: false, keypad: false },
      title: "",
    };
  }
}

describe("how many lines went into a pane's history between two looks", () => {
  test.each([20, 100, 2_000])(
    "is known also of a full one of %d lines, where they were seen",
    (limit) => {
      const next = random(limit);
      const pane = new Counted(limit);
      for (let round = 0; round < 300; round += 1) {
        const before = pane.look(0);
        const lines = Math.floor(next() * Math.min(limit * 0.9, 150));
        pane.print(lines);
        expect(growthBetween(before, pane.look(150))).toBe(lines);
      }
    },
  );

  test("is not known where more of them came than were seen", () => {
    const pane = new Counted(100);
    for (const lines of [60, 95, 250, 1_000, 33]) {
      const before = pane.look(0);
      pane.print(lines);
      expect(growthBetween(before, pane.look(30))).toBe("unknown");
    }
  });

  test("is none where the history was taken away", () => {
    const pane = new Counted(100);
    pane.print(50);
    const before = pane.look(0);
    pane.clear();
    expect(growthBetween(before, pane.look(30))).toBe("cleared");
  });
});

describe("a pane is looked at", () => {
  test("when its server has read something, and now and then", () => {
    const pace = new Pace(true);
    pace.looked(1_000, 3, true, true);
    expect(pace.isDue(1_040, true)).toBe(false);
    expect(pace.isDue(1_051, true)).toBe(true);
    expect(pace.isDue(2_900, false)).toBe(false);
    expect(pace.isDue(3_000, false)).toBe(true);
  });

  test("ever more rarely where its server reads what is not of it", () => {
    const pace = new Pace(true);
    let now = 0;
    const gaps: number[] = [];
    for (let look = 0; look < 8; look += 1) {
      pace.looked(now, 3, look === 0, true);
      const from = now;
      while (!pace.isDue(now, true)) now += 1;
      gaps.push(now - from);
    }
    expect(gaps).toEqual([50, 100, 200, 400, 500, 500, 500, 500]);
  });

  test("every second where nobody knows what its server reads", () => {
    const pace = new Pace(false);
    for (let look = 0; look < 10; look += 1) pace.looked(0, 3, false, true);
    expect(pace.isDue(999, false)).toBe(false);
    expect(pace.isDue(1_000, false)).toBe(true);
    expect(pace.waitMs(0, false)).toBe(1_000);
  });

  test("as where nobody knows, once it has changed again and again without its server having read anything", () => {
    const pace = new Pace(true);
    for (let look = 1; look <= 3; look += 1) {
      expect(pace.isDue(2_000 * look, false)).toBe(true);
      expect(pace.isDue(2_000 * look - 1_000, false)).toBe(look === 1);
      pace.looked(2_000 * look, 3, true, false);
    }
    expect(pace.isDue(6_050, false)).toBe(true);
  });

  test("soon after something was typed", () => {
    const pace = new Pace(true);
    for (let look = 0; look < 10; look += 1) pace.looked(0, 3, false, true);
    pace.typed(100);
    expect(pace.waitMs(100, false)).toBeLessThan(10);
    expect(pace.isDue(100, true)).toBe(true);
  });

  test("no more than half of the time by a server that is slow to answer", () => {
    const pace = new Pace(true);
    pace.looked(1_000, 200, true, true);
    expect(pace.isDue(1_199, true)).toBe(false);
    expect(pace.isDue(1_200, true)).toBe(true);
  });
});
