import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";

/** The types of the files that pages are built of. */
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** How bodies are compressed, the better first. Brotli's 9 is within some per cent of its 11, for a tenth of the time. */
const COMPRESSIONS = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, {
      params: { [zlib.BROTLI_PARAM_QUALITY]: 9, [zlib.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 9 }),
} as const;

/** `identity`: as it is. */
export type Coding = keyof typeof COMPRESSIONS | "identity";

export const CODINGS: readonly Coding[] = ["br", "gzip", "identity"];

/** A file as it is served. */
export class PageFile {
  readonly type: string;
  readonly #body: Buffer;
  readonly #hash: string;
  readonly #compressed = new Map<Coding, Promise<Buffer>>();

  constructor(type: string, body: Buffer) {
    this.type = type;
    this.#body = body;
    this.#hash = createHash("sha256").update(body).digest("base64url").slice(0, 22);
  }

  /** A strong one: it is of the contents, and of how they are coded. */
  etag(coding: Coding): string {
    return coding === "identity" ? `"${this.#hash}"` : `"${this.#hash}-${coding}"`;
  }

  /** Compressed when it is first asked for, once. */
  async body(coding: Coding): Promise<Buffer> {
    if (coding === "identity") return this.#body;
    const body = this.#compressed.get(coding) ?? COMPRESSIONS[coding](this.#body);
    this.#compressed.set(coding, body);
    return body;
  }
}

/** The pages as they were built. */
export interface Pages {
  readonly list: PageFile;
  readonly terminal: PageFile;
  readonly assets: ReadonlyMap<string, PageFile>;
}

/** Reads the pages of a folder into memory: what is not in it then is not served, whatever is asked for. Where they were not
 * built, the pages say so. Throws where they cannot be read. */
export function readPages(folder: string): Pages {
  const file = (...names: string[]) =>
    new PageFile(TYPES[extname(names.at(-1) ?? "")] ?? "", readFileSync(join(folder, ...names)));
  try {
    const names = readdirSync(join(folder, "assets")).filter((name) => extname(name) in TYPES);
    return {
      list: file("index.html"),
      terminal: file("terminal.html"),
      assets: new Map(names.map((name) => [name, file("assets", name)])),
    };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return NO_PAGES;
    throw error;
  }
}

const NOT_BUILT = new PageFile(
  TYPES[".html"] ?? "",
  Buffer.from(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>termtopic</title>
<h1>The pages are not built</h1>
<p>The publisher runs, and this is where its dashboard would be: <code>npm run build</code> in the project's folder builds it; then start the publisher again.</p>
</html>
`),
);

/** What is served where there are no pages. */
export const NO_PAGES: Pages = { list: NOT_BUILT, terminal: NOT_BUILT, assets: new Map() };
