import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { axeFaults } from "./support/axe.ts";
import { useBrowser } from "./support/browser.ts";
import { openTerminal, rowOf, Stage } from "./support/stage.ts";

const browser = useBrowser();
const SLOW = { timeout: 120_000 };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** A list with something in most of its parts. */
async function furnished(): Promise<Stage> {
  const stage = await Stage.begin(browser());
  await stage.open("--name", "mine");
  const claude = await stage.claude();
  claude.says({
    sessionId: "0199d4b2-5f0a-7c31-8a52-3e8f6c1d2b40",
    status: "waiting",
    waitingFor: "permission",
    name: "fix the build",
  });
  return stage;
}

const ready = async (page: Page) => {
  await rowOf(page, "fix the build").waitFor();
  await rowOf(page, "mine").waitFor();
};

describe("axe finds nothing", () => {
  test.each(["light", "dark"] as const)(
    "in the list and a terminal, %s",
    SLOW,
    async (colorScheme) => {
      const stage = await furnished();
      const page = await stage.list({ colorScheme });
      await ready(page);
      expect(await axeFaults(page)).toEqual([]);
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await openTerminal(page, "mine");
      await page.getByRole("button", { name: "Text", exact: true }).click();
      await page.locator(".plain pre").getByText(/\$|#/).waitFor();
      await page.getByRole("button", { name: "Find" }).click();
      expect(await axeFaults(page)).toEqual([]);
      await page.goto(`${stage.endpoint}terminals/pty%3Anever`);
      await page.getByRole("heading", { name: "No such terminal" }).waitFor();
      expect(await axeFaults(page)).toEqual([]);
    },
  );

  test("while nothing is let in, and while the publisher is away", SLOW, async () => {
    const stage = await furnished();
    const refused = await stage.list({ token: "wrong", expected: /401/ });
    await refused.getByRole("heading", { name: "This page is not let in" }).waitFor();
    expect(await axeFaults(refused)).toEqual([]);
    const page = await stage.list({ expected: /net::ERR_|WebSocket connection/ });
    await ready(page);
    stage.publisher.program.signal("SIGKILL");
    await page.getByText("Not connected.").waitFor();
    expect(await axeFaults(page)).toEqual([]);
  });
});

describe("on a phone", () => {
  test("nothing is wider than the screen, and what is touched is large enough", SLOW, async () => {
    const stage = await furnished();
    const page = await stage.list(PHONE);
    await ready(page);
    expect(await axeFaults(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    expect(await small(page)).toEqual([]);
    const row = rowOf(page, "mine");
    await row.getByRole("button", { name: /^More/ }).tap();
    await row.getByRole("button", { name: /^Interrupt/ }).waitFor();
    expect(await small(page)).toEqual([]);
    await row.locator(".row-link").tap();
    await page.locator(".screen .xterm").waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await small(page)).toEqual([]);
  });
});

/** By how much the page is wider than its screen, in pixels. */
const overflow = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });

/** What is to be touched and is under 44 pixels high. */
const small = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("button, select, input:not([type=checkbox]), .row-link")]
      .filter((element) => element.checkVisibility())
      .filter((element) => element.getBoundingClientRect().height < 43.5)
      .map((element) => element.outerHTML.slice(0, 120)),
  );
