import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { useBrowser } from "./support/browser.ts";
import { partOf, rowOf, Stage } from "./support/stage.ts";
import { cuttable } from "./support/way.ts";

const browser = useBrowser();
const SLOW = { timeout: 90_000 };

/** One more tmux server beside the first one of the stage. It ends with the test. */
function anotherTmux({ place }: Stage, name: string): (...args: readonly string[]) => void {
  const run = (...args: readonly string[]) =>
    void execFileSync("tmux", ["-S", join(place.sockets, name), "-f", "/dev/null", "-u", ...args], {
      env: { ...place.env, TERM: "xterm" },
      stdio: "ignore",
    });
  run("new-session", "-d", "-s", name, "-x", "80", "-y", "24", "exec cat");
  onTestFinished(() => {
    try {
      run("kill-server");
    } catch {
      // The test has ended it.
    }
  });
  return run;
}

test(
  "panes of three tmux servers are listed, and those of one that ends go alone",
  SLOW,
  async () => {
    const stage = await Stage.begin(browser());
    const second = anotherTmux(stage, "second");
    const page = await stage.list();
    for (const name of ["work:0.0", "second:0.0"]) await rowOf(page, name).waitFor();
    anotherTmux(stage, "third");
    await rowOf(page, "third:0.0").waitFor();
    second("kill-server");
    await rowOf(page, "second:0.0").waitFor({ state: "detached" });
    expect(await page.locator("li.row").count()).toBe(2);
  },
);

test(
  "an agent that is suspended in its shell stays attached, and is in front again when it goes on",
  SLOW,
  async () => {
    const stage = await Stage.begin(browser());
    const claude = await stage.claudeInShell();
    claude.says({
      sessionId: "0199d4b2-5f0a-7c31-8a52-3e8f6c1d2b40",
      status: "idle",
      name: "fix the build",
    });
    const page = await stage.list();
    const row = partOf(page, "Attached").locator("li.row").filter({ hasText: "fix the build" });
    await row.locator(".state.idle").waitFor();
    stage.place.tmux("send-keys", "-t", "work:1", "C-z");
    await row.getByText("in front: bash").waitFor();
    expect(await row.count()).toBe(1);
    stage.place.tmux("send-keys", "-t", "work:1", "fg", "Enter");
    await row.getByText("in front: bash").waitFor({ state: "detached" });
    expect(await row.count()).toBe(1);
  },
);

test(
  "while the network is cut the list stays, dimmed, and comes back with what it missed",
  SLOW,
  async () => {
    const stage = await Stage.begin(browser());
    const way = await cuttable(stage.publisher.ready.port);
    const endpoint = `http://127.0.0.1:${way.port}/`;
    const page = await stage.list({ endpoint, expected: /net::ERR_|WebSocket connection/ });
    await rowOf(page, "work:0.0").waitFor();
    way.cut();
    await page.getByText(/Not connected\. The list is as of \d/).waitFor();
    expect(await page.locator("main").getAttribute("data-stale")).toBe("");
    stage.place.tmux("new-window", "-d", "-n", "meanwhile", "exec cat");
    await way.mend();
    await rowOf(page, "work:1.0").waitFor();
    expect(await rowOf(page, "work:0.0").count()).toBe(1);
    await page.getByText("Not connected").waitFor({ state: "detached" });
  },
);

test("a view says that its host is lost, and that its terminal is gone", SLOW, async () => {
  const stage = await Stage.begin(browser());
  const id = await stage.open("--name", "mine");
  const page = await stage.list();
  await rowOf(page, "mine").waitFor();
  await page.goto(`${stage.endpoint}terminals/${encodeURIComponent(id)}`);
  await page.locator(".tools .size").waitFor();
  stage.host.signal("SIGKILL");
  await page.getByRole("heading", { name: "This terminal is gone" }).waitFor();
});
