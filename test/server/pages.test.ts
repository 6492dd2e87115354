import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { codingFor, isHeld } from "../../src/server/page/coding.ts";
import { readPages } from "../../src/server/page/files.ts";
import { startServer, TOKEN, temporaryFolder } from "./support.ts";

const SCRIPT = `const text = "${"words ".repeat(500)}";\n`;

/** A server with pages that were built into a folder, as the build lays them out, and something beside them. */
async function built() {
  const folder = join(await temporaryFolder(), "dashboard");
  mkdirSync(join(folder, "assets"), { recursive: true });
  const files = {
    "index.html": "<!doctype html><title>the list</title>",
    "terminal.html": "<!doctype html><title>a terminal</title>",
    "assets/main-1a2b.js": SCRIPT,
    "assets/main-1a2b.js.map": "{}",
    "assets/main-3c4d.css": "p {}",
    "assets/icon-5e6f.svg": "<svg/>",
    "../secret.js": "secret",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const server = await startServer({ pages: readPages(folder) });
  return { server, folder, at: (path: string) => `${server.endpoint}${path}` };
}

/** Asks in the very words given: `fetch` makes its own of a path with dots, and of what is accepted. */
async function ask(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
) {
  const socket = connect(port, "127.0.0.1");
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, Connection: "close", ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}`);
  socket.write([`${method} ${path} HTTP/1.1`, ...head, "", ""].join("\r\n"));
  const parts: Buffer[] = [];
  for await (const part of socket) parts.push(part);
  const all = Buffer.concat(parts);
  const end = all.indexOf("\r\n\r\n");
  const [status = "", ...rest] = all.subarray(0, end).toString().split("\r\n");
  const named = rest.map((line): [string, string] => {
    const at = line.indexOf(": ");
    return [line.slice(0, at).toLowerCase(), line.slice(at + 2)];
  });
  return {
    status: Number(status.split(" ")[1]),
    headers: new Map(named),
    body: all.subarray(end + 4),
  };
}

describe("the pages that were built", () => {
  test.each([
    ["", "the list", "text/html; charset=utf-8"],
    ["a/prefix/", "the list", "text/html; charset=utf-8"],
    ["terminals/pty%3Ax", "a terminal", "text/html; charset=utf-8"],
    ["a/terminals/tmux%3A%252Ftmp%2Fs%401.2%2F3?x=1", "a terminal", "text/html; charset=utf-8"],
    ["assets/main-1a2b.js", "words", "text/javascript; charset=utf-8"],
    ["a/assets/main-3c4d.css", "p {}", "text/css; charset=utf-8"],
    ["assets/icon-5e6f.svg", "<svg/>", "image/svg+xml"],
  ])("are served without a token: %s", async (path, text, type) => {
    const answer = await fetch((await built()).at(path));
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
    expect(await answer.text()).toContain(text);
  });

  test("are asked for anew each time where they are documents, and never where their names say what is in them", async () => {
    const { at } = await built();
    const kept = async (path: string) => (await fetch(at(path))).headers.get("cache-control");
    expect(await kept("")).toBe("no-cache");
    expect(await kept("terminals/pty%3Ax")).toBe("no-cache");
    expect(await kept("assets/main-1a2b.js")).toBe("public, max-age=31536000, immutable");
  });

  test("are sent once to who holds them, in whichever coding", async () => {
    const { server } = await built();
    const etags = new Set<string>();
    for (const path of ["/", "/assets/main-1a2b.js"]) {
      for (const coding of ["br", "gzip", "identity"]) {
        const accepts = { "Accept-Encoding": coding };
        const { status, headers } = await ask(server.port, path, accepts);
        const etag = headers.get("etag") ?? "";
        expect([status, etag]).toEqual([200, expect.stringMatching(/^"[\w-]{22}(-br|-gzip)?"$/)]);
        expect(headers.get("vary")).toBe("Accept-Encoding");
        etags.add(etag);
        const again = await ask(server.port, path, { ...accepts, "If-None-Match": `W/${etag}` });
        expect([again.status, again.body.length]).toEqual([304, 0]);
        expect(again.headers.get("etag")).toBe(etag);
        const other = await ask(server.port, path, { ...accepts, "If-None-Match": '"other"' });
        expect(other.status).toBe(200);
      }
    }
    expect(etags.size).toBe(6);
  });

  test("are compressed for who takes that", async () => {
    const { server } = await built();
    const coded = (accepted: string) =>
      ask(server.port, "/assets/main-1a2b.js", { "Accept-Encoding": accepted });
    const br = await coded("gzip, deflate, br");
    expect(br.headers.get("content-encoding")).toBe("br");
    expect(brotliDecompressSync(br.body).toString()).toBe(SCRIPT);
    const gzip = await coded("gzip, br;q=0");
    expect(gzip.headers.get("content-encoding")).toBe("gzip");
    expect(gunzipSync(gzip.body).toString()).toBe(SCRIPT);
    const plain = await coded("deflate");
    expect(plain.headers.get("content-encoding")).toBeUndefined();
    expect(plain.body.toString()).toBe(SCRIPT);
    for (const { headers, body } of [br, gzip, plain]) {
      expect(headers.get("content-length")).toBe(String(body.length));
    }
  });

  test.each(["/", "/terminals/pty%3Ax", "/assets/main-1a2b.js"])(
    "are answered to HEAD as to GET, without the body: %s",
    async (path) => {
      const { server } = await built();
      const [head, get] = [
        await ask(server.port, path, {}, "HEAD"),
        await ask(server.port, path, {}, "GET"),
      ];
      expect([head.status, head.body.length]).toEqual([200, 0]);
      for (const answer of [head, get]) answer.headers.delete("date");
      expect(head.headers).toEqual(get.headers);
    },
  );

  test.each([
    "/assets/main-1a2b.js.map",
    "/assets/none.js",
    "/assets/index.html",
    "/index.html",
    "/terminal.html",
    "/assets/../index.html",
    "/assets/../../secret.js",
    "/assets/..%2F..%2Fsecret.js",
    "/assets/%2e%2e%2f%2e%2e%2fsecret.js",
    "/assets/..%5c..%5csecret.js",
    "/assets/main-1a2b.js%00",
    "/assets//etc/passwd",
    "/assets/%2Fetc%2Fpasswd",
    "/assets/__proto__",
    "/secret.js",
    "/../secret.js",
    "/assets/%",
  ])("are all that is served: %s is 404", async (path) => {
    const { server } = await built();
    const { status, body } = await ask(server.port, path);
    expect([status, String(body)]).toEqual([404, "nothing is here\n"]);
  });

  test("are those of the start, whatever becomes of the folder", async () => {
    const { folder, at } = await built();
    writeFileSync(join(folder, "assets/late.js"), "late");
    rmSync(join(folder, "index.html"));
    expect((await fetch(at("assets/late.js"))).status).toBe(404);
    expect(await (await fetch(at(""))).text()).toContain("the list");
  });

  test("where there are none, say how they are built", async () => {
    const folder = await temporaryFolder();
    const server = await startServer({ pages: readPages(join(folder, "nowhere")) });
    for (const path of ["", "terminals/pty%3Ax"]) {
      const answer = await fetch(`${server.endpoint}${path}`);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([
        ...[200, "text/html; charset=utf-8"],
      ]);
      expect(await answer.text()).toContain("npm run build");
    }
  });
});

/** What a policy says, by directive. */
const directives = (policy: string | null) =>
  Object.fromEntries(
    (policy ?? "").split("; ").map((part) => {
      const [name = "", ...values] = part.split(" ");
      return [name, values.join(" ")];
    }),
  );

describe("what the answers let a browser do", () => {
  test("a document runs and shows its own files, connects to where it came from, and makes no markup of text", async () => {
    const { server, at } = await built();
    const host = `127.0.0.1:${server.port}`;
    const common = {
      "default-src": "'none'",
      "script-src": "'self'",
      "style-src": "'self'",
      "img-src": "'self'",
      "connect-src": `'self' ws://${host} wss://${host}`,
      "base-uri": "'none'",
      "form-action": "'none'",
      "frame-ancestors": "'none'",
      "require-trusted-types-for": "'script'",
      "trusted-types": "'none'",
    };
    const policyOf = async (path: string) =>
      directives((await fetch(at(path))).headers.get("content-security-policy"));
    expect(await policyOf("")).toEqual(common);
    expect(await policyOf("terminals/pty%3Ax")).toEqual({
      ...common,
      "style-src-elem": "'self' 'unsafe-inline'",
    });
  });

  test.each([
    ["GET", "", 200],
    ["GET", "terminals/pty%3Ax", 200],
    ["GET", "assets/icon-5e6f.svg", 200],
    ["GET", "healthz", 200],
    ["GET", "metrics", 401],
    ["GET", "nothing", 404],
    ["DELETE", "", 405],
    ["OPTIONS", "session", 405],
    ["POST", "session", 200],
  ])(
    "%s %s says that nobody else may use it, frame it or guess at it",
    async (method, path, status) => {
      const { at } = await built();
      const headers = method === "POST" ? { Authorization: `Bearer ${TOKEN}` } : {};
      const answer = await fetch(at(path), { method, headers });
      expect(answer.status).toBe(status);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
      expect(answer.headers.get("cross-origin-resource-policy")).toBe("same-origin");
      const policy = directives(answer.headers.get("content-security-policy"));
      expect(policy).toMatchObject({ "default-src": "'none'", "frame-ancestors": "'none'" });
      const allowed = [...answer.headers.keys()].filter((name) =>
        name.startsWith("access-control"),
      );
      expect(allowed).toEqual([]);
    },
  );

  test("a document has the clipboard and no other device or power, and no window of others", async () => {
    const { at } = await built();
    for (const path of ["", "terminals/pty%3Ax"]) {
      const { headers } = await fetch(at(path));
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      const permissions = (headers.get("permissions-policy") ?? "").split(", ");
      const given = permissions.filter((one) => !one.endsWith("=()"));
      expect(given).toEqual(["clipboard-read=(self)", "clipboard-write=(self)"]);
      expect(permissions).toContain("camera=()");
    }
  });
});

describe("a coding", () => {
  test.each([
    [undefined, "identity"],
    ["", "identity"],
    ["gzip", "gzip"],
    ["br, gzip", "br"],
    ["GZIP;q=0.5, br;q=0.000", "gzip"],
    ["gzip;q=0", "identity"],
    ["*", "br"],
    ["*;q=0", "identity"],
    ["br;q=0, *", "gzip"],
    ["zstd, x-gzip", "identity"],
  ] as const)("for %j is %s", (accepted, coding) => {
    expect(codingFor(accepted)).toBe(coding);
  });

  test("is part of what is held", () => {
    expect(isHeld('"a-br", "b"', '"b"')).toBe(true);
    expect(isHeld('W/"b"', '"b"')).toBe(true);
    expect(isHeld("*", '"b"')).toBe(true);
    expect(isHeld('"b-br"', '"b"')).toBe(false);
    expect(isHeld(undefined, '"b"')).toBe(false);
  });
});
