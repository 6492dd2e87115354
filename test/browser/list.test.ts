import { expect, test } from "vitest";
import { useBrowser } from "./support/browser.ts";
import { partOf, rowOf, Stage } from "./support/stage.ts";

const browser = useBrowser();
const SLOW = { timeout: 90_000 };

test(
  "an agent is shown where it stands from its start to its end, without a reload",
  SLOW,
  async () => {
    const stage = await Stage.begin(browser());
    const page = await stage.list();
    await partOf(page, "Unattached").locator("li.row").first().waitFor();
    const claude = await stage.claude();
    await partOf(page, "Starting").getByText("claude").waitFor();
    claude.says({
      sessionId: "0199d4b2-5f0a-7c31-8a52-3e8f6c1d2b40",
      status: "idle",
      name: "fix the build",
    });
    const attached = partOf(page, "Attached");
    await attached.getByText("fix the build").waitFor();
    expect(await attached.locator(".state").textContent()).toBe("idle");
    claude.says({ status: "busy" });
    await attached.locator(".state.busy").waitFor();
    claude.says({ status: "waiting", waitingFor: "permission to run tests" });
    const needs = partOf(page, "Needs you");
    await needs.getByText("for permission to run tests").waitFor();
    await expect.poll(() => page.title()).toMatch(/^\(1\) \d+ terminals - termtopic$/);
    claude.says({ status: "busy", waitingFor: undefined });
    await attached.locator(".state.busy").waitFor();
    claude.ends();
    await rowOf(page, "fix the build").waitFor({ state: "detached" });
    await partOf(page, "Ended").waitFor();
  },
);

test(
  "a terminal of the host is listed when it is opened and gone when it is closed",
  SLOW,
  async () => {
    const stage = await Stage.begin(browser());
    const page = await stage.list();
    await partOf(page, "Unattached").waitFor();
    await stage.open("--name", "build", "--", "echo hello");
    const row = rowOf(page, "build");
    await row.waitFor();
    expect(await row.locator(".manager").textContent()).toBe("pty");
    await row.hover();
    await row.getByRole("button", { name: /^Close/ }).click();
    await row.waitFor({ state: "detached" });
  },
);

test("the host's terminals go when it is killed, and the others stay", SLOW, async () => {
  const stage = await Stage.begin(browser());
  await stage.open("--name", "build");
  const page = await stage.list();
  await rowOf(page, "build").waitFor();
  stage.host.signal("SIGKILL");
  await rowOf(page, "build").waitFor({ state: "detached" });
  expect(await rowOf(page, "work:0.0").count()).toBe(1);
});

test(
  "while the publisher is away the list stays, dimmed and dated, and comes back by itself",
  SLOW,
  async () => {
    const stage = await Stage.begin(browser());
    const page = await stage.list({ expected: /net::ERR_|WebSocket connection/ });
    await rowOf(page, "work:0.0").waitFor();
    const { program } = stage.publisher;
    program.signal("SIGKILL");
    await page.getByText(/Not connected\. The list is as of \d/).waitFor();
    expect(await rowOf(page, "work:0.0").count()).toBe(1);
    expect(await page.locator("main").getAttribute("data-stale")).toBe("");
    await stage.restart();
    await page.getByText("Not connected").waitFor({ state: "detached" });
    expect(await page.locator("main").getAttribute("data-stale")).toBeNull();
    stage.place.tmux("new-window", "-d", "-n", "later", "exec cat");
    await rowOf(page, "work:1.0").waitFor();
  },
);

test("what is typed filters the list at once, and the address keeps it", SLOW, async () => {
  const stage = await Stage.begin(browser());
  for (const name of ["alpha", "beta"]) await stage.open("--name", name);
  const page = await stage.list();
  await rowOf(page, "beta").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("alpha");
  await expect.poll(() => page.locator("li.row:visible").count()).toBe(1);
  await expect.poll(() => new URL(page.url()).search).toBe("?q=alpha");
  await page.reload();
  await expect.poll(() => page.locator("li.row:visible").count()).toBe(1);
  await page.getByRole("button", { name: "Show all" }).click();
  await expect.poll(() => page.locator("li.row:visible").count()).toBe(3);
  await page.getByRole("combobox", { name: "Manager" }).selectOption("tmux");
  await expect.poll(() => page.locator("li.row:visible").count()).toBe(1);
  await expect.poll(() => new URL(page.url()).search).toBe("?manager=tmux");
});

