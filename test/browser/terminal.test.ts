import { expect, test } from "vitest";
import { useBrowser, watchedPage } from "./support/browser.ts";
import { coloursIn, openTerminal, rowOf, Stage, showsText, typeInto } from "./support/stage.ts";
import { cuttable } from "./support/way.ts";

const browser = useBrowser();
const SLOW = { timeout: 90_000 };

test(
  "what is typed in the view of a terminal of the host runs, and its output is seen",
  SLOW,
  async () => {
    const stage = await Stage.begin(browser());
    await stage.open("--name", "mine");
    const page = await stage.list();
    await openTerminal(page, "mine");
    await page
      .locator(".tools")
      .getByText(/\d+×\d+/)
      .waitFor();
    await typeInto(page, "echo $((6*7)) seen\n");
    await showsText(page, "42 seen");
    expect(await coloursIn(page, page.locator(".screen"))).toBeGreaterThan(10);
  },
);

test("a terminal is as large as its place in the window", SLOW, async () => {
  const stage = await Stage.begin(browser());
  await stage.open("--name", "mine");
  const page = await stage.list();
  await openTerminal(page, "mine");
  const size = page.locator(".tools .size");
  await expect.poll(() => size.textContent()).not.toBe("80×24");
  const before = await size.textContent();
  await page.setViewportSize({ width: 700, height: 500 });
  await expect.poll(() => size.textContent()).not.toBe(before);
  const [cols, rows] = (await size.textContent())?.split("×") ?? [];
  await typeInto(page, "stty size\n");
  await showsText(page, `${rows} ${cols}`);
  await page.getByRole("button", { name: "Larger text" }).click();
  await expect.poll(() => size.textContent()).not.toBe(`${cols}×${rows}`);
});

test("a pane of tmux is seen and typed into, at its own size", SLOW, async () => {
  const stage = await Stage.begin(browser());
  stage.place.tmux("new-window", "-d", "-n", "shell", "exec env PS1=ready: sh");
  const page = await stage.list();
  await openTerminal(page, "work:1.0");
  await page.locator(".tools .size").getByText("80×24").waitFor();
  await typeInto(page, "echo $((6*7)) seen\n");
  await showsText(page, "42 seen");
  expect(await coloursIn(page, page.locator(".screen"))).toBeGreaterThan(10);
  expect(stage.place.tmux("list-clients")).toBe("");
});

test("a program's end is told, and the terminal's with when and why", SLOW, async () => {
  const stage = await Stage.begin(browser());
  await stage.open("--name", "mine");
  const page = await stage.list();
  await openTerminal(page, "mine");
  // What is typed before it is attached is nobody's.
  await page.locator(".size").waitFor();
  await typeInto(page, "exit 3\n");
  await page.getByText(/^The program has ended with 3\b/).waitFor();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.getByRole("heading", { name: "This terminal is gone" }).waitFor();
  await page.getByText(/It was closed, or its program ended\. That was at/).waitFor();
  await page.getByText("mine").first().waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "This terminal is gone" }).waitFor();
  await page.getByRole("link", { name: "All terminals" }).first().click();
  await rowOf(page, "work:0.0").waitFor();
});

test("an address of no terminal says so", SLOW, async () => {
  const stage = await Stage.begin(browser());
  const page = await stage.list();
  await rowOf(page, "work:0.0").waitFor();
  await page.goto(`${stage.endpoint}terminals/pty%3Anever`);
  await page.getByRole("heading", { name: "No such terminal" }).waitFor();
  await page.goto(`${stage.endpoint}terminals/nonsense`);
  await page.getByText("This address names none.").waitFor();
});

