import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { ManyRows } from "../../bench/dashboard/lib/many-rows.ts";
import { axeFaults } from "./support/axe.ts";
import { useBrowser, watchedPage } from "./support/browser.ts";

const browser = useBrowser();
const PAGES = fileURLToPath(new URL("../../dist/dashboard", import.meta.url));

test.each([0, 1_000])(
  "axe finds nothing in a list of %i terminals",
  {
    timeout: 120_000,
  },
  async (count) => {
    const rows = new ManyRows(count);
    onTestFinished(() => rows.end());
    const address = await rows.serve(PAGES);
    const page = await watchedPage(browser(), new URL(address).origin);
    await page.goto(address);
    await page.getByText(`${count} terminals`, { exact: true }).waitFor();
    await expect.poll(() => page.locator("li.row").count()).toBe(count);
    // A minute for a thousand rows, whose colours are those of a few rows.
    const without = count === 0 ? [] : ["color-contrast"];
    expect(await axeFaults(page, ...without)).toEqual([]);
  },
);
