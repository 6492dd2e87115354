import type { SourceInfo } from "../../../src/contract/sources.ts";
import type { PromiseId } from "./promises.ts";
import { at, FAR, NEAR, RUN, removal, row, type Story, sources } from "./story.ts";

interface Case {
  /** What happens that is allowed. */
  readonly kept: Record<string, (story: Story) => void>;
  /** What happens that is not. */
  readonly broken: Record<string, (story: Story) => void>;
}

/** The far instance gets a new value that the reader is told of. */
function moved(story: Story, ms = 20_000, value = 1): void {
  const [terminal] = story.far.rows;
  if (terminal !== undefined)
    terminal.versions = [...terminal.versions, { value: `v${value}`, ...at(ms) }];
  story.change(ms + 100, FAR, [row(FAR, value)]);
}

/** It is killed, and the reader told what it must be; `skip` leaves a step out. */
function died(story: Story, skip: "stale" | "removal" | "list" | "none" = "none"): void {
  story.far.runs = [{ ...RUN, to: 21_000, ending: "killed" }];
  story.reading(FAR, 21_000, 21_000);
  if (skip !== "stale") story.stand(28_000, FAR, "failing");
  if (skip !== "removal") lost(story, 35_500);
  if (skip !== "list") story.listed(35_500, false);
}

const lost = (story: Story, ms: number) =>
  story.change(ms, FAR, [removal(FAR, "instance_lost", ms)], {}, false);

function returned(story: Story, ms: number): void {
  story.far.runs.push({ ...RUN, from: ms, listensAt: ms });
  story.snapshot(ms + 500, FAR, [row(FAR, 0)], { epoch: "2" });
  story.reading(FAR, ms + 10_500);
  story.listed(ms + 500, true);
}

/** The engine is out from 30 s to 50 s. */
function engineOut(story: Story, skip: "mark" | "heal" | "none" = "none"): void {
  story.engineOut.push({ from: 30_000, to: 50_000 });
  story.reading(FAR, 30_000, 30_000);
  if (skip !== "mark") story.stand(30_200, FAR, "failing", "engine_unreachable");
  if (skip !== "heal") story.stand(52_000, FAR, "ok");
  story.reading(FAR, 54_000);
}

/** Another reader of the far instance itself, that is told the same, but for its row. */
function another(story: Story, terminal: object): void {
  const frame = story.records.find(
    (record) => record.kind === "frame" && record.frame.instance === FAR,
  );
  if (frame?.kind !== "frame") throw new Error("no first frame");
  const data = { terminals: [terminal], polled_at: 10, sources: sources("ok") };
  story.others.push({
    name: "far reader",
    gateway: FAR,
    records: [
      { kind: "connected", at: 0 },
      { kind: "subscribed", at: 0, topic: "terminals" },
      { ...frame, frame: { ...frame.frame, data } },
      { kind: "left", at: 5_000 },
    ],
  });
}

/** The reader asks for the terminals once more and is told the near instance as it was; the far one by a frame of its own. */
function askedAgain(story: Story, seq: number, far: SourceInfo[]): void {
  const ms = 60_500;
  story.records.push({ kind: "subscribed", at: ms, topic: "terminals" });
  const place = { snapshot: true as const, epoch: "1".repeat(16) };
  const near = { terminals: [row(NEAR, 0)], polled_at: ms, sources: sources("ok") };
  story.frame(ms + 10, { instance: NEAR, ...place, seq: 1, data: near });
  story.frame(ms + 10, { instance: FAR, ...place, seq, data: { terminals: [], sources: far } });
}

const storm = (story: Story, frames: number, ms: number) => {
  for (let count = 0; count < frames; count += 1)
    story.change(20_005 + (count * ms) / frames, FAR, [row(FAR, 0, { bell: count % 2 === 0 })]);
};

const NO_CHANGE = () => {};

