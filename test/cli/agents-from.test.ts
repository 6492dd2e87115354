import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { upstreams } from "../../src/cli/agents-from.ts";
import { readAgentCommand, readAgentsFrom, readSource } from "../../src/cli/options.ts";
import { readTokenFile } from "../../src/cli/token-file.ts";
import { subscribe } from "../../src/client/index.ts";
import { PlainPublisher } from "../client/support/plain-publisher.ts";

async function publisher(): Promise<PlainPublisher> {
  const plain = new PlainPublisher();
  await plain.listen();
  onTestFinished(() => plain.close());
  return plain;
}

/** Whether the only publisher that the options name lets itself be asked. */
async function answers(options: Parameters<typeof upstreams>[0]): Promise<string> {
  const [upstream] = await upstreams(options);
  if (upstream === undefined) return "none";
  const { transport } = upstream;
  const subscription = subscribe({ transport, topics: ["agents"], reconnect: false });
  try {
    await subscription.ready("agents");
    return "rows";
  } catch (error) {
    return (error as { reason: string }).reason;
  } finally {
    subscription.close();
  }
}

function tokenFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "tt-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "token");
  writeFileSync(path, text);
  return path;
}

test("an address is told from the path of a socket by how it looks", () => {
  expect(readAgentsFrom("http://127.0.0.1:1/a.sock")).toEqual({
    kind: "url",
    endpoint: "http://127.0.0.1:1/a.sock/",
  });
  expect(readAgentsFrom("https://h/#token=a")).toEqual({
    kind: "url",
    endpoint: "https://h/",
    token: "a",
  });
  expect(readAgentsFrom("/run/x")).toEqual({ kind: "socket", path: "/run/x" });
  for (const text of ["./x", "x.sock", "../x.sock"]) {
    expect(readAgentsFrom(text)).toEqual({ kind: "socket", path: join(process.cwd(), text) });
  }
  for (const text of ["", "x", "localhost:1", "http://h/?q"]) {
    expect(() => readAgentsFrom(text)).toThrow("--agents-from must be an http or https address");
  }
});

test("a socket is reached without a token, an address with its own before the one of the file", async () => {
  const plain = await publisher();
  const { endpoint, token } = plain;
  const right = tokenFile(`${token}\n`);
  const wrong = tokenFile("wrong");
  const at = (text: string) => ({ agentsFrom: [readAgentsFrom(text)] });
  expect(await answers(at(plain.socketPath))).toBe("rows");
  expect(await answers({ ...at(endpoint), agentsTokenFile: right })).toBe("rows");
  expect(await answers({ ...at(`${endpoint}#token=${token}`), agentsTokenFile: wrong })).toBe(
    "rows",
  );
  expect(await answers(at(endpoint))).toBe("unauthorized");
});

test("each publisher is there once, by a name that shows no token", async () => {
  const agentsFrom = ["http://h:1/#token=secret", "/run/x", "http://h:1", "/run/../run/x"].map(
    readAgentsFrom,
  );
  const names = (await upstreams({ agentsFrom })).map(({ name }) => name);
  expect(names).toEqual(["http://h:1/", "/run/x"]);
  expect(await upstreams({})).toEqual([]);
});

test("a token for nobody, or one that cannot be read, is told", async () => {
  const socket = { agentsFrom: [readAgentsFrom("/run/x")], agentsTokenFile: "/no/such" };
  await expect(upstreams(socket)).rejects.toThrow("--agents-token-file is for an --agents-from");
  const url = { agentsFrom: [readAgentsFrom("http://h/")], agentsTokenFile: "/no/such" };
  await expect(upstreams(url)).rejects.toThrow(
    "--agents-token-file /no/such cannot be read: there is no such file",
  );
});

test("of a token's file a bounded part is read, and nothing else is one", async () => {
  const read = (path: string) => readTokenFile("--token-file", path);
  const longest = "x".repeat(4_096);
  expect(await read(tokenFile(longest))).toBe(longest);
  expect(await read(tokenFile(" word\r\n"))).toBe("word");
  for (const text of ["", "two words", `${longest}x`, "\u00e9", "y".repeat(1_000_000)]) {
    await expect(read(tokenFile(text))).rejects.toThrow(
      /^--token-file \S+ must hold a token and nothing else, in at most 4096 bytes$/,
    );
  }
  const pipe = join(dirname(tokenFile("")), "pipe");
  execFileSync("mkfifo", [pipe]);
  for (const path of ["/dev/zero", "/dev/null", tmpdir(), pipe]) {
    await expect(read(path)).rejects.toThrow(`--token-file ${path} must be a regular file`);
  }
});

test("a command of agents is named without its path, and is no harness", () => {
  expect(readAgentCommand("aider")).toBe("aider");
  expect(["aider.js", ".goose-wrapped"].map(readAgentCommand)).toEqual(["aider", "goose"]);
  for (const harness of ["claude", "codex", "codex.exe", ".claude-wrapped", "claude.js"]) {
    expect(() => readAgentCommand(harness)).toThrow("none as starting");
  }
  for (const text of ["", "/bin/aider", "aider --yes"]) {
    expect(() => readAgentCommand(text)).toThrow("must be the name of a command");
  }
});

test("the ttys are named as their ids are too", () => {
  expect(readSource("tty")).toBe("ttys");
  expect(readSource("ttys")).toBe("ttys");
});
