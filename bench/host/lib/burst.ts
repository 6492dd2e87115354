import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn as spawnShipped } from "node-pty";
import { quantile } from "../../lib/figures.ts";
import type { Figure } from "./report.ts";
import { inTurn } from "./rounds.ts";
import type { SupervisorLink } from "./supervised.ts";

const MIB = 1024 * 1024;
/** Characters of 1 to 4 bytes. */
const BURST = "aé€😀".repeat((7 * MIB) / 10);

interface Scene {
  readonly link: SupervisorLink;
  readonly folder: string;
}

/** From the start of a program that writes a burst to its last page in hand; and the pages alone. */
export async function burstFigures(scene: Scene): Promise<Figure[]> {
  writeFileSync(join(scene.folder, "burst"), BURST);
  const pages: number[] = [];
  const rates = await inTurn({
    ours: async () => {
      const { whole, read } = await ourBurst(scene);
      pages.push(read);
      return [whole];
    },
    nodePty: async () => [await nodePtyBurst(scene)],
  });
  return [
    {
      what: "read loop of 7 MiB of UTF-8 that are there",
      unit: "MB/s",
      ours: quantile(pages, 0.5),
    },
    {
      what: "start to the last page of 7 MiB of UTF-8",
      unit: "MB/s",
      ours: quantile(rates.ours, 0.5),
      baselines: { "node-pty, as text": quantile(rates.nodePty, 0.5) },
    },
  ];
}

const BURST_COMMAND = "stty -opost; exec cat burst";
const rateSince = (began: number) => Buffer.byteLength(BURST) / 1_000 / (performance.now() - began);

async function ourBurst({ link, folder }: Scene): Promise<{ whole: number; read: number }> {
  const began = performance.now();
  const exit = { return_when: { kind: "exit" }, wait_ceiling_ms: 60_000 } as const;
  const session_id = await link.start(BURST_COMMAND, folder, exit);
  const reading = performance.now();
  const pages: string[] = [];
  for (let cursor_offset = 0; ; ) {
    const where = { cursor_segment: 1, cursor_offset };
    const page = await link.operate({ action: "read", session_id, ...where });
    if (page.raw_range === null) break;
    pages.push(page.raw_output);
    cursor_offset = page.raw_range.end.offset;
  }
  const rates = { whole: rateSince(began), read: rateSince(reading) };
  if (pages.join("") !== BURST) throw new Error("what was read must be what was written");
  await link.operate({ action: "close", session_id, close_policy: "force" });
  return rates;
}

/** What it loses at the end of the program is not counted against it. */
function nodePtyBurst({ folder }: Scene): Promise<number> {
  const began = performance.now();
  return new Promise((resolve) => {
    const command = ["-c", `${BURST_COMMAND}; exec sleep 600`.replace("exec cat", "cat")];
    const pty = spawnShipped("/bin/bash", command, { cwd: folder, cols: 80, rows: 24 });
    let length = 0;
    pty.onData((text) => {
      length += text.length;
      if (length < BURST.length) return;
      resolve(rateSince(began));
      pty.kill("SIGKILL");
    });
  });
}