/** By promise, histories that keep it and histories that do not. */
export const CASES: Record<PromiseId, Case> = {
  P1: {
    kept: {
      "nothing happens": NO_CHANGE,
      "a new epoch is stated whole": (story) => {
        story.far.runs = [
          { ...RUN, to: 20_000, ending: "killed" },
          { ...RUN, from: 22_000, listensAt: 22_000 },
        ];
        story.snapshot(23_000, FAR, [row(FAR, 0)], { epoch: "2" });
      },
    },
    broken: {
      "a change comes first": (story) => {
        const index = story.records.findIndex(
          (record) => record.kind === "frame" && record.frame.instance === FAR,
        );
        story.records.splice(index, 1);
        story.change(10, FAR, [row(FAR, 0)]);
      },
      "a second snapshot comes": (story) => story.snapshot(20_000, FAR, [row(FAR, 0)]),
      "one instance is not stated": (story) => {
        const stated = story.records.filter(
          (record) => record.kind !== "frame" || record.frame.instance !== FAR,
        );
        story.records.splice(0, story.records.length, ...stated);
        story.reading(FAR, 0, 0);
      },
    },
  },
  P2: {
    kept: { "each states its own": NO_CHANGE },
    broken: {
      "a frame states another's row": (story) =>
        story.change(20_000, FAR, [{ ...row(FAR, 0), instance: NEAR }]),
    },
  },
  P3: {
    kept: { "the last value is held": moved },
    broken: {
      "an older value is held": (story) => {
        moved(story);
        story.records.pop();
      },
      "a row is held that is gone": (story) => {
        for (const terminal of story.far.rows) terminal.closed = at(20_000);
      },
      "a row is not held": (story) => {
        story.far.rows.push({ key: "pty:c", opened: at(20_000), versions: [] });
      },
      "a source is not read": (story) => story.stand(20_000, FAR, "failing"),
    },
  },
  P4: {
    kept: {
      "rows that are lost leave the position": (story) => died(story),
      "a bookmark leaves it too": (story) => story.change(20_000, FAR, [], {}, false),
    },
    broken: {
      "a frame is left out": (story) => {
        story.change(20_000, FAR, [row(FAR, 0, { bell: true })]);
        story.records.pop();
        story.change(20_100, FAR, [row(FAR, 0)]);
      },
      "a change is of another epoch": (story) =>
        story.change(20_000, FAR, [row(FAR, 0)], { epoch: "2".repeat(16) }),
      "rows change and the position does not": (story) =>
        story.change(20_000, FAR, [row(FAR, 0, { bell: true })], {}, false),
      "a frame has no position": (story) =>
        story.frame(20_000, { instance: FAR, data: { terminals: [] } }),
    },
  },
  P5: {
    kept: {
      "it is told to stop before a value must have come": (story) => {
        story.far.runs = [{ ...RUN, to: 29_000, toldAt: 21_000, ending: "stopped" }];
        story.reading(FAR, 21_000, 21_000);
        moved(story, 20_000, 1);
        story.change(21_200, FAR, [removal(FAR, "instance_stopped")]);
        story.listed(21_200, false);
      },
      "less is known of a terminal that ends": (story) => {
        moved(story, 20_000, 1);
        for (const terminal of story.far.rows) terminal.closed = at(21_000);
        story.change(21_100, FAR, [row(FAR, 1, { title: undefined })]);
        story.change(21_200, FAR, [removal(FAR, "closed")]);
      },
      "a value in between is folded": (story) => {
        moved(story, 20_000, 1);
        story.records.pop();
        moved(story, 20_050, 2);
        const last = story.records.at(-1);
        if (last?.kind === "frame") Object.assign(last.frame, { prev_seq: 1 });
      },
    },
    broken: {
      "an older value comes after a newer": (story) => {
        moved(story, 20_000, 1);
        story.change(20_300, FAR, [row(FAR, 0)]);
        story.change(20_400, FAR, [row(FAR, 1)]);
      },
      "the newest value comes too late": (story) => {
        moved(story, 20_000, 1);
        const last = story.records.pop();
        if (last !== undefined) story.records.push({ ...last, at: 29_000 });
      },
      "a value comes before it was given": (story) => {
        moved(story, 20_000, 1);
        const last = story.records.pop();
        if (last !== undefined) story.records.push({ ...last, at: 19_000 });
      },
    },
  },
  P6: {
    kept: {
      "one that was stopped is stated without rows to who asks later": (story) => {
        story.far.runs = [{ ...RUN, to: 21_500, toldAt: 21_000, ending: "stopped" }];
        story.reading(FAR, 21_000, 21_000);
        story.change(21_100, FAR, [removal(FAR, "instance_stopped")]);
        story.listed(21_100, false);
        askedAgain(story, 2, sources("ok"));
      },
      "a terminal that was closed goes": (story) => {
        for (const terminal of story.far.rows) terminal.closed = at(20_000);
        story.change(20_100, FAR, [removal(FAR, "closed")]);
      },
    },
    broken: {
      "a terminal that is there is closed": (story) => {
        story.change(20_000, FAR, [removal(FAR, "closed")]);
        story.change(20_100, FAR, [row(FAR, 0)]);
      },
      "a snapshot lacks it": (story) => {
        story.stand(20_000, FAR, "failing");
        story.snapshot(20_100, FAR, []);
        story.change(20_200, FAR, [row(FAR, 0)]);
      },
      "a removal says no reason": (story) => {
        for (const terminal of story.far.rows) terminal.closed = at(20_000);
        story.change(20_100, FAR, [{ instance: FAR, id: "pty:b", removed: true }]);
      },
    },
  },
  P7: {
    kept: {
      "it is killed, stale, and gone": (story) => died(story),
      "it is stopped and gone at once": (story) => {
        story.far.runs = [{ ...RUN, to: 21_500, toldAt: 21_000, ending: "stopped" }];
        story.reading(FAR, 21_000, 21_000);
        story.change(21_100, FAR, [removal(FAR, "instance_stopped")]);
        story.listed(21_100, false);
      },
    },
    broken: {
      "its rows stay": (story) => died(story, "removal"),
      "it is listed as reachable": (story) => died(story, "list"),
      "it was not stale before": (story) => died(story, "stale"),
      "it is stopped and its rows stay": (story) => {
        story.far.runs = [{ ...RUN, to: 21_500, toldAt: 21_000, ending: "stopped" }];
        story.reading(FAR, 21_000, 21_000);
        story.stand(28_000, FAR, "failing");
        lost(story, 36_000);
        story.listed(21_100, false);
      },
    },
  },
  P8: {
    kept: {
      "it is paused for less than its lease": (story) => {
        story.far.paused.push({ from: 21_000, to: 30_000 });
        story.reading(FAR, 21_000, 21_000);
        story.stand(28_000, FAR, "failing");
        story.stand(31_000, FAR, "ok");
        story.reading(FAR, 32_000);
      },
      "it comes back whole": (story) => {
        died(story);
        returned(story, 50_000);
      },
    },
    broken: {
      "it is declared lost while it is paused": (story) => {
        story.far.paused.push({ from: 21_000, to: 30_000 });
        story.reading(FAR, 21_000, 21_000);
        story.stand(28_000, FAR, "failing");
        lost(story, 29_000);
        story.snapshot(31_000, FAR, [row(FAR, 0)]);
        story.reading(FAR, 32_000);
      },
      "it comes back by a change": (story) => {
        died(story);
        story.far.runs.push({ ...RUN, from: 50_000, listensAt: 50_000 });
        story.change(50_500, FAR, [row(FAR, 0)]);
        story.reading(FAR, 60_000);
      },
      "it is said to be stopped and runs": (story) => {
        story.change(20_000, FAR, [removal(FAR, "instance_stopped")]);
        story.snapshot(20_100, FAR, [row(FAR, 0)]);
      },
      "a new run has the epoch of the old": (story) => {
        story.near.runs = [
          { ...RUN, to: 20_000, ending: "killed" },
          { ...RUN, from: 21_000, listensAt: 21_000 },
        ];
        story.records.push({ kind: "disconnected", at: 20_000, code: 1_006 });
        story.records.push({ kind: "connected", at: 22_000 });
        story.records.push({ kind: "subscribed", at: 22_000, topic: "terminals" });
        story.snapshot(22_100, NEAR, [row(NEAR, 0)]);
        story.snapshot(22_100, FAR, [row(FAR, 0)]);
      },
    },
  },
  P9: {
    kept: {
      "a reader that takes nothing is closed": (story) => {
        story.records.push({ kind: "stalled", at: 20_000 });
        story.records.push({ kind: "disconnected", at: 40_000, code: 4_408 });
      },
    },
    broken: {
      "a reader that takes all is closed": (story) =>
        story.records.push({ kind: "disconnected", at: 40_000, code: 4_408 }),
      "the code is not the one for that": (story) => {
        story.records.push({ kind: "stalled", at: 20_000 });
        story.records.push({ kind: "disconnected", at: 40_000, code: 1_011 });
      },
    },
  },
  P10: {
    kept: { "90 frames come in a second": (story) => storm(story, 90, 1_000) },
    broken: { "250 frames come in a second": (story) => storm(story, 250, 900) },
  },
  P11: {
    kept: {
      "bookmarks come and a death is marked": (story) => died(story),
    },
    broken: {
      "bookmarks stop": (story) => story.reading(FAR, 50_000, 50_000),
      "bookmarks of the near one stop": (story) => story.reading(NEAR, 50_000, 50_000),
      "a silent one is called fresh": (story) => died(story, "stale"),
    },
  },
  P12: {
    kept: { "each row was its instance's": NO_CHANGE },
    broken: {
      "a row is stated that there never was": (story) => {
        story.change(20_000, FAR, [{ ...row(FAR, 0), id: "pty:forged" }]);
        story.change(20_100, FAR, [{ ...removal(FAR, "closed"), id: "pty:forged" }]);
      },
    },
  },
  P13: {
    kept: {
      "rows stay, are marked, and heal": (story) => engineOut(story),
      "a reader that stalled takes a removal late": (story) => {
        for (const terminal of story.far.rows) terminal.closed = at(20_000);
        story.engineOut.push({ from: 30_000, to: 50_000 });
        story.records.push({ kind: "stalled", at: 19_000 }, { kind: "flowing", at: 40_000 });
        story.reading(FAR, 19_000, 19_000);
        story.change(40_005, FAR, [removal(FAR, "closed")]);
        story.stand(40_010, FAR, "failing", "engine_unreachable");
        story.stand(52_000, FAR, "ok");
        story.reading(FAR, 54_000);
      },
    },
    broken: {
      "a row goes meanwhile": (story) => {
        engineOut(story, "heal");
        story.change(40_000, FAR, [removal(FAR, "instance_lost")], {}, false);
        story.snapshot(52_000, FAR, [row(FAR, 0)]);
      },
      "it is not marked": (story) => engineOut(story, "mark"),
      "it does not heal": (story) => engineOut(story, "heal"),
      "the near one's own rows do not come": (story) => {
        engineOut(story);
        const [terminal] = story.near.rows;
        if (terminal !== undefined)
          terminal.versions = [...terminal.versions, { value: "v1", ...at(35_000) }];
        story.change(60_000, NEAR, [row(NEAR, 1)]);
      },
    },
  },
  P14: {
    kept: {
      "both readers hold the same": (story) => another(story, row(FAR, 0)),
      "one that is lost is stated without rows to who asks later": (story) => {
        died(story);
        askedAgain(story, 1, sources("failing"));
      },
    },
    broken: {
      "they hold different values": (story) => another(story, row(FAR, 0, { state: "dead" })),
    },
  },
  P15: {
    kept: {
      "a field that is not known is passed on": (story) => {
        const frame = story.records.find(
          (record) => record.kind === "frame" && record.frame.instance === FAR,
        );
        const terminal = row(FAR, 0, { later: 1 });
        if (frame?.kind === "frame")
          Object.assign(Object(frame.frame.data), { terminals: [terminal] });
        another(story, terminal);
      },
    },
    broken: {
      "it is left out": (story) => another(story, row(FAR, 0, { later: 1 })),
    },
  },
  P16: {
    kept: {
      "a snapshot comes in parts": (story) => {
        const first = story.records.find(
          (record) => record.kind === "frame" && record.frame.instance === FAR,
        );
        if (first?.kind === "frame") Object.assign(first.frame, { more: true });
        story.change(11, FAR, [], {}, false);
      },
    },
    broken: {
      "a frame is too long": (story) => {
        story.change(20_000, FAR, [row(FAR, 0)]);
        Object.assign(story.records.at(-1) ?? {}, { bytes: 1_048_577 });
      },
      "the last part does not come": (story) => {
        story.reading(FAR, 50_000, 50_000);
        story.change(20_005, FAR, [row(FAR, 0)], { more: true }, false);
      },
    },
  },
};
