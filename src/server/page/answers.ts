import type { IncomingMessage } from "node:http";
import { DOCUMENT_HEADERS } from "../policy.ts";
import { codingFor, isHeld } from "./coding.ts";
import type { PageFile } from "./files.ts";

/** What is answered to a request that was let in. */
export interface Answer {
  /** Default 200. */
  readonly status?: number;
  readonly body: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** A document, as it was built. It is asked for anew each time, and sent where it is another. */
export function documentAnswer(
  file: PageFile,
  policy: string,
  request: IncomingMessage,
): Promise<Answer> {
  return fileAnswer(file, request, {
    ...DOCUMENT_HEADERS,
    "Cache-Control": "no-cache",
    "Content-Security-Policy": policy,
  });
}

/** A file whose name changes with its contents. Absent where there is none. */
export async function assetAnswer(
  file: PageFile | undefined,
  request: IncomingMessage,
): Promise<Answer | undefined> {
  if (file === undefined) return undefined;
  return fileAnswer(file, request, { "Cache-Control": "public, max-age=31536000, immutable" });
}

async function fileAnswer(
  file: PageFile,
  { headers }: IncomingMessage,
  more: Readonly<Record<string, string>>,
): Promise<Answer> {
  const coding = codingFor(headers["accept-encoding"]);
  const etag = file.etag(coding);
  const common = { "Content-Type": file.type, ETag: etag, Vary: "Accept-Encoding", ...more };
  if (isHeld(headers["if-none-match"], etag)) return { status: 304, body: "", headers: common };
  const coded = coding === "identity" ? {} : { "Content-Encoding": coding };
  return { body: await file.body(coding), headers: { ...common, ...coded } };
}
