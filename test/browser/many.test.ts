import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { ManyRows } from "../../bench/dashboard/lib/many-rows.ts";
import { axeFaults } from "./support/axe.ts";
import { useBrowser, watchedPage } from "./support/browser.ts";

const browser = useBrowser();
const PAGES = fileURLToPath(new URL("../../dist/dashboard", import.meta.url));
const SLOW = { timeout: 120_000 };
const COUNT = 1_000;

/** The list of so many terminals, once it is drawn. */
async function listOf(count: number, rows = new ManyRows(count)): Promise<Page> {
  onTestFinished(() => rows.end());
  const address = await rows.serve(PAGES);
  const page = await watchedPage(browser(), new URL(address).origin);
  await page.goto(address);
  await page.getByText(`${count} terminals`, { exact: true }).waitFor();
  if (count > 0) await page.locator(".row-link").first().waitFor();
  return page;
}

test.each([0, COUNT])("axe finds nothing in a list of %i terminals", SLOW, async (count) => {
  const page = await listOf(count);
  expect(await axeFaults(page)).toEqual([]);
});

describe("of a thousand terminals", () => {
  const places = (page: Page) =>
    page
      .locator("section.part")
      .last()
      .locator("li.row")
      .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute("aria-posinset"))));

  test("few are drawn, and each says which of how many it is", SLOW, async () => {
    const page = await listOf(COUNT);
    const drawn = await page.locator("li.row").count();
    expect(drawn).toBeLessThan(COUNT / 2);
    const counts = await page.locator("section.part .count").allInnerTexts();
    const sizes = await page
      .locator("section.part")
      .evaluateAll((parts) =>
        parts.map((part) => part.querySelector("li.row")?.getAttribute("aria-setsize")),
      );
    expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(COUNT);
    for (const [at, size] of sizes.entries()) if (size !== undefined) expect(size).toBe(counts[at]);
  });

  test("keys reach the last and come back, and Tab finds the one they left", SLOW, async () => {
    const page = await listOf(COUNT);
    const focused = () =>
      page.evaluate(() => {
        const row = document.activeElement?.closest("li.row");
        return [row?.getAttribute("aria-posinset"), row?.getAttribute("aria-setsize")];
      });
    await page.keyboard.press("End");
    const [last, size] = await focused();
    expect(last).toBe(size);
    expect(Number(last)).toBeGreaterThan(100);
    await page.keyboard.press("ArrowUp");
    expect((await focused())[0]).toBe(String(Number(last) - 1));
    await page.keyboard.press("/");
    await page.evaluate(() => scrollTo(0, 0));
    await page.locator("li.row[aria-posinset='1']").first().waitFor();
    expect(await page.locator(".row-link[tabindex='0']").count()).toBe(1);
    await page.locator(".row-link[tabindex='0']").focus();
    expect((await focused())[0]).toBe(String(Number(last) - 1));
    await page.keyboard.press("Home");
    expect((await focused())[0]).toBe("1");
  });

  test("those that are scrolled to are drawn, and the others no more", SLOW, async () => {
    const page = await listOf(COUNT);
    const size = Number(await page.locator("section.part .count").last().textContent());
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect.poll(() => places(page)).toContain(size);
    await expect.poll(() => places(page)).not.toContain(1);
  });

  test("a search finds those that are not drawn", SLOW, async () => {
    const page = await listOf(COUNT);
    await page.keyboard.press("/");
    await page.keyboard.type("terminal 3");
    await page.keyboard.type(" /dev/pts/3");
    await page.keyboard.type(" work:3.0");
    await expect.poll(() => page.locator("li.row").count()).toBe(1);
    expect(await page.locator("li.row .id").textContent()).toContain("/3");
  });
});

test("a terminal comes into a search when what is known of it changes", SLOW, async () => {
  const rows = new ManyRows(10);
  const page = await listOf(10, rows);
  await page.keyboard.press("/");
  await page.keyboard.type("change");
  await expect.poll(() => page.locator("li.row").count()).toBe(0);
  rows.change(100);
  await expect.poll(() => page.locator("li.row").count()).toBe(10);
  await page.getByText("10 of 10").waitFor();
});
