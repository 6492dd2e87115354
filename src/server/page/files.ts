import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** The types of the files that pages are built of. */
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

const compress = promisify(gzip);

/** A file as it is served. */
export class PageFile {
  readonly type: string;
  readonly body: Buffer;
  /** A strong one: it is of the contents. */
  readonly etag: string;
  #gzip: Promise<Buffer> | undefined;

  constructor(type: string, body: Buffer) {
    this.type = type;
    this.body = body;
    this.etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  }

  /** Compressed when it is first asked for, once. */
  gzip(): Promise<Buffer> {
    this.#gzip ??= compress(this.body, { level: 9 });
    return this.#gzip;
  }
}

/** The pages as they were built. */
export interface Pages {
  readonly list: PageFile;
  readonly terminal: PageFile;
  readonly assets: ReadonlyMap<string, PageFile>;
}

/** Reads the pages of a folder: what is not in it then is not served. Where they were not built, the pages say so. */
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
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return NO_PAGES;
  }
}

const NOT_BUILT = new PageFile(
  TYPES[".html"] ?? "",
  Buffer.from(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>termtopic</title>
<h1>The pages are not built</h1>
<p>The publisher runs, and this is where its dashboard would be: <code>npm run build</code> builds it.</p>
</html>
`),
);

/** What is served where there are no pages. */
export const NO_PAGES: Pages = { list: NOT_BUILT, terminal: NOT_BUILT, assets: new Map() };
