import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axeFaults } from "./support/axe.ts";
import { useBrowser } from "./support/browser.ts";
import { rowOf, Stage } from "./support/stage.ts";

const browser = useBrowser();
const SLOW = { timeout: 90_000 };
const MARKUP = "<img src=x onerror=alert(1)>";
/** Turns the direction of what follows, and never turns it back. */
const TURNED = "\u202e\u2066";

/** What the page made of text that is none of its own; a dialog would keep the page from answering at all. */
const made = (page: Page) =>
  page.evaluate(() => ({
    elements: document.querySelectorAll("img, b, script:not([src]), iframe, object").length,
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  }));

test(
  "names, titles and folders that are markup, turn the direction or never end are text",
  SLOW,
  async () => {
    const stage = await Stage.begin(browser());
    const folder = join(stage.place.folder, MARKUP);
    mkdirSync(folder);
    stage.place.tmux("new-window", "-d", "-c", folder, "exec cat");
    const title = `${MARKUP}${"long".repeat(4_096)}`;
    const program = `printf '\\033]2;%s\\007' '${title}'; exec cat`;
    const id = await stage.open("--name", `${TURNED}<b>bold`, "--exec", "--", "sh", "-c", program);
    const page = await stage.list();
    const row = rowOf(page, "<b>bold");
    await row.getByText(MARKUP).first().waitFor();
    await rowOf(page, "work:1.0").locator(".cwd").getByText(MARKUP).waitFor();
    expect(await made(page)).toEqual({ elements: 0, overflow: 0 });
    expect(await axeFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await made(page)).toEqual({ elements: 0, overflow: 0 });
    await page.setViewportSize({ width: 1280, height: 800 });

    await page.goto(`${stage.endpoint}terminals/${encodeURIComponent(id)}`);
    await page.locator(".tools .size").waitFor();
    await page.getByText("<b>bold").first().waitFor();
    expect(await made(page)).toEqual({ elements: 0, overflow: 0 });
    expect(await page.title()).not.toContain("\u202e");
    const { code } = await stage.place.run(["close", id, "--force"]);
    expect(code).toBe(0);
    await page.getByRole("heading", { name: "This terminal is gone" }).waitFor();
    await page.getByText("<b>bold").first().waitFor();
    expect(await made(page)).toEqual({ elements: 0, overflow: 0 });
    expect(await axeFaults(page)).toEqual([]);
  },
);