test("the whole list works by keys alone", SLOW, async () => {
  const stage = await Stage.begin(browser());
  for (const name of ["alpha", "beta"]) await stage.open("--name", name);
  const page = await stage.list();
  await rowOf(page, "beta").waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.closest("li.row")?.textContent);
  await page.keyboard.press("Home");
  const first = await focused();
  await page.keyboard.press("ArrowDown");
  expect(await focused()).not.toBe(first);
  await page.keyboard.press("ArrowUp");
  expect(await focused()).toBe(first);
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await focused()).toBe(first);
  await page.keyboard.press("/");
  await page.keyboard.type("beta");
  await expect.poll(() => page.locator("li.row:visible").count()).toBe(1);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("r");
  await page.getByRole("dialog", { name: "Rename the terminal" }).waitFor();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("beta two");
  await page.keyboard.press("Enter");
  await rowOf(page, "beta two").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/terminals\//);
});

test(
  "a terminal is opened from the page, with a command in place of a shell, and shown",
  SLOW,
  async () => {
    const stage = await Stage.begin(browser());
    const page = await stage.list();
    await rowOf(page, "work:0.0").waitFor();
    await page.getByRole("button", { name: "Open" }).click();
    const dialog = page.getByRole("dialog", { name: "Open a terminal" });
    await dialog.getByLabel("Directory").fill(stage.place.folder);
    await dialog.getByLabel("Command").fill("cat");
    await dialog.getByLabel(/in place of a shell/).check();
    await dialog.getByLabel("Name").fill("mine");
    await dialog.getByRole("button", { name: "Open" }).click();
    await page.waitForURL(/\/terminals\/pty/);
    await page.locator(".tools").getByText("mine").waitFor();
    await page.getByRole("link", { name: "All terminals" }).click();
    const row = rowOf(page, "mine");
    await row.waitFor();
    expect(await row.locator(".command").textContent()).toBe("cat");
  },
);

test(
  "a job that is in the way of closing is named, and ended only when that is said",
  SLOW,
  async () => {
    const stage = await Stage.begin(browser());
    await stage.open("--name", "busy", "--", "sleep 1000");
    const page = await stage.list();
    const row = rowOf(page, "in front: sleep");
    await row.waitFor();
    await row.hover();
    await row.getByRole("button", { name: /^Close/ }).click();
    const dialog = page.getByRole("dialog", { name: "Close the terminal?" });
    await dialog.getByText("sleep").waitFor();
    await dialog.getByRole("button", { name: "Keep it" }).click();
    expect(await row.count()).toBe(1);
    await row.hover();
    await row.getByRole("button", { name: /^Close/ }).click();
    await dialog.getByRole("button", { name: "End it and close" }).click();
    await row.waitFor({ state: "detached" });
  },
);

test("who may only look is offered nothing that acts", SLOW, async () => {
  const stage = await Stage.begin(browser());
  await stage.open("--name", "seen");
  const url = (await stage.place.run(["url", "--read-only"])).stdout;
  const page = await stage.list({ token: url.slice(url.indexOf("#token=") + 7).trim() });
  const row = rowOf(page, "seen");
  await row.waitFor();
  await row.hover();
  expect(await row.getByRole("button").allInnerTexts()).not.toContain("Close");
  expect(await page.getByRole("button", { name: "Open" }).count()).toBe(0);
  await row.locator(".row-link").click();
  await page.locator(".screen .xterm").waitFor();
  await page.getByText("This page may look and not type").waitFor();
  expect(await page.getByRole("button", { name: "Read-only" }).count()).toBe(0);
});

test("what others wrote is text: names, titles, commands and folders", SLOW, async () => {
  const stage = await Stage.begin(browser());
  const markup = "<img src=x onerror=alert(1)>";
  stage.place.tmux("rename-window", markup);
  await stage.open("--name", "\u202eevil\u2066<b>bold", "--", `printf '\\033]2;${markup}\\007'`);
  const page = await stage.list();
  await page.getByText("<b>bold").first().waitFor();
  expect(await page.locator("main img, main b").count()).toBe(0);
});