test(
  "several lines are pasted into a shell only when that is said, and no key that hides in them is pressed",
  SLOW,
  async () => {
    const stage = await Stage.begin(browser());
    await stage.open("--name", "mine", "--exec", "--", "sh", "-c", "stty -echo; cat -v");
    const page = await stage.list();
    await openTerminal(page, "mine");
    const paste = (text: string) =>
      page.evaluate((pasted) => {
        const data = new DataTransfer();
        data.setData("text/plain", pasted);
        const event = new ClipboardEvent("paste", {
          clipboardData: data,
          bubbles: true,
          cancelable: true,
        });
        document.querySelector(".xterm-helper-textarea")?.dispatchEvent(event);
      }, text);
    await page
      .locator(".tools")
      .getByText(/\d+×\d+/)
      .waitFor();
    await paste("one\ntwo\n");
    const dialog = page.getByRole("dialog", { name: "Paste 2 lines?" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await paste("three\x1b[201~\x03four\nfive\n");
    await page
      .getByRole("dialog", { name: "Paste 2 lines?" })
      .getByRole("button", { name: "Paste" })
      .click();
    await showsText(page, "five");
    const text = await page.locator(".plain pre").textContent();
    expect(text).toBe("three[201~four\nfive");
    await page.getByText("2 control characters were left out of the paste").waitFor();
  },
);

test("a flood leaves the page responsive, and Control C from it ends the flood", SLOW, async () => {
  const stage = await Stage.begin(browser());
  await stage.open("--name", "mine");
  const page = await stage.list();
  await openTerminal(page, "mine");
  await page
    .locator(".tools")
    .getByText(/\d+×\d+/)
    .waitFor();
  await typeInto(page, "yes\n");
  await expect.poll(() => coloursIn(page, page.locator(".screen"))).toBeGreaterThan(10);
  for (let turn = 0; turn < 3; turn += 1) {
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByRole("searchbox", { name: "Find in the terminal" }).waitFor();
    await page.getByRole("button", { name: "End finding" }).click();
  }
  await page.locator(".xterm-helper-textarea").focus();
  await page.keyboard.press("Control+C");
  await page.keyboard.type("echo over''and out\n");
  await showsText(page, "overand out");
});

test("the keys of the page are the page's: the terminal is left, and found in", SLOW, async () => {
  const stage = await Stage.begin(browser());
  await stage.open("--name", "mine", "--", "echo needle");
  const page = await stage.list();
  await openTerminal(page, "mine");
  await showsText(page, "needle");
  await page.locator(".xterm-helper-textarea").focus();
  await page.keyboard.press("Control+Shift+ArrowUp");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("All terminals");
  await page.locator(".xterm-helper-textarea").focus();
  await page.keyboard.press("Control+Shift+F");
  const find = page.getByRole("searchbox", { name: "Find in the terminal" });
  await find.fill("needle");
  await page.keyboard.press("Enter");
  expect(await page.getByText("Not found").count()).toBe(0);
  await find.fill("haystack");
  await page.keyboard.press("Enter");
  await page.getByText("Not found").waitFor();
  await page.getByLabel("Pattern").check();
  await find.fill("(");
  await page.getByText(/Invalid regular expression/).waitFor();
  await page.keyboard.press("Escape");
  expect(await page.evaluate(() => document.activeElement?.className)).toContain("xterm");
});

test(
  "while the way is cut the view stays, dimmed, and comes back with what it missed",
  SLOW,
  async () => {
    const stage = await Stage.begin(browser());
    await stage.open("--name", "mine", "--", "echo before");
    const way = await cuttable(stage.publisher.ready.port);
    const endpoint = `http://127.0.0.1:${way.port}/`;
    const page = await stage.list({ endpoint, expected: /net::ERR_|WebSocket connection/ });
    await openTerminal(page, "mine");
    await showsText(page, "before");
    way.cut();
    await page.getByText("The way to the terminal is lost; it is tried again.").waitFor();
    expect(await page.locator(".place").getAttribute("data-stale")).toBe("");
    await stage.place.run(["send", "mine", "echo mean''while", "Enter"]);
    await way.mend();
    await page.getByText("The way to the terminal is lost").waitFor({ state: "detached" });
    await showsText(page, "meanwhile");
  },
);

test("a terminal that cannot be shown says how to get there", SLOW, async () => {
  const stage = await Stage.begin(browser(), "screen");
  const page = await watchedPage(browser(), stage.origin, {});
  await page.goto(`${stage.endpoint}#token=${stage.publisher.token}`);
  await rowOf(page, "work:0.0").waitFor();
  // In the foreground, so that it ends with the test.
  stage.place.start(["-D", "-m", "-S", "shown", "cat"], {
    program: ["screen"],
    env: { SCREENDIR: stage.place.folder },
  });
  await rowOf(page, "shown").first().locator(".row-link").click();
  await page.getByRole("heading", { name: "This terminal cannot be shown here" }).waitFor();
  await page
    .getByText(/screen -x \d+/)
    .first()
    .waitFor();
});
