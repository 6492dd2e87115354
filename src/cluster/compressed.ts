import { promisify } from "node:util";
import { constants, gunzip, gunzipSync, gzip, gzipSync } from "node:zlib";
import { MAX_VALUE_BYTES } from "./limits.ts";

/** Shorter texts are not worth it. */
const WORTH_BYTES = 1_024;

/** Longer ones are left to another thread: they would hold up the process. */
const HEAVY_BYTES = 262_144;
const HEAVY_COMPRESSED_BYTES = 65_536;

const LEVEL = { level: constants.Z_BEST_SPEED };
const LIMIT = { maxOutputLength: MAX_VALUE_BYTES };

const gzipApart = promisify<Uint8Array, typeof LEVEL, Buffer>(gzip);
const gunzipApart = promisify<Uint8Array, typeof LIMIT, Buffer>(gunzip);

export async function compressed(text: string): Promise<Uint8Array> {
  const bytes = Buffer.from(text);
  if (bytes.length <= WORTH_BYTES) return bytes;
  return bytes.length <= HEAVY_BYTES ? gzipSync(bytes, LEVEL) : gzipApart(bytes, LEVEL);
}

/** Rejects where the bytes are not what `compressed` makes, or hold more than MAX_VALUE_BYTES. */
export async function decompressed(bytes: Uint8Array): Promise<string> {
  if (bytes[0] !== 0x1f) return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  const text =
    bytes.length <= HEAVY_COMPRESSED_BYTES
      ? gunzipSync(bytes, LIMIT)
      : await gunzipApart(bytes, LIMIT);
  return text.toString();
}
