import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PlainPublisher } from "./support/plain-publisher.ts";

const folder = mkdtempSync(join(tmpdir(), "client-exit-"));
const publisher = new PlainPublisher();

beforeAll(async () => {
  await publisher.listen();
  await bundle("support/asker.ts");
});

afterAll(async () => {
  await publisher.close();
  rmSync(folder, { recursive: true, force: true });
});

async function bundle(entry: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: "silent",
    root: import.meta.dirname,
    ssr: { noExternal: true, external: ["bufferutil", "utf-8-validate"] },
    build: {
      ssr: join(import.meta.dirname, entry),
      outDir: folder,
      emptyOutDir: false,
      minify: false,
    },
  });
}

/** Runs a program that subscribes and ends only because nothing is left to do. */
async function run(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(folder, "asker.js"), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const [code] = await once(child, "close");
  return { code, output };
}

describe("a process", () => {
  it("ends by itself once the subscription is closed", async () => {
    const { endpoint, token, socketPath } = publisher;
    const runs = await Promise.all([run("ws", endpoint, token), run("unix", socketPath)]);
    for (const { code, output } of runs) {
      expect(output).toBe("ready 2\nclosed\n");
      expect(code).toBe(0);
    }
  });

  it("ends by itself once the subscription has failed", async () => {
    const { code, output } = await run("ws", publisher.endpoint, "wrong");
    expect(output).toBe("failed unauthorized\n");
    expect(code).toBe(0);
  });

  it("is kept alive while the subscription waits for its next try", async () => {
    const { code, output } = await run("unix-late", join(publisher.folder, "late.sock"));
    expect(output).toBe("disconnected\nready 2\nclosed\n");
    expect(code).toBe(0);
  });
});

describe("the client for browsers", () => {
  it("is bundled without reaching for Node or for a WebSocket of its own", async () => {
    await bundle("../../src/client/index.ts");
    const text = readFileSync(join(folder, "index.js"), "utf8");
    expect(text).toContain("hello.user");
    expect(text).not.toMatch(/(?:from|import|require)\s*\(?["'](?:node:|ws["'])/);
    expect(text).not.toMatch(/\b(?:process|Buffer)\./);
  });
});
