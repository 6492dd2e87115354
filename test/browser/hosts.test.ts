import { expect, onTestFinished, test } from "vitest";
import { NatsServer } from "../lib/nats/server.ts";
import { useBrowser } from "./support/browser.ts";
import { openTerminal, rowOf, Stage, showsText, typeInto } from "./support/stage.ts";

const browser = useBrowser();
const SLOW = { timeout: 90_000 };

/** Two hosts, and the list of the first. */
async function hosts() {
  const nats = await NatsServer.start();
  onTestFinished(() => nats.end());
  const [atlas, borea] = await Promise.all(
    ["atlas", "borea"].map((name) => Stage.sharing(browser(), nats, name)),
  );
  if (atlas === undefined || borea === undefined) throw new Error("Expected two hosts");
  return { nats, atlas, borea };
}

test(
  "a terminal of another host opens its page, in which it is seen and typed into",
  SLOW,
  async () => {
    const { atlas, borea } = await hosts();
    await borea.open("--name", "far", "--exec", "--", "env", "PS1=$ ", "sh");
    const page = await atlas.list();
    await page.getByRole("heading", { name: "borea" }).first().waitFor();
    await openTerminal(page, "far");
    expect(new URL(page.url()).searchParams.get("instance")).toBe(borea.publisher.ready.instance);
    expect(page.url().startsWith(atlas.endpoint)).toBe(true);
    await page.locator(".size").waitFor();
    await typeInto(page, "echo $((6*7)) seen\n");
    await showsText(page, "42 seen");
  },
);

test(
  "a terminal of another host is renamed and closed from the list, and its page says what became of it",
  SLOW,
  async () => {
    const { atlas, borea } = await hosts();
    await borea.open("--name", "far", "--exec", "--", "cat");
    const page = await atlas.list();
    await rowOf(page, "far").waitFor();
    const address = await rowOf(page, "far").locator(".row-link").getAttribute("href");
    await rowOf(page, "far").hover();
    await rowOf(page, "far")
      .getByRole("button", { name: /^Rename/ })
      .click();
    await page.getByRole("textbox", { name: "Name" }).fill("farther");
    await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
    await rowOf(page, "farther").waitFor();
    await rowOf(page, "farther").hover();
    await rowOf(page, "farther")
      .getByRole("button", { name: /^Close/ })
      .click();
    const end = page.getByRole("button", { name: "End it and close" });
    await page.getByText("Closed").or(end).first().waitFor();
    if (await end.isVisible()) await end.click();
    await rowOf(page, "farther").waitFor({ state: "detached" });
    await page.goto(new URL(address ?? "", page.url()).href);
    await page.getByRole("heading", { name: "This terminal is gone" }).waitFor();
    await page.getByText("farther").first().waitFor();
  },
);

test(
  "the page of a terminal on a host that is away says so, and shows it when that is back",
  SLOW,
  async () => {
    const { nats, atlas, borea } = await hosts();
    await borea.open("--name", "far", "--exec", "--", "cat");
    const page = await atlas.list();
    await openTerminal(page, "far");
    await page.locator(".size").waitFor();
    await nats.kill();
    await page.getByText(/is lost; it is tried again.*on another host/).waitFor();
    await nats.restart();
    await page.getByText(/is lost; it is tried again/).waitFor({ state: "detached" });
    await typeInto(page, "back\n");
    await showsText(page, "back");
  },
);
