import { expect, test } from "vitest";
import { Place } from "../cli/support.ts";
import { useBrowser, watchedPage } from "./support/browser.ts";
import { rowOf } from "./support/stage.ts";

const NAME = "box.example";
const browser = useBrowser(`--host-resolver-rules=MAP ${NAME} 127.0.0.1`);

test("a page is let in again without its token under a name without TLS, of which browsers tell a server less", {
  timeout: 90_000,
}, async () => {
  const place = new Place();
  place.session();
  const { ready, token } = await place.serve(["--allow-host", NAME]);
  const origin = `http://${NAME}:${ready.port}`;
  // Windows of others are told apart over TLS alone, and Chromium says so.
  const page = await watchedPage(browser(), origin, { expected: /Cross-Origin-Opener-Policy/ });
  await page.goto(`${origin}/#token=${token}`);
  await rowOf(page, "work:0.0").waitFor();
  expect(page.url()).toBe(`${origin}/`);
  await page.reload();
  await rowOf(page, "work:0.0").waitFor();
});
