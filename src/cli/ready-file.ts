import { readFile, unlink } from "node:fs/promises";
import { reasonOf } from "../files/reason.ts";
import { replaceFile } from "../files/whole-file.ts";
import type { PublisherPlaces } from "./publisher.ts";

export interface ReadyFile {
  /** Takes the file away, unless it has become another publisher's. */
  remove(): Promise<void>;
}

/** Tells whoever waits for the file that the publisher listens, and where. */
export async function writeReadyFile(
  path: string,
  { instance, endpoint, socket, port }: PublisherPlaces,
): Promise<ReadyFile> {
  const text = `${JSON.stringify({ pid: process.pid, instance, endpoint, socket, port })}\n`;
  await replaceFile(path, text, 0o644).catch((cause) => {
    throw new Error(`--ready-file ${path} cannot be written: ${reasonOf(cause)}`, { cause });
  });
  return {
    async remove() {
      const held = await readFile(path, "utf8").catch(() => undefined);
      if (held === text) await unlink(path).catch(() => {});
    },
  };
}
